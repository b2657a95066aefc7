import { createFileRoute, redirect } from '@tanstack/react-router';
import { readAccessToken } from '../app/access-token.ts';
import { AppShell } from '../app/app-shell.tsx';

/** Everything behind the login. */
export const Route = createFileRoute('/_shell')({
  beforeLoad: () => {
    if (readAccessToken() === null) throw redirect({ to: '/login' });
  },
  component: AppShell,
});
