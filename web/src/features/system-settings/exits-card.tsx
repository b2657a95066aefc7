import { exitSettingsForm, writeExitSettings } from '@dutchbook/contract/exit-settings.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { Link } from '@tanstack/react-router';
import { call } from '../../calls/call.ts';
import { useVenues } from '../status/system-status.ts';
import { DollarField } from './dollar-field.tsx';
import { formDraft } from './form-draft.ts';
import { SettingsCard } from './settings-card.tsx';
import { exitSettingsQuery } from './settings-queries.ts';
import { labelsOf, type Switch, Switches } from './switches.tsx';

const CASH_NOW: readonly Switch<'auto_cash_now'>[] = [
  {
    name: 'auto_cash_now',
    label: 'Cash Now by itself',
    effect: 'Complete sets of batches that have ended are converted into dollars automatically.',
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

/** Labels that name the venue, where there are several. */
function labelsAt(where: string): typeof LABELS {
  const { auto_cash_now, auto_redeem, auto_cash_now_min_usd } = LABELS;
  return {
    auto_cash_now: `${auto_cash_now}${where}`,
    auto_redeem: `${auto_redeem}${where}`,
    auto_cash_now_min_usd: `${auto_cash_now_min_usd}${where}`,
  };
}

const PAYS_BY_ITSELF =
  'The venue takes both outcomes for a dollar a pair and pays for markets that have ended by itself: there is nothing to convert or redeem.';
const READ_ONLY = 'Read only, without a key that may trade: nothing is converted or redeemed.';

const EXITS = formDraft(exitSettingsForm, ['auto_cash_now_min_usd']);

/** What is converted into dollars automatically, at each venue where several are configured. */
export function ExitsCards() {
  const venues = useVenues();
  if (venues?.length === 0) return <ExitsCard />;
  return venues?.map((venue) => <ExitsCard key={venue} venue={venue} />);
}

function ExitsCard({ venue }: { venue?: VenueName }) {
  const where = venue === undefined ? '' : ` at ${VENUE_LABELS[venue]}`;
  return (
    <SettingsCard
      {...EXITS}
      labels={labelsAt(where)}
      title={`Exits${where}`}
      aside={<Link to="/approvals">Approvals</Link>}
      what={`exit settings${where}`}
      query={exitSettingsQuery(venue)}
      height={260}
      write={(body) => call(writeExitSettings, { query: { venue }, body })}
    >
      {(form, { pays_by_itself, is_read_only }) =>
        pays_by_itself || is_read_only ? (
          <p className="hint">{pays_by_itself ? PAYS_BY_ITSELF : READ_ONLY}</p>
        ) : (
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
        )
      }
    </SettingsCard>
  );
}
