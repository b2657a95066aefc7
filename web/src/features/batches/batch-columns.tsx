import type { Batch, ListedBatch } from '@dutchbook/contract/batches.ts';
import { sizeWords } from '@dutchbook/contract/notes/size-words.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Link } from '@tanstack/react-router';
import { NameCell } from '../../lists/name-cell.tsx';
import { nameParts } from '../../lists/name-parts.ts';
import { Selectable } from '../../lists/selection.tsx';
import type { Read } from '../../live/fresher.ts';
import { CopiedId, copyText, shortId } from '../../ui/copyable.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Moment } from '../../ui/local-time.tsx';
import type { MenuEntry } from '../../ui/menu-items.tsx';
import { Beneath } from '../../ui/panel.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { TagsOf } from '../status/venue-tags.tsx';
import { useRetryBatch } from './batch-actions.ts';
import styles from './batch-columns.module.css';
import { batchInfoText } from './batch-info-text.ts';
import type { BatchSearch } from './batch-search.ts';
import { BatchesBehind, isSum, newestIdOf, StatusCounts, SummedProfit, SumsMenu } from './batch-sums.tsx';
import { ActualProfit, BatchStatusBadge, EndingBadges, ExecutionTime } from './batch-values.tsx';
import { isLastAllowed, LAST_ALLOWED } from './series/series-words.ts';

/** The columns of the list; `onCancel` gets the batch that a row's menu wants to stop. */
export function batchColumns(
  onCancel: (batch: Read<ListedBatch>) => void,
): readonly Column<Read<ListedBatch>, BatchSearch['sortBy']>[] {
  return [
    {
      key: 'opportunity',
      header: 'Opportunity ID',
      sortBy: 'opportunity_id',
      wide: true,
      fills: true,
      cell: (row) =>
        isSum(row) ? (
          <OpportunityOf row={row} />
        ) : (
          <Selectable row={row}>
            <OpportunityOf row={row} />
          </Selectable>
        ),
    },
    {
      key: 'created',
      header: 'Created',
      sortBy: 'created_at',
      cell: (row) => <Moment at={row.created_at} />,
    },
    {
      key: 'status',
      header: 'Status',
      sortBy: 'status',
      cell: (row) => (isSum(row) ? <StatusCounts of={row} /> : <BatchState of={row} />),
    },
    ...PROFITS,
    {
      key: 'orders',
      header: 'Orders',
      sortBy: 'total_orders',
      align: 'end',
      folds: true,
      cell: (row) => `${sumsOr(row).total_orders}/${sumsOr(row).expected_orders}`,
    },
    {
      key: 'retries',
      header: 'Retries',
      sortBy: 'retry_count',
      align: 'end',
      folds: true,
      cell: (row) => (isSum(row) ? row.folded.retry_count : `${row.retry_count}/${row.max_retries}`),
    },
    {
      key: 'time',
      header: 'Execution Time',
      align: 'end',
      folds: true,
      cell: (row) => (
        <>
          <ExecutionTime of={row} />
          <OfNewest of={row} />
        </>
      ),
    },
    {
      key: 'id',
      header: 'ID',
      sortBy: 'id',
      folds: true,
      cell: (row) => (
        <>
          <Link to="/batches/$batchId" params={{ batchId: newestIdOf(row) }} title={newestIdOf(row)} className="mono">
            {shortId(newestIdOf(row))}
          </Link>
          <OfNewest of={row} />
        </>
      ),
    },
    {
      key: 'actions',
      header: 'Actions',
      align: 'end',
      cell: (row) => (isSum(row) ? <SumsMenu of={row} /> : <BatchRowMenu batch={row} onCancel={() => onCancel(row)} />),
    },
  ];
}

/** Beside what has no sum, on a row that stands for others. */
function OfNewest({ of: row }: { of: ListedBatch }) {
  return isSum(row) && <Beneath>newest</Beneath>;
}

/** What a row sums up, or its batch alone. */
function sumsOr(row: ListedBatch): Pick<ListedBatch, 'total_orders' | 'expected_orders' | 'target_profit_usd'> {
  return isSum(row) ? row.folded : row;
}

