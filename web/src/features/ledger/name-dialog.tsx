import { nameEntry } from '@dutchbook/contract/ledger.ts';
import { NativeSelect, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';

type Draft = z.output<typeof nameEntry.body>;

export type Unnamed = { entryId: number; amount: string };

const NAMES: { value: Draft['kind']; label: string }[] = [
  { value: 'deposit', label: 'A deposit of ours' },
  { value: 'reward', label: 'A reward of the venue' },
  { value: 'rebate', label: 'A rebate of the venue' },
  { value: 'redeem', label: 'What the venue paid for shares' },
];

const rules = rulesOf(nameEntry.body);

/** Names dollars that came from an unknown sender. */
export function NameDialog({ opened, onClose, ...unnamed }: Unnamed & { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} title={`Name ${unnamed.amount}`} onClose={onClose}>
      <NameForm {...unnamed} onClose={onClose} />
    </Dialog>
  );
}

function NameForm({ entryId, onClose }: Unnamed & { onClose: () => void }) {
  const client = useQueryClient();
  const { form, submit, sending } = useContractForm<Draft, unknown>({
    initialValues: { entry_id: entryId, kind: 'deposit', reason: '' },
    problems: rules,
    send: (body) => call(nameEntry, { body }),
    meta: { success: 'The dollars were named.' },
    onSent: () => {
      onClose();
      void readAgain(client, ['entries']);
    },
  });
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <p className="hint">
        It stands in the ledger for good, with your name. Rewards and rebates are income in the report and the tax file.
      </p>
      <NativeSelect label="What they are" data={NAMES} {...form.getInputProps('kind')} />
      <Textarea label="Reason" autosize minRows={2} maxRows={8} data-autofocus {...form.getInputProps('reason')} />
      <FormButtons sending={sending} onCancel={onClose} />
    </form>
  );
}
