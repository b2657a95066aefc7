import { createFileRoute, redirect } from '@tanstack/react-router';
import { readAccessToken } from '../calls/access-token.ts';

/** Everything before the login: of no use to those who are signed in. */
export const Route = createFileRoute('/_entry')({
  beforeLoad: () => {
    if (readAccessToken() !== null) throw redirect({ to: '/' });
  },
});
