import { recoverPassword, recoveryForm } from '@dutchbook/contract/login.ts';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { call } from '../../calls/call.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { EntryField, EntryForm } from '../../ui/entry-form.tsx';
import styles from './entry-note.module.css';

/** Asks for a link by mail. What it answers is the same for every email, with an account or without. */
export function RecoveryForm() {
  const [answer, setAnswer] = useState('');
  const { form, submit, sending } = useContractForm({
    initialValues: { email: '' },
    problems: rulesOf(recoveryForm),
    send: ({ email }) => call(recoverPassword, { params: { email } }),
    meta: { success: 'Password recovery email sent successfully.' },
    onSent: ({ message }) => setAnswer(message),
  });
  return (
    <EntryForm action="Continue" submit={submit} sending={sending} links={<Link to="/login">Back to Log In</Link>}>
      <EntryField label="Email" type="email" autoComplete="email" {...form.getInputProps('email')} />
      {answer !== '' && <EntryNote>{answer} Its link works once.</EntryNote>}
    </EntryForm>
  );
}

/** What has to be known beside a form, or in its place. */
function EntryNote({ children }: { children: ReactNode }) {
  return <p className={styles.note}>{children}</p>;
}
