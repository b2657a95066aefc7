import type { PolicyThen, SetMoment } from '@dutchbook/contract/flight-recorder.ts';
import { plainWords } from '@dutchbook/contract/notes/setting-labels.ts';
import { SIZE_BOUND_WORDS, sizeWords } from '@dutchbook/contract/notes/size-words.ts';
import { SETTINGS } from '@dutchbook/contract/system-settings.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Figures } from '../../ui/panel.tsx';
import { Signed } from '../../ui/signed.tsx';
import { Note } from '../../ui/states.tsx';
import { formatPerShare } from '../opportunities/per-share.ts';
import styles from './look-back.module.css';
import { LookBack, type PickedMoment } from './look-back.tsx';
import { opportunityMomentsQuery } from './moment-queries.ts';
import { MomentsAround } from './moments-around.tsx';

/** An opportunity as it was at a moment of the past: its books, its profit, and what refused an order. */
export function OpportunityLookBack({ id, ...picked }: PickedMoment & { id: string }) {
  return <LookBack {...picked}>{(at) => <Then key={at} id={id} at={at} />}</LookBack>;
}

function Then({ id, at }: { id: string; at: Instant }) {
  return (
    <MomentsAround at={at} read={useQuery(opportunityMomentsQuery(id, at))}>
      {(moment) => <Said of={moment} />}
    </MomentsAround>
  );
}

const UNKNOWN = '–';

function Said({ of: moment }: { of: SetMoment }) {
  const { current_price: price, fees_per_set: fees, profit_percentage: profit, reason } = moment;
  return (
    <>
      <Figures
        figures={[
          {
            name: 'Profit %',
            value: profit === null ? UNKNOWN : <Signed value={profit}>{formatPercent(profit)}</Signed>,
          },
          { name: 'Price of a Set', value: price === null ? UNKNOWN : formatPrice(price) },
          { name: 'Fees per Set', value: fees === null ? UNKNOWN : formatPerShare(fees) },
        ]}
      />
      {reason !== null && <p className="hint">No price: {reason}.</p>}
      <Refusals of={moment} />
      <Policies of={moment} />
    </>
  );
}

const POLICY_COLUMNS: readonly Column<PolicyThen & { id: string }>[] = [
  { key: 'policy', header: 'Size Policy', cell: ({ policy }) => SETTINGS.SIZE_POLICY.options[policy].label },
  {
    key: 'size',
    header: 'Size',
    wide: true,
    cell: ({ order_size: size, bounded_by: bound, allowed }) =>
      allowed
        ? sizeWords(size, bound)
        : `Nothing: ${formatShares(size)} sh are more than ${SIZE_BOUND_WORDS[bound]} allowed`,
  },
  { key: 'cost', header: 'Cost', align: 'end', cell: ({ allowed, total_cost_usd: usd }) => ofAllowed(allowed, usd) },
  {
    key: 'profit',
    header: 'Profit',
    align: 'end',
    cell: ({ allowed, expected_profit_usd: usd }) => ofAllowed(allowed, usd),
  },
  {
    key: 'risk',
    header: 'At Risk',
    align: 'end',
    cell: ({ allowed, worst_case_loss_usd: usd }) => ofAllowed(allowed, usd),
  },
];

const ofAllowed = (isAllowed: boolean, usd: Usd) => (isAllowed ? formatUsd(usd) : UNKNOWN);

/** What each size policy would have bought then, side by side. */
function Policies({ of: { policies } }: { of: SetMoment }) {
  if (policies === null || policies.length === 0) return null;
  const rows = policies.map((each) => ({ ...each, id: each.policy }));
  return <DataTable label="Size policies then" columns={POLICY_COLUMNS} rows={rows} />;
}

function Refusals({ of: { refusals } }: { of: SetMoment }) {
  if (refusals === null) return <p className="hint">What would have refused an order then is not known.</p>;
  return (
    <div className={styles.refusals}>
      {refusals.length === 0 ? (
        <Note tone="success" title="Nothing would have refused an automatic order." />
      ) : (
        <>
          <h3>Would have refused an automatic order</h3>
          <ul aria-label="Refusals">
            {refusals.map(({ gate, message }) => (
              <li key={`${gate} ${message}`}>{plainWords(message)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
