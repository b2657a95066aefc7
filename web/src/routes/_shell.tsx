import { createFileRoute, redirect } from '@tanstack/react-router';
import { AppShell } from '../app/app-shell.tsx';
import { readAccessToken } from '../calls/access-token.ts';

/** Everything behind the login. */
export const Route = createFileRoute('/_shell')({
  beforeLoad: () => {
    if (readAccessToken() === null) throw redirect({ to: '/login' });
  },
  component: AppShell,
});
