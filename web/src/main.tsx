import './app/styles/entry.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { onSessionEnd } from './app/access-token.ts';
import { createColourSchemeManager } from './app/colour-scheme.ts';
import { ColourSchemeClass } from './app/colour-scheme-class.tsx';
import { createQueryClient } from './app/query-client.ts';
import { reloadWhenReplaced } from './app/reload-when-replaced.ts';
import { createAppRouter } from './app/router.tsx';
import { styleNonce } from './app/style-nonce.ts';
import { readableShades, theme } from './app/theme.ts';
import { SESSION_ENDED } from './app/toast-failure.tsx';
import { Toasts, toastProblem } from './ui/toasts.tsx';

// The content security policy forbids eval, which zod would otherwise try and report.
z.config({ jitless: true });

reloadWhenReplaced(import.meta.url);

const client = createQueryClient();
const router = createAppRouter();

onSessionEnd((why) => {
  if (why !== undefined) toastProblem(why, SESSION_ENDED);
  client.clear();
  void router.navigate({ to: '/login' });
});

const page = document.getElementById('root');
if (page === null) throw new Error('index.html has no #root');

const root = createRoot(page);
// A transition is rendered in slices, between which the page answers.
startTransition(() =>
  root.render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={readableShades}
        defaultColorScheme="auto"
        colorSchemeManager={createColourSchemeManager()}
        getStyleNonce={styleNonce}
      >
        <ColourSchemeClass />
        <Toasts />
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  ),
);
