import type { Batch } from '@dutchbook/contract/batches.ts';
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
import { ActualProfit, BatchStatusBadge, EndingBadges, ExecutionTime } from './batch-values.tsx';
import { OtherClips } from './series/other-clips.tsx';
import { isLastAllowed, LAST_ALLOWED } from './series/series-words.ts';

/** The columns of the list; `onCancel` gets the batch that a row's menu wants to stop. */
export function batchColumns(
  onCancel: (batch: Read<Batch>) => void,
): readonly Column<Read<Batch>, BatchSearch['sortBy']>[] {
  return [
    {
      key: 'id',
      header: 'ID',
      sortBy: 'id',
      cell: (row) => (
        <Selectable row={row}>
          <span className="stacked">
            <Link to="/batches/$batchId" params={{ batchId: row.id }} title={row.id} className="mono">
              {shortId(row.id)}
            </Link>
            <ClipOf row={row} />
          </span>
        </Selectable>
      ),
    },
    { key: 'created', header: 'Created', sortBy: 'created_at', cell: (row) => <Moment at={row.created_at} /> },
    {
      key: 'opportunity',
      header: 'Opportunity ID',
      sortBy: 'opportunity_id',
      wide: true,
      fills: true,
      cell: (row) => <OpportunityOf row={row} />,
    },
    { key: 'status', header: 'Status', sortBy: 'status', cell: (row) => <BatchState of={row} /> },
    {
      key: 'orders',
      header: 'Orders',
      sortBy: 'total_orders',
      align: 'end',
      folds: true,
      cell: (row) => `${row.total_orders}/${row.expected_orders}`,
    },
    ...PROFITS,
    {
      key: 'retries',
      header: 'Retries',
      sortBy: 'retry_count',
      align: 'end',
      folds: true,
      cell: (row) => `${row.retry_count}/${row.max_retries}`,
    },
    { key: 'time', header: 'Execution Time', align: 'end', folds: true, cell: (row) => <ExecutionTime of={row} /> },
    {
      key: 'actions',
      header: 'Actions',
      align: 'end',
      cell: (row) => <BatchRowMenu batch={row} onCancel={() => onCancel(row)} />,
    },
  ];
}

const PROFITS: readonly Column<Read<Batch>, BatchSearch['sortBy']>[] = [
  {
    key: 'target',
    header: 'Target Profit',
    sortBy: 'target_profit_usd',
    align: 'end',
    cell: (row) => formatUsd(row.target_profit_usd),
  },
  {
    key: 'actual',
    header: 'Actual Profit',
    sortBy: 'actual_profit_usd',
    align: 'end',
    cell: (row) => <ActualProfit of={row} />,
  },
];

/** What its opportunity was called, and its id beneath; of a batch without a name the id alone. */
function OpportunityOf({ row }: { row: Read<Batch> }) {
  const { name, opportunity_id: id, venues } = row;
  const linkTo = (text: string, isId = false) => (
    <Link to="/arbitrage/$opportunityId" params={{ opportunityId: id }} {...(isId && { title: id, className: 'mono' })}>
      {text}
    </Link>
  );
  const bound = boundOf(row);
  if (name === null)
    return (
      <>
        {linkTo(shortId(id), true)} <TagsOf venues={venues} />
        {bound && <Beneath>{bound}</Beneath>}
      </>
    );
  const { about, kind } = nameParts(name);
  return (
    <NameCell about={about} link={linkTo(about)} last={bound}>
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

/** Of a clip, how large it is and what bounded that. */
function boundOf({ series_id, order_size: size, size_bounded_by: bound }: Read<Batch>): string | undefined {
  return series_id === null || bound === null ? undefined : sizeWords(size, bound);
}

/** Which clip of its series it is; the first one opens into the others, a later one leads to it. */
function ClipOf({ row }: { row: Read<Batch> }) {
  const { id, series_id: first, clip_number: number } = row;
  if (first === null || number === null) return null;
  return (
    <>
      <Beneath>
        Clip {number}
        {isLastAllowed(row) && `, ${LAST_ALLOWED}`}
        {number > 1 && (
          <>
            {', after '}
            <Link to="/batches/$batchId" params={{ batchId: first }} title={first} className={styles.first}>
              clip 1
            </Link>
          </>
        )}
      </Beneath>
      {first === id && <OtherClips seriesId={first} />}
    </>
  );
}
