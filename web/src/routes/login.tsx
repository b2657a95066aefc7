import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LoginForm } from '../features/login/login-form.tsx';
import { EntryCard } from '../ui/entry-card.tsx';

export const Route = createLazyRoute('/entry/login')({ component: LoginPage });

function LoginPage() {
  const navigate = useNavigate();
  useEffect(() => {
    document.title = 'Log In · Dutchbook';
  }, []);
  return (
    <EntryCard title="Log in to Dutchbook" text="Arbitrage on prediction markets.">
      <LoginForm onLoggedIn={() => void navigate({ to: '/' })} />
    </EntryCard>
  );
}
