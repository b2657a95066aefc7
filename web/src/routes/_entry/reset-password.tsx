import { Button } from '@mantine/core';
import { createFileRoute, Link, type SearchSchemaInput, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ResetForm } from '../../features/login/reset-form.tsx';
import { EntryCard } from '../../ui/entry-card.tsx';

export const Route = createFileRoute('/_entry/reset-password')({
  validateSearch: ({ token }: { token?: unknown } & SearchSchemaInput): { token?: string } =>
    token === undefined || token === '' ? {} : { token: String(token) },
  component: ResetPasswordPage,
});

function ResetPasswordPage() {
  const navigate = useNavigate();
  const [token, forgetToken] = useTokenOfLink();
  if (token === undefined) return <UselessLink />;
  return (
    <EntryCard
      page="Reset Password"
      title="Reset Password"
      text="Choose a new password. All your sessions end with it."
    >
      <ResetForm token={token} onReset={() => void navigate({ to: '/login' })} onTokenRefused={forgetToken} />
    </EntryCard>
  );
}

/** The token with which the page was opened, taken out of the address so that neither history nor screenshots keep it. */
function useTokenOfLink(): [string | undefined, () => void] {
  const { token: given } = Route.useSearch();
  const navigate = Route.useNavigate();
  const [token, setToken] = useState(given);
  useEffect(() => {
    if (given !== undefined) void navigate({ search: {}, replace: true });
  }, [given, navigate]);
  return [token, () => setToken(undefined)];
}

function UselessLink() {
  return (
    <EntryCard
      page="Reset Password"
      title="This link does not work"
      text="It is incomplete, was used already, or has expired."
    >
      <Button size="md" fullWidth renderRoot={(props) => <Link to="/recover-password" {...props} />}>
        Ask for a New Email
      </Button>
    </EntryCard>
  );
}
