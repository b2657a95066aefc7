import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import { Link } from '@tanstack/react-router';
import { shortId } from '../../../ui/copyable.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { LocalTime } from '../../../ui/local-time.tsx';
import { Signed } from '../../../ui/signed.tsx';
import { statusWords } from '../../../ui/status-badge.tsx';
import { delayWords } from '../../batches/delay-words.ts';
import type { ResultRow } from '../report-queries.ts';
import type { ResultSort } from '../report-search.ts';
import styles from './results.module.css';

type ResultColumn = Column<ResultRow, ResultSort>;

/** An amount that may be a gain or a loss. */
export function SignedUsd({ usd }: { usd: Usd }) {
  return <Signed value={usd}>{formatUsd(usd)}</Signed>;
}

/** An amount by which something cost more: more is worse, so it bears no colour of a gain. */
export function costUsd(usd: Usd): string {
  return usd > 0 ? `+${formatUsd(usd)}` : formatUsd(usd);
}

function money(key: ResultSort, header: string, of: (row: ResultRow) => Usd, spare = false): ResultColumn {
  return { key, header, sortBy: key, align: 'end', spare, cell: (row) => costUsd(of(row)) };
}

function profit(key: ResultSort, header: string, of: (row: ResultRow) => Usd): ResultColumn {
  return { key, header, sortBy: key, align: 'end', cell: (row) => <SignedUsd usd={of(row)} /> };
}

function delay(key: ResultSort, header: string, of: (row: ResultRow) => number | null): ResultColumn {
  return { key, header, sortBy: key, align: 'end', spare: true, cell: (row) => delayOf(of(row)) };
}

const delayOf = (ms: number | null) => (ms === null ? '–' : delayWords(ms));

/** What each batch promised and came to. */
export const RESULT_COLUMNS: readonly ResultColumn[] = [
  {
    key: 'id',
    header: 'Batch',
    cell: ({ batch_id }) => (
      <Link to="/batches/$batchId" params={{ batchId: batch_id }} className="mono">
        {shortId(batch_id)}
      </Link>
    ),
  },
  {
    key: 'triggered_at',
    header: 'Triggered',
    sortBy: 'triggered_at',
    cell: ({ triggered_at }) => <LocalTime at={triggered_at} />,
  },
  {
    key: 'event_title',
    header: 'Event',
    sortBy: 'event_title',
    wide: true,
    cell: (row) => (
      <span className="lines">
        <span className={styles.title}>{row.event_title}</span>
        <span className="hint">{whence(row)}</span>
      </span>
    ),
  },
  { key: 'size', header: 'Size', sortBy: 'size', align: 'end', spare: true, cell: ({ size }) => formatShares(size) },
  profit('predicted_usd', 'Predicted', ({ predicted_usd }) => predicted_usd),
  profit('paid_usd', 'Paid', ({ paid_usd }) => paid_usd),
  profit('locked_usd', 'Locked', ({ locked_usd }) => locked_usd),
  {
    key: 'at_risk_usd',
    header: 'At Risk',
    sortBy: 'at_risk_usd',
    align: 'end',
    cell: ({ at_risk_usd }) => formatUsd(at_risk_usd),
  },
  {
    key: 'capital_usd',
    header: 'Capital',
    sortBy: 'capital_usd',
    align: 'end',
    cell: ({ capital_usd }) => formatUsd(capital_usd),
  },
  {
    key: 'fees_usd',
    header: 'Fees',
    sortBy: 'fees_usd',
    align: 'end',
    spare: true,
    cell: ({ fees_usd }) => formatUsd(fees_usd),
  },
  money('slippage_usd', 'Slippage', ({ slippage_usd }) => slippage_usd),
  money('moved_before_send_usd', 'Before Send', ({ moved_before_send_usd }) => moved_before_send_usd, true),
  money('moved_in_flight_usd', 'In Flight', ({ moved_in_flight_usd }) => moved_in_flight_usd, true),
  money('size_added_usd', 'Size We Added', ({ size_added_usd }) => size_added_usd, true),
  {
    key: 'shortfall_usd',
    header: 'Shortfall',
    sortBy: 'shortfall_usd',
    align: 'end',
    spare: true,
    cell: ({ shortfall_usd }) => formatUsd(shortfall_usd),
  },
  delay('sent_ms', 'Sent', ({ sent_ms }) => sent_ms),
  delay('matched_ms', 'Matched', ({ matched_ms }) => matched_ms),
  delay('confirmed_ms', 'Confirmed', ({ confirmed_ms }) => confirmed_ms),
  delay('cash_ms', 'Cash', ({ cash_ms }) => cash_ms),
];

/** Who or what placed it, and by what it was found. */
function whence({ automatic, operator, structure, source }: ResultRow): string {
  const placed = automatic ? 'Automatic' : (operator ?? 'By somebody who is gone');
  return [placed, ...(structure === null ? [] : [statusWords(structure)]), ...(source === null ? [] : [source])].join(
    ' · ',
  );
}
