import type { Holding } from '@dutchbook/contract/portfolio.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares, LEAST_SIZE } from '@dutchbook/units/shares.ts';
import { formatUsd, subtractUsd, USD_ZERO } from '@dutchbook/units/usd.ts';
import { Link } from '@tanstack/react-router';
import { shortId } from '../../ui/copyable.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { RedeemButton } from '../chain-steps/conversion-buttons.tsx';
import { VenueTicker } from '../status/venue-tags.tsx';
import { Gain, gainPercent } from './gain.tsx';
import styles from './holding-columns.module.css';
import {
  type HoldingRow,
  isExternal,
  isMissing,
  isOurs,
  redeemedUsd,
  type Standing,
  standingOf,
} from './holding-groups.ts';
import type { RenderSell } from './render-sell.ts';

type HoldingColumn = Column<HoldingRow>;

const MARKET: HoldingColumn = { key: 'market', header: 'Market', wide: true, cell: (row) => <MarketCell of={row} /> };
const OUTCOME: HoldingColumn = { key: 'outcome', header: 'Outcome', cell: ({ outcome }) => <strong>{outcome}</strong> };
const SHARES: HoldingColumn = {
  key: 'shares',
  header: 'Shares',
  align: 'end',
  cell: (row) => formatShares(isOurs(row) ? row.shares : row.external_shares),
};
const AVERAGE: HoldingColumn = {
  key: 'average',
  header: 'Average Cost',
  align: 'end',
  cell: ({ average_cost }) => (average_cost === null ? '–' : formatPrice(average_cost)),
};
const COST: HoldingColumn = {
  key: 'cost',
  header: 'Cost',
  align: 'end',
  cell: (row) => (isOurs(row) ? formatUsd(row.cost_usd) : '–'),
};
const GAIN = { key: 'gain', align: 'end', cell: (row: HoldingRow) => <GainCell of={row} /> } as const;
const UNREALISED: HoldingColumn = { ...GAIN, header: 'Unrealised' };
const RESULT: HoldingColumn = { ...GAIN, header: 'Result' };
const LOST_RESULT: HoldingColumn = { ...RESULT, cell: (row) => <LostCell of={row} /> };

/** Columns of open holdings, each with its sell button. */
export const heldColumns = (renderSell: RenderSell): readonly HoldingColumn[] => [
  MARKET,
  OUTCOME,
  SHARES,
  AVERAGE,
  {
    key: 'bid',
    header: 'Bid',
    align: 'end',
    cell: ({ best_bid }) =>
      best_bid === null ? (
        <span className="muted">no price</span>
      ) : (
        <LiveNumber value={best_bid}>{formatPrice(best_bid)}</LiveNumber>
      ),
  },
  { key: 'value', header: 'Value', align: 'end', cell: (row) => <ValueCell of={row} /> },
  UNREALISED,
  {
    key: 'sell',
    header: 'Actions',
    align: 'end',
    wide: true,
    cell: (row) => isOurs(row) && renderSell(`${row.outcome} of ${row.market_name}`, [row], 'row'),
  },
];

/** Columns of resolved holdings that pay. */
export const REDEEMABLE_COLUMNS: readonly HoldingColumn[] = [
  MARKET,
  OUTCOME,
  SHARES,
  AVERAGE,
  {
    key: 'pays',
    header: 'A Share Pays',
    align: 'end',
    cell: ({ resolved_value }) => resolved_value !== null && formatPrice(resolved_value),
  },
  { key: 'redeemed', header: 'Pays', align: 'end', cell: (row) => formatUsd(redeemedUsd(row)) },
  RESULT,
  {
    key: 'redeem',
    header: 'Actions',
    align: 'end',
    wide: true,
    cell: ({ market_id, market_name }) => <RedeemButton market={{ id: market_id, name: market_name }} />,
  },
];

/** Columns of resolved holdings that pay nothing. */
export const LOST_COLUMNS: readonly HoldingColumn[] = [
  MARKET,
  OUTCOME,
  SHARES,
  { key: 'set', header: 'Belongs To', wide: true, cell: (row) => <BelongsTo of={row} /> },
  AVERAGE,
  COST,
  LOST_RESULT,
];

/** Of a whole set some legs lose as a rule; once the others are paid, the batch alone knows what they brought. */
function BelongsTo({ of: { shares, set_shares: inSets, batch_ids, batch_names } }: { of: HoldingRow }) {
  const [batchId] = batch_ids;
  if (batchId === undefined) return 'Bought elsewhere';
  const batch = batch_names[0] ?? shortId(batchId);
  if (inSets < LEAST_SIZE) return `Leg of ${batch}: its other legs were paid, sold or never bought, as the batch says`;
  const part = shares - inSets < LEAST_SIZE ? 'Leg' : `${formatShares(inSets)} sh: leg`;
  return `${part} of a whole set of ${batch}, of which another leg pays`;
}

