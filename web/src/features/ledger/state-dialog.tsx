import { stateDifference } from '@dutchbook/contract/ledger.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { rulesOf } from '../../forms/form-rules.ts';
import { useVenues } from '../status/system-status.ts';

type Draft = z.output<typeof stateDifference.body>;

const KINDS: { value: Draft['kind']; label: string }[] = [
  { value: 'deposit', label: 'Deposit' },
  { value: 'withdrawal', label: 'Withdrawal' },
  { value: 'correction', label: 'Correction' },
];

const rules = rulesOf(stateDifference.body);

/** Problems by the contract's rules; besides, a deposit must be positive and a withdrawal negative. */
function problemsOf(draft: Draft): Record<string, string> {
  const problems = rules(draft);
  const amount = Number(draft.amount);
  if (problems.amount === undefined && amount === 0) return { ...problems, amount: 'Amount must not be 0' };
  if (problems.amount === undefined && draft.kind === 'deposit' && amount < 0)
    return { ...problems, amount: 'A deposit is greater than 0' };
  if (problems.amount === undefined && draft.kind === 'withdrawal' && amount > 0)
    return { ...problems, amount: 'A withdrawal is less than 0' };
  return problems;
}

type StateDialogProps = { opened: boolean; onClose: () => void };

const UNSTATED: Draft = { kind: 'deposit', unit: 'usd', amount: '', reason: '' };

/** The request without the venue of a token, whose id names it. */
const sentOf = ({ venue, ...draft }: Draft): Draft => (draft.unit === 'usd' ? { ...draft, venue } : draft);

/** States what the venue has and the ledger had not. */
export function StateDialog(dialog: StateDialogProps) {
  const client = useQueryClient();
  const venues = useVenues() ?? [];
  return (
    <FormDialog
      {...dialog}
      title="State a Difference"
      initialValues={{ ...UNSTATED, venue: venues[0] }}
      problems={problemsOf}
      send={(draft) => call(stateDifference, { body: sentOf(draft) })}
      meta={{ success: 'The entry was made.' }}
      onSent={() => void readAgain(client, ['entries'])}
    >
      {(form) => (
        <>
          <p className="hint">It stands in the ledger for good, with your name. Only another entry can take it back.</p>
          <NativeSelect label="Kind" data={KINDS} {...form.getInputProps('kind')} />
          <TextInput
            label="Unit"
            description="usd, or the ID of a token"
            autoComplete="off"
            {...form.getInputProps('unit')}
          />
          {venues.length > 0 && form.values.unit === 'usd' && (
            <NativeSelect
              label="Venue"
              data={venues.map((value) => ({ value, label: VENUE_LABELS[value] }))}
              {...form.getInputProps('venue')}
            />
          )}
          <TextInput
            label="Amount"
            description="What the account has more of; negative where it has less"
            inputMode="decimal"
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('amount')}
          />
          <Textarea label="Reason" autosize minRows={2} maxRows={8} {...form.getInputProps('reason')} />
        </>
      )}
    </FormDialog>
  );
}
