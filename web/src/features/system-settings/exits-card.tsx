import { exitSettingsForm, writeExitSettings } from '@dutchbook/contract/exit-settings.ts';
import { Link } from '@tanstack/react-router';
import { call } from '../../calls/call.ts';
import { DollarField } from './dollar-field.tsx';
import { formDraft } from './form-draft.ts';
import { SettingsCard } from './settings-card.tsx';
import { exitSettingsQuery } from './settings-queries.ts';
import { labelsOf, type Switch, Switches } from './switches.tsx';

const CASH_NOW: readonly Switch<'auto_cash_now'>[] = [
  {
    name: 'auto_cash_now',
    label: 'Cash Now by itself',
    effect: 'Complete sets of batches that have ended are converted into dollars without anybody asking.',
  },
];
const REDEEM: readonly Switch<'auto_redeem'>[] = [
  {
    name: 'auto_redeem',
    label: 'Redeem by itself',
    effect: 'What has won is redeemed as soon as its market has resolved.',
  },
];

const LABELS = { ...labelsOf(CASH_NOW), ...labelsOf(REDEEM), auto_cash_now_min_usd: 'Least dollars' };

const EXITS = formDraft(exitSettingsForm, ['auto_cash_now_min_usd']);

/** What is converted into dollars without anybody asking. */
export function ExitsCard() {
  return (
    <SettingsCard
      {...EXITS}
      labels={LABELS}
      title="Exits"
      aside={<Link to="/approvals">Approvals</Link>}
      what="exit settings"
      query={exitSettingsQuery}
      height={260}
      write={(body) => call(writeExitSettings, { body })}
    >
      {(form) => (
        <>
          <p className="hint">Nothing is sent by itself while trading is disarmed.</p>
          <Switches of={CASH_NOW} form={form} />
          <DollarField
            label={LABELS.auto_cash_now_min_usd}
            description="What Cash Now has to bring before it is done by itself."
            {...form.getInputProps('auto_cash_now_min_usd')}
          />
          <Switches of={REDEEM} form={form} />
        </>
      )}
    </SettingsCard>
  );
}