const BATCHES_SHOWN = 3;

function MarketCell({ of: row }: { of: Holding }) {
  const orders = { marketId: row.market_id };
  return (
    <span className="lines">
      <Link to="/orders" search={orders} title="The orders of this market">
        {row.market_name}
      </Link>
      <VenueTicker id={row.market_id} />
      <Batches of={row} />
      <Remarks of={row} />
    </span>
  );
}

function Batches({ of: { batch_ids, batch_names, market_id } }: { of: Holding }) {
  // Clips of a series are of one name.
  const byName = new Map(batch_ids.map((id, place) => [batch_names[place] ?? shortId(id), id]));
  const shown = [...byName].slice(0, BATCHES_SHOWN);
  if (shown.length === 0) return null;
  return (
    <span className={`hint ${styles.line}`}>
      {batch_ids.length === 1 ? 'Batch' : 'Batches'}
      {shown.map(([name, batchId]) => (
        <Link key={batchId} to="/batches/$batchId" params={{ batchId }} title={batchId}>
          {name}
        </Link>
      ))}
      {batch_ids.length > shown.length && (
        <Link to="/orders" search={{ marketId: market_id, side: 'buy' }}>
          {formatCount(batch_ids.length - shown.length)} more
        </Link>
      )}
    </span>
  );
}

/** What the number of shares does not say. */
function Remarks({ of: row }: { of: Holding }) {
  const { settling_shares, in_sale_shares, venue_shares, external_shares, announced_value } = row;
  return (
    <>
      {announced_value !== null && <span className="hint">to pay {formatPrice(announced_value)}, not final yet</span>}
      {settling_shares > 0 && <span className="hint">{formatShares(settling_shares)} settling</span>}
      {in_sale_shares > 0 && (
        <Link to="/orders" search={{ marketId: row.market_id, side: 'sell' }} className="hint">
          {formatShares(in_sale_shares)} in a sale
        </Link>
      )}
      {isExternal(row) && (
        <span className={`hint ${styles.line}`}>
          <StatusBadge tone="pending">
            {isOurs(row) ? `${formatShares(external_shares)} not ours` : 'Not ours'}
          </StatusBadge>
          bought elsewhere; the venue says {formatShares(venue_shares ?? external_shares)}
        </span>
      )}
      {isMissing(row) && venue_shares !== null && (
        <span className={`hint ${styles.line}`}>
          <StatusBadge tone="error">Missing</StatusBadge>
          the venue has {formatShares(venue_shares)}
        </span>
      )}
    </>
  );
}

function ValueCell({ of: row }: { of: Holding }) {
  if (!isOurs(row)) return '–';
  if (row.value_usd === null) return <span className="muted">not known</span>;
  return (
    <LiveNumber value={row.value_usd} arrow="none">
      {formatUsd(row.value_usd)}
    </LiveNumber>
  );
}

function GainCell({ of: row }: { of: Holding }) {
  if (!isOurs(row)) return '–';
  const standing = row.resolved_value === null ? standingOf([row]) : null;
  if (standing !== null && !('gain' in standing))
    return (
      <span className="muted" title={WHY_NO_GAIN[standing.kind]}>
        {WITHOUT_GAIN[standing.kind]}
      </span>
    );
  const gain = standing === null ? (row.unrealised_usd ?? USD_ZERO) : standing.gain;
  return (
    <span className={styles.gain}>
      <Gain usd={gain} />
      <span className="aside">{gainPercent(gain, row.cost_usd)}</span>
    </span>
  );
}

/** Of a leg without a colour: its batch alone knows whether the set as a whole made or lost money. */
function LostCell({ of: row }: { of: HoldingRow }) {
  if (row.batch_ids.length === 0 || !isOurs(row)) return <GainCell of={row} />;
  return <span className="muted">{formatUsd(subtractUsd(USD_ZERO, row.cost_usd))}</span>;
}

type WithoutGain = Exclude<Standing, { gain: unknown }>['kind'];

/** What stands in place of a gain or a loss. */
export const WITHOUT_GAIN: Record<WithoutGain, string> = {
  buying: 'being bought',
  in_sets: 'in whole sets',
  unpriced: 'not known',
};

export const WHY_NO_GAIN: Record<WithoutGain, string> = {
  buying: 'A batch still buys the rest of the set',
  in_sets: 'The batch it was bought by holds the whole set, which pays more than it cost; the batch says how much',
  unpriced: 'No fresh price is known',
};
