import { useMemo } from 'react';
import { useContractForm } from '../../forms/contract-form.ts';
import { rebasedFields, useRebased } from '../../forms/rebase.ts';

type SendingForm<Saved, Draft> = {
  saved: Saved;
  draftOf: (saved: Saved) => Draft;
  /** The problem of each field that has one. */
  problems: (draft: Draft) => Record<string, string>;
  send: (draft: Draft) => Promise<Saved>;
  /** What the toast says. */
  success: string;
  onSaved: (saved: Saved) => void;
};

/** A form over a part of how notifications are sent: it follows what another tab saves, but for what is being typed. */
export function useSendingForm<Saved, Draft extends Record<string, unknown>>({
  saved,
  draftOf,
  problems,
  send,
  success,
  onSaved,
}: SendingForm<Saved, Draft>) {
  const { form, submit, sending } = useContractForm({
    initialValues: draftOf(saved),
    problems,
    send,
    meta: { success },
    onSent: (now) => {
      onSaved(now);
      form.setValues(draftOf(now));
    },
  });
  const unchanged = useMemo(() => draftOf(saved), [draftOf, saved]);
  useRebased(form, unchanged, rebasedFields);
  const changed = Object.entries(unchanged).some(([name, value]) => form.values[name] !== value);
  return { form, submit, sending, changed };
}
