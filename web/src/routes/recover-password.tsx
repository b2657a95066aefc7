import { createLazyRoute } from '@tanstack/react-router';
import { EntryCard } from '../ui/entry-card.tsx';

export const Route = createLazyRoute('/entry/recover-password')({ component: RecoverPasswordPage });

function RecoverPasswordPage() {
  return (
    <EntryCard title="Password Recovery" text="We send you a link.">
      {null}
    </EntryCard>
  );
}
