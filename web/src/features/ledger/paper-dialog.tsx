import { paperTransferForm, transferOnPaper } from '@dutchbook/contract/ledger.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { VENUE_NAMES, type VenueName } from '@dutchbook/units/ids.ts';
import { NativeSelect, TextInput } from '@mantine/core';
import { call } from '../../calls/call.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { rulesOf } from '../../forms/form-rules.ts';
import { useSystemStatus } from '../status/system-status.ts';
import { numberFrom } from '../system-settings/number-from.ts';

const KINDS = [
  { value: 'deposit', label: 'Deposit' },
  { value: 'withdrawal', label: 'Withdrawal' },
];

const VENUES = VENUE_NAMES.map((value) => ({ value, label: VENUE_LABELS[value] }));

type Draft = { kind: 'deposit' | 'withdrawal'; usd: string; venue?: VenueName };

const sentOf = ({ kind, usd, venue }: Draft) => ({
  ...{ kind, usd: numberFrom(usd) as number },
  ...(venue !== undefined && { venue }),
});
const rules = rulesOf(paperTransferForm);

const NOTHING: Draft = { kind: 'deposit', usd: '' };
const AT_SEVERAL: Draft = { ...NOTHING, venue: 'polymarket' };

/** Moves money of paper trading into its account, or out of it. */
export function PaperDialog(dialog: { opened: boolean; onClose: () => void }) {
  const hasSeveral = useSystemStatus()?.venue === 'paper_several';
  return (
    <FormDialog
      {...dialog}
      title="Deposit or Withdraw"
      initialValues={hasSeveral ? AT_SEVERAL : NOTHING}
      problems={(draft: Draft) => rules(sentOf(draft))}
      send={(draft: Draft) => call(transferOnPaper, { body: sentOf(draft) })}
      meta={{ success: 'The dollars are on their way.' }}
    >
      {(form) => (
        <>
          <p className="hint">It is money of paper trading. The ledger enters it within a minute.</p>
          {hasSeveral && <NativeSelect label="Venue" data={VENUES} {...form.getInputProps('venue')} />}
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
