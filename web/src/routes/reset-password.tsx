import { createLazyRoute } from '@tanstack/react-router';
import { EntryCard } from '../ui/entry-card.tsx';

export const Route = createLazyRoute('/entry/reset-password')({ component: ResetPasswordPage });

function ResetPasswordPage() {
  return (
    <EntryCard title="Reset Password" text="Choose a new one.">
      {null}
    </EntryCard>
  );
}
