import type { Change } from '@dutchbook/contract/stream.ts';
import { LEDGER_ACCOUNTS, LEDGER_KINDS } from '@dutchbook/units/ledger-kinds.ts';
import { useNavigate } from '@tanstack/react-router';
import type { FilterField } from '../../lists/filter-fields.tsx';
import { refusePartOfId } from '../../lists/filter-fields.tsx';
import { FilterPanel } from '../../lists/filter-panel.tsx';
import { ListFrame } from '../../lists/list-frame.tsx';
import { useListPage } from '../../lists/list-query.ts';
import { unfiltered } from '../../lists/list-search.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { BalancesPanel } from './balances-panel.tsx';
import { ExportsPanel } from './exports-panel.tsx';
import styles from './ledger.module.css';
import { LedgerActions } from './ledger-actions.tsx';
import { LEDGER_COLUMNS } from './ledger-columns.tsx';
import { type EntryRow, ledgerListQuery } from './ledger-queries.ts';
import { type LedgerFilter, type LedgerSearch, ledgerSearchFrom } from './ledger-search.ts';
import { ACCOUNT_WORDS, KIND_WORDS } from './ledger-words.ts';

type LedgerPageProps = { search: LedgerSearch; onSearch: (search: LedgerSearch) => void };

/** Every cent and every share that moved, by its cause, and whether the venue has the same. */
export function LedgerPage({ search, onSearch }: LedgerPageProps) {
  useTopic('batches');
  useTopic('chain');
  const page = useListPage({
    list: 'entries',
    search,
    searchFrom: ledgerSearchFrom,
    onSearch,
    queryOf: ledgerListQuery,
  });
  useReadSoon(isOfMoney, page.refresh);
  const navigate = useNavigate();
  const open = ({ batch_id, submission_id }: EntryRow) => {
    if (batch_id !== null) void navigate({ to: '/batches/$batchId', params: { batchId: batch_id } });
    else if (submission_id !== null)
      void navigate({ to: '/submissions/$submissionId', params: { submissionId: submission_id } });
  };
  return (
    <>
      <PageHeader title="Ledger" actions={<LedgerActions />} />
      <div className="stack">
        <BalancesPanel />
        <ExportsPanel filter={search} />
        <div>
          <LedgerFilters key={JSON.stringify(search)} search={search} onSearch={onSearch} />
          <ListFrame
            {...page}
            label="Entries"
            icon="ledger"
            columns={LEDGER_COLUMNS}
            useLatest={asRead}
            onOpen={open}
            empty={
              <EmptyState
                icon="ledger"
                text="Nothing has moved yet."
                hint="An entry appears here with every fill, with every call to the chain, and with what comes in or goes out."
              />
            }
          />
        </div>
      </div>
    </>
  );
}

const asRead = <Row extends EntryRow>(row: Row): Row => row;

/** What money moves with. */
function isOfMoney({ type }: Change): boolean {
  return type === 'batch' || type === 'order' || type === 'chain_submission';
}

function choicesIn<Value extends string>(all: string, values: readonly Value[], words: Record<Value, string>) {
  return [{ value: '', label: all }, ...values.map((value) => ({ value, label: words[value] }))];
}

const FIELDS: readonly FilterField<keyof LedgerFilter>[] = [
  { name: 'kind', label: 'Kind', choices: choicesIn('All kinds', LEDGER_KINDS, KIND_WORDS) },
  { name: 'account', label: 'Account', choices: choicesIn('All accounts', LEDGER_ACCOUNTS, ACCOUNT_WORDS) },
  { name: 'unit', label: 'Unit', placeholder: 'usd, pol or a token ID', flex: '1 1 150px' },
  { name: 'batchId', label: 'Batch ID', flex: '1 1 150px', refusal: refusePartOfId },
  { name: 'submissionId', label: 'Submission ID', flex: '1 1 150px', refusal: refusePartOfId },
  { name: 'since', label: 'From day (UTC)', type: 'date', flex: '0 1 150px' },
  { name: 'until', label: 'Until day (UTC)', type: 'date', flex: '0 1 150px' },
];

function LedgerFilters({ search, onSearch }: LedgerPageProps) {
  return (
    <div className={styles.filters}>
      <FilterPanel
        fields={FIELDS}
        filter={search}
        onApply={(texts) => onSearch(ledgerSearchFrom({ ...search, ...texts, page: 1 }))}
        onClear={() => onSearch(unfiltered(search, ledgerSearchFrom))}
        canReset
      />
    </div>
  );
}
