import type { Change } from '@dutchbook/contract/stream.ts';
import { fieldsOf } from '../../lists/filter-fields.tsx';
import { ListFilters } from '../../lists/filter-panel.tsx';
import { type List, useList } from '../../lists/list.ts';
import { ListFrame } from '../../lists/list-frame.tsx';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { StartOverLine } from '../runs/start-over-line.tsx';
import { useFieldsByVenue } from '../status/system-status.ts';
import { BalancesPanel } from './balances-panel.tsx';
import { ExportsPanel } from './exports-panel.tsx';
import styles from './ledger.module.css';
import { LedgerActions } from './ledger-actions.tsx';
import { LEDGER_COLUMNS } from './ledger-columns.tsx';
import { type EntryRow, readEntries } from './ledger-queries.ts';
import { LEDGER_FILTER, type LedgerSearch, ledgerSearchFrom } from './ledger-search.ts';

const ENTRIES: List<EntryRow, LedgerSearch> = {
  name: 'entries',
  label: 'Entries',
  icon: 'ledger',
  searchFrom: ledgerSearchFrom,
  read: readEntries,
  columns: LEDGER_COLUMNS,
  open: ({ batch_id, submission_id }, navigate) => {
    if (batch_id !== null) void navigate({ to: '/batches/$batchId', params: { batchId: batch_id } });
    else if (submission_id !== null)
      void navigate({ to: '/submissions/$submissionId', params: { submissionId: submission_id } });
  },
  empty: (
    <EmptyState
      icon="ledger"
      text="Nothing has moved yet."
      hint="An entry appears here with every fill, with every call to the chain, and with what comes in or goes out."
    />
  ),
};

const FIELDS = fieldsOf(LEDGER_FILTER);

/** Every cent and every share that moved, by its cause, and whether the venue has the same. */
export function LedgerPage() {
  const list = useList(ENTRIES);
  const fields = useFieldsByVenue(FIELDS);
  useTopic('batches');
  useTopic('chain');
  useReadSoon(isOfMoney, list.refresh);
  return (
    <>
      <PageHeader title="Ledger" actions={<LedgerActions />} />
      <div className="stack">
        <StartOverLine />
        <BalancesPanel />
        <ExportsPanel filter={list.search} />
        <div>
          <div className={styles.filters}>
            <ListFilters {...list} fields={fields} />
          </div>
          <ListFrame {...list} />
        </div>
      </div>
    </>
  );
}

/** What money moves with. */
function isOfMoney({ type }: Change): boolean {
  return type === 'batch' || type === 'order' || type === 'chain_submission';
}
