import { createLazyRoute } from '@tanstack/react-router';
import { EntryCard } from '../ui/entry-card.tsx';

export const Route = createLazyRoute('/entry/signup')({ component: SignUpPage });

function SignUpPage() {
  return (
    <EntryCard title="Sign up for Dutchbook" text="Arbitrage on prediction markets.">
      {null}
    </EntryCard>
  );
}
