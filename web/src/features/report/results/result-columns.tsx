import type { BatchResult } from '@dutchbook/contract/batch-results.ts';
import { sizeWords } from '@dutchbook/contract/notes/size-words.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { LocalTime } from '../../../ui/local-time.tsx';
import { Signed } from '../../../ui/signed.tsx';
import { statusWords } from '../../../ui/status-badge.tsx';
import { BatchName } from '../../batches/batch-name.tsx';
import { delayWords } from '../../batches/delay-words.ts';
import { VenueTicker } from '../../status/venue-tags.tsx';
import type { ResultSort } from '../report-search.ts';
import { ClipsOf } from './clips-of.tsx';
import styles from './results.module.css';

export type ResultRow = BatchResult & { id: string };

type ResultColumn = Column<ResultRow, ResultSort>;

/** An amount that may be a gain or a loss. */
export function SignedUsd({ usd }: { usd: Usd }) {
  return <Signed value={usd}>{formatUsd(usd)}</Signed>;
}

/** An amount by which something cost more: more is worse, so it bears no colour of a gain. */
export function costUsd(usd: Usd): string {
  return usd > 0 ? `+${formatUsd(usd)}` : formatUsd(usd);
}

type Money = (row: ResultRow) => Usd;

function dollars(key: ResultSort, header: string, of: Money, words = formatUsd): ResultColumn {
  return { key, header, sortBy: key, align: 'end', cell: (row) => words(of(row)) };
}

function profit(key: ResultSort, header: string, of: Money): ResultColumn {
  return { key, header, sortBy: key, align: 'end', cell: (row) => <SignedUsd usd={of(row)} /> };
}

function delay(key: ResultSort, header: string, of: (row: ResultRow) => number | null): ResultColumn {
  return { key, header, sortBy: key, align: 'end', cell: (row) => delayOf(of(row)) };
}

const delayOf = (ms: number | null) => (ms === null ? '–' : delayWords(ms));

const COLUMNS: readonly ResultColumn[] = [
  {
    key: 'id',
    header: 'Batch',
    wide: true,
    cell: ({ batch_id, batch_name }) => <BatchName id={batch_id} name={batch_name} />,
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
      <span className={styles.event}>
        <span>{row.event_title}</span>
        <VenueTicker id={row.event_id} />
        <span className="hint">{whence(row)}</span>
        <span className="hint">{sizeWords(row.size, row.size_bounded_by)}</span>
        {row.clips > 1 && row.series_id !== null && <ClipsOf row={row} seriesId={row.series_id} />}
      </span>
    ),
  },
  profit('predicted_usd', 'Predicted', ({ predicted_usd }) => predicted_usd),
  profit('paid_usd', 'Paid', ({ paid_usd }) => paid_usd),
  profit('locked_usd', 'Locked', ({ locked_usd }) => locked_usd),
  dollars('at_risk_usd', 'At Risk', ({ at_risk_usd }) => at_risk_usd),
  dollars('capital_usd', 'Capital', ({ capital_usd }) => capital_usd),
  dollars('fees_usd', 'Fees', ({ fees_usd }) => fees_usd),
  dollars('slippage_usd', 'Slippage', ({ slippage_usd }) => slippage_usd, costUsd),
];

const ONLY_WHEN_SORTED: readonly ResultColumn[] = [
  { key: 'size', header: 'Size', sortBy: 'size', align: 'end', cell: ({ size }) => formatShares(size) },
  dollars('cost_usd', 'Cost', ({ cost_usd }) => cost_usd),
  dollars('moved_before_send_usd', 'Before Send', ({ moved_before_send_usd }) => moved_before_send_usd, costUsd),
  dollars('moved_in_flight_usd', 'In Flight', ({ moved_in_flight_usd }) => moved_in_flight_usd, costUsd),
  dollars('size_added_usd', 'Size We Added', ({ size_added_usd }) => size_added_usd, costUsd),
  dollars('shortfall_usd', 'Shortfall', ({ shortfall_usd }) => shortfall_usd),
  delay('books_age_ms', 'Books’ Age', ({ books_age_ms }) => books_age_ms),
  delay('sent_ms', 'Sent', ({ sent_ms }) => sent_ms),
  delay('matched_ms', 'Matched', ({ matched_ms }) => matched_ms),
  delay('confirmed_ms', 'Confirmed', ({ confirmed_ms }) => confirmed_ms),
  delay('cash_ms', 'Cash', ({ cash_ms }) => cash_ms),
];

/** What its name and its profits say on a phone without them. */
const FOLDED: ReadonlySet<string> = new Set([
  'event_title',
  'at_risk_usd',
  'capital_usd',
  'fees_usd',
  'slippage_usd',
] satisfies ResultSort[]);

/** What each batch promised and its result, and besides what the list is sorted by: the figure that leads here stands in it. */
export function resultColumns(sortBy: ResultSort): readonly ResultColumn[] {
  const shown = [...COLUMNS, ...ONLY_WHEN_SORTED.filter(({ key }) => key === sortBy)];
  return shown.map((column) => ({ ...column, folds: FOLDED.has(column.key) && column.key !== sortBy }));
}

/** Who or what placed it, and by what it was found. */
function whence({ automatic, operator, structure, source }: ResultRow): string {
  const placed = automatic ? 'Automatic' : (operator ?? 'By a deleted user');
  return [placed, ...(structure === null ? [] : [statusWords(structure)]), ...(source === null ? [] : [source])].join(
    ' · ',
  );
}