const PROFITS: readonly Column<Read<ListedBatch>, BatchSearch['sortBy']>[] = [
  {
    key: 'actual',
    header: 'Actual Profit',
    sortBy: 'actual_profit_usd',
    align: 'end',
    cell: (row) => (isSum(row) ? <SummedProfit of={row} /> : <ActualProfit of={row} />),
  },
  {
    key: 'target',
    header: 'Target Profit',
    sortBy: 'target_profit_usd',
    align: 'end',
    folds: true,
    cell: (row) => formatUsd(sumsOr(row).target_profit_usd),
  },
];

/** What its opportunity was called, beneath it which clip it is, and how large; of a batch without a name the id alone. */
function OpportunityOf({ row }: { row: Read<ListedBatch> }) {
  const { name, opportunity_id: id, venues } = row;
  const linkTo = (text: string, isId = false) => (
    <Link to="/arbitrage/$opportunityId" params={{ opportunityId: id }} {...(isId && { title: id, className: 'mono' })}>
      {text}
    </Link>
  );
  const last = isSum(row) ? <BatchesBehind of={row} /> : boundOf(row);
  if (name === null)
    return (
      <span>
        {linkTo(shortId(id), true)} <TagsOf venues={venues} /> {!isSum(row) && <ClipOf row={row} />}
        {last && <Beneath>{last}</Beneath>}
      </span>
    );
  const { about, kind } = nameParts(name);
  return (
    <NameCell about={about} link={linkTo(about)} last={last}>
      {!isSum(row) && <ClipOf row={row} />}
      <TagsOf venues={venues} />
      <span>{kind}</span>
      <CopiedId id={id} what="Opportunity ID" />
    </NameCell>
  );
}

const EXPOSED = 'Unhedged: shares of some positions are held without the others.';

function BatchState({ of: batch }: { of: Batch }) {
  const isExposed = batch.unhedged !== null && !batch.simulated && batch.status !== 'sold';
  return (
    <span className={styles.state}>
      <BatchStatusBadge of={batch} />
      {isExposed && (
        <span role="img" aria-label="Unhedged" title={EXPOSED} className={styles.exposed}>
          <Icon name="alert" size={16} />
        </span>
      )}
      <EndingBadges of={batch} />
    </span>
  );
}

type BatchRowMenuProps = { batch: Batch; onCancel: () => void };

function BatchRowMenu({ batch, onCancel }: BatchRowMenuProps) {
  const { id, can_retry, is_active } = batch;
  const retry = useRetryBatch();
  const entries: MenuEntry[] = [
    {
      label: 'View Details',
      icon: 'eye',
      link: (props) => <Link to="/batches/$batchId" params={{ batchId: id }} preload={false} {...props} />,
    },
  ];
  if (can_retry)
    entries.push({ label: 'Retry Batch', icon: 'refresh', onChoose: () => retry.start(id), changes: true });
  if (is_active) entries.push(cancelEntry(batch, onCancel));
  entries.push({
    label: 'Copy Batch Info',
    icon: 'copy',
    onChoose: () => copyText(batchInfoText(batch), 'Batch info'),
  });
  return <RowMenu of={shortId(id)} busy={retry.isPending} entries={entries} />;
}

function cancelEntry(batch: Batch, onCancel: () => void): MenuEntry {
  if (batch.cancel_requested) return { label: 'Canceling…', icon: 'stop', tone: 'muted', disabled: true };
  return { label: 'Cancel Batch', icon: 'stop', tone: 'danger', onChoose: onCancel, changes: true };
}

/** Size and bound of a clip, and whether another may have followed. */
function boundOf(row: Read<Batch>): string | undefined {
  const { series_id: seriesId, order_size: size, size_bounded_by: bound } = row;
  if (seriesId === null || bound === null) return undefined;
  return `${sizeWords(size, bound)}${isLastAllowed(row) ? `; ${LAST_ALLOWED}` : ''}`;
}

/** Which clip of its series it is, which leads to it; a later one leads to the first too. */
function ClipOf({ row }: { row: Read<Batch> }) {
  const { id, series_id: first, clip_number: number } = row;
  if (first === null || number === null) return null;
  return (
    <span className={styles.clip}>
      <Link to="/batches/$batchId" params={{ batchId: id }} title={id} className={styles.first}>
        Clip {number}
      </Link>
      {number > 1 && (
        <>
          {', after '}
          <Link to="/batches/$batchId" params={{ batchId: first }} title={first} className={styles.first}>
            clip 1
          </Link>
        </>
      )}
    </span>
  );
}
