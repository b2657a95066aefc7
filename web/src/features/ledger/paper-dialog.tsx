import { paperTransferForm, transferOnPaper } from '@dutchbook/contract/ledger.ts';
import { NativeSelect, TextInput } from '@mantine/core';
import { call } from '../../calls/call.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { rulesOf } from '../../forms/form-rules.ts';
import { numberFrom } from '../system-settings/number-from.ts';

const KINDS = [
  { value: 'deposit', label: 'Deposit' },
  { value: 'withdrawal', label: 'Withdrawal' },
];

type Draft = { kind: 'deposit' | 'withdrawal'; usd: string };

const sentOf = ({ kind, usd }: Draft) => ({ kind, usd: numberFrom(usd) as number });
const rules = rulesOf(paperTransferForm);

const NOTHING: Draft = { kind: 'deposit', usd: '' };

/** Moves money of paper trading into its account, or out of it. */
export function PaperDialog(dialog: { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog
      {...dialog}
      title="Deposit or Withdraw"
      initialValues={NOTHING}
      problems={(draft: Draft) => rules(sentOf(draft))}
      send={(draft: Draft) => call(transferOnPaper, { body: sentOf(draft) })}
      meta={{ success: 'The dollars are on their way.' }}
    >
      {(form) => (
        <>
          <p className="hint">It is money of paper trading. The ledger enters it within a minute.</p>
          <NativeSelect label="Kind" data={KINDS} {...form.getInputProps('kind')} />
          <TextInput
            label="Amount"
            description="Dollars"
            inputMode="decimal"
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('usd')}
          />
        </>
      )}
    </FormDialog>
  );
}
