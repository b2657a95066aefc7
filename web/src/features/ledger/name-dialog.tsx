import { nameEntry } from '@dutchbook/contract/ledger.ts';
import { NativeSelect, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { rulesOf } from '../../forms/form-rules.ts';

type Draft = z.output<typeof nameEntry.body>;

export type Unnamed = { entryId: number; amount: string };

const NAMES: { value: Draft['kind']; label: string }[] = [
  { value: 'deposit', label: 'A deposit of ours' },
  { value: 'reward', label: 'A reward of the venue' },
  { value: 'rebate', label: 'A rebate of the venue' },
  { value: 'redeem', label: 'What the venue paid for shares' },
];

const rules = rulesOf(nameEntry.body);

type NameDialogProps = Unnamed & { opened: boolean; onClose: () => void };

/** Names dollars that came from an unknown sender. */
export function NameDialog({ entryId, amount, ...dialog }: NameDialogProps) {
  const client = useQueryClient();
  return (
    <FormDialog<Draft, unknown>
      {...dialog}
      title={`Name ${amount}`}
      initialValues={{ entry_id: entryId, kind: 'deposit', reason: '' }}
      problems={rules}
      send={(body) => call(nameEntry, { body })}
      meta={{ success: 'The dollars were named.' }}
      onSent={() => void readAgain(client, ['entries'])}
    >
      {(form) => (
        <>
          <p className="hint">
            It stands in the ledger for good, with your name. Rewards and rebates are income in the report and the tax
            file.
          </p>
          <NativeSelect label="What they are" data={NAMES} {...form.getInputProps('kind')} />
          <Textarea label="Reason" autosize minRows={2} maxRows={8} data-autofocus {...form.getInputProps('reason')} />
        </>
      )}
    </FormDialog>
  );
}
