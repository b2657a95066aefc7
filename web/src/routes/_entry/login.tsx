import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { LoginForm } from '../../features/login/login-form.tsx';
import { EntryCard } from '../../ui/entry-card.tsx';

export const Route = createFileRoute('/_entry/login')({
  component: LoginPage,
});

function LoginPage() {
  const navigate = useNavigate();
  return (
    <EntryCard page="Log In" title="Log in to Dutchbook" text="Arbitrage on prediction markets.">
      <LoginForm onLoggedIn={() => void navigate({ to: '/' })} />
    </EntryCard>
  );
}
