import { createFileRoute } from '@tanstack/react-router';
import { RecoveryForm } from '../../features/login/recovery-form.tsx';
import { EntryCard } from '../../ui/entry-card.tsx';

export const Route = createFileRoute('/_entry/recover-password')({
  component: RecoverPasswordPage,
});

function RecoverPasswordPage() {
  return (
    <EntryCard
      page="Password Recovery"
      title="Password Recovery"
      text="Tell us the email of your account, and we send you a link that sets a new password."
    >
      <RecoveryForm />
    </EntryCard>
  );
}
