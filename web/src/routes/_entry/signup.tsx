import type { User } from '@dutchbook/contract/current-user.ts';
import { readSignUpPolicy, type SignUpPolicy } from '@dutchbook/contract/users.ts';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router';
import { callQuery } from '../../calls/call-query.ts';
import { SignUpForm } from '../../features/users/sign-up-form.tsx';
import { EntryCard } from '../../ui/entry-card.tsx';
import { toastSuccess } from '../../ui/toasts.tsx';

export const Route = createFileRoute('/_entry/signup')({
  component: SignUpPage,
});

const WHAT_TO_EXPECT: Record<SignUpPolicy, string> = {
  open: 'Arbitrage on prediction markets.',
  approval: 'A superuser activates each new account before its first login.',
  off: 'New accounts are not open here. Ask a superuser to make one for you.',
};

function SignUpPage() {
  const navigate = useNavigate();
  const { data: { policy } = { policy: 'open' } } = useQuery(callQuery(['signUpPolicy'], readSignUpPolicy, {}));
  const welcome = ({ is_active }: User) => {
    toastSuccess(
      is_active
        ? 'Your account was made. Log in with it.'
        : 'Your account was made. You can log in as soon as a superuser has activated it.',
    );
    void navigate({ to: '/login' });
  };
  return (
    <EntryCard page="Sign Up" title="Sign up for Dutchbook" text={WHAT_TO_EXPECT[policy]}>
      {policy === 'off' ? <Link to="/login">Back to Log In</Link> : <SignUpForm onSignedUp={welcome} />}
    </EntryCard>
  );
}
