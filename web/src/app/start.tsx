import { MantineProvider, useComputedColorScheme } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { onSessionEnd } from '../calls/access-token.ts';
import { SESSION_ENDED } from '../calls/toast-failure.tsx';
import { PaperLook } from '../features/status/paper-look.tsx';
import { Toasts, toastProblem } from '../ui/toasts.tsx';
import { Later } from '../ui/use-in-slices.ts';
import { createColourSchemeManager } from './colour-scheme.ts';
import { createQueryClient } from './query-client.ts';
import { createAppRouter } from './router.ts';
import { styleNonce } from './style-nonce.ts';
import { readableShades, theme } from './theme.ts';

/** Shows the product in `page`. */
export async function start(page: HTMLElement): Promise<void> {
  // The content security policy forbids eval, which zod would otherwise try and report.
  z.config({ jitless: true });
  const client = createQueryClient();
  const router = createAppRouter();
  onSessionEnd((why) => {
    if (why !== undefined) toastProblem(why, SESSION_ENDED);
    client.clear();
    void router.navigate({ to: '/login' });
  });
  // With the page's own code there already, the first render holds the whole page. What the router hears later it would
  // render at a stretch; a transition is rendered in slices, between which the page answers.
  await router.load();
  startTransition(() => createRoot(page).render(<Product client={client} router={router} />));
}

type ProductProps = { client: QueryClient; router: ReturnType<typeof createAppRouter> };

/** Every screen, with all that stands around it. */
export function Product({ client, router }: ProductProps) {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={readableShades}
        defaultColorScheme="auto"
        colorSchemeManager={createColourSchemeManager()}
        getStyleNonce={styleNonce}
      >
        <ColourSchemeClass />
        <PaperLook />
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
        <Later>
          <Toasts />
        </Later>
      </MantineProvider>
    </StrictMode>
  );
}

/** Keeps the class on `<html>` in step with the colour scheme, beside Mantine's own attribute. */
function ColourSchemeClass() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useLayoutEffect(() => {
    const { classList } = document.documentElement;
    classList.toggle('dark', scheme === 'dark');
    classList.toggle('light', scheme === 'light');
  }, [scheme]);
  return null;
}
