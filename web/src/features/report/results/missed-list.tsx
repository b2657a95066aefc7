import { MISSED_STEPS, type MissedEntry } from '@dutchbook/contract/report.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { choicesOf, type FilterField } from '../../../lists/filter-fields.tsx';
import { FilterPanel } from '../../../lists/filter-panel.tsx';
import { ListFrame } from '../../../lists/list-frame.tsx';
import { useListPage } from '../../../lists/list-query.ts';
import { unfiltered, withoutUnset } from '../../../lists/list-search.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { Moment } from '../../../ui/local-time.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { REPORT_SEARCH_DEFAULTS, RESULT_SEARCH_DEFAULTS } from '../report-defaults.ts';
import { useReportFields } from '../report-fields.ts';
import { missedListQuery } from '../report-queries.ts';
import { type MissedFilter, type MissedSearch, missedSearchFrom, reportFilterFrom } from '../report-search.ts';
import styles from './results.module.css';

type MissedListProps = { search: MissedSearch; onSearch: (search: MissedSearch) => void };

/** What paid and was not bought, one by one, with the whole reason. */
export function MissedList({ search, onSearch }: MissedListProps) {
  const page = useListPage({
    list: 'missed',
    search,
    searchFrom: missedSearchFrom,
    onSearch,
    queryOf: missedListQuery,
  });
  const navigate = useNavigate();
  const open = ({ opportunity_id, relation_id }: MissedEntry) => {
    if (opportunity_id !== null)
      void navigate({ to: '/arbitrage/$opportunityId', params: { opportunityId: opportunity_id } });
    else if (relation_id !== null) void navigate({ to: '/discover/$relationId', params: { relationId: relation_id } });
  };
  return (
    <>
      <PageHeader
        title="Missed Money"
        back={
          <BackLink to="/report" search={{ ...REPORT_SEARCH_DEFAULTS, ...reportFilterFrom(search) }}>
            Report
          </BackLink>
        }
      />
      <MissedFilters key={JSON.stringify(search)} search={search} onSearch={onSearch} />
      {search.reason === undefined && <AlsoPlaced search={search} />}
      <ListFrame
        {...page}
        label="Missed"
        icon="report"
        columns={COLUMNS}
        useLatest={asRead}
        onOpen={open}
        empty={<EmptyState icon="report" text="Nothing that paid was left out." />}
      />
    </>
  );
}

/** What was placed reached every one of these steps, too, and not all that paid of it was bought. */
function AlsoPlaced({ search }: { search: MissedSearch }) {
  const { reached } = search;
  if (reached !== undefined && reached !== 'allowed') return null;
  return (
    <p className="row">
      <span className="hint">
        {reached === undefined
          ? 'The funnel also counts what was placed:'
          : 'The funnel also counts what batches were smaller by than what paid:'}
      </span>
      <Link
        to="/report/batches"
        search={{ ...RESULT_SEARCH_DEFAULTS, ...withoutUnset(reportFilterFrom(search)), sortBy: 'predicted_usd' }}
      >
        Results of Batches
      </Link>
    </p>
  );
}

const asRead = <Row extends MissedEntry>(row: Row): Row => row;

const COLUMNS: readonly Column<MissedEntry>[] = [
  { key: 'at', header: 'When', sortBy: 'at', cell: ({ at }) => <Moment at={at} /> },
  {
    key: 'subject',
    header: 'Event',
    sortBy: 'subject',
    wide: true,
    cell: (row) => (
      <span className={styles.event}>
        <span>{row.subject}</span>
        <span className="row">
          {row.opportunity_id !== null && (
            <Link to="/arbitrage/$opportunityId" params={{ opportunityId: row.opportunity_id }}>
              Opportunity
            </Link>
          )}
          {row.relation_id !== null && (
            <Link to="/discover/$relationId" params={{ relationId: row.relation_id }}>
              Relation
            </Link>
          )}
        </span>
      </span>
    ),
  },
  { key: 'reason', header: 'Reason', sortBy: 'reason', wide: true, cell: ({ reason }) => reason },
  {
    key: 'size',
    header: 'Size',
    sortBy: 'size',
    align: 'end',
    cell: ({ size }) => (size === null ? '–' : formatShares(size)),
  },
  { key: 'usd', header: 'Dollars Missed', sortBy: 'usd', align: 'end', cell: ({ usd }) => formatUsd(usd) },
];

const OWN_FIELDS: readonly FilterField<keyof MissedFilter>[] = [
  { name: 'cameTo', label: 'Came to', choices: choicesOf('Any step', MISSED_STEPS) },
  { name: 'reached', label: 'Last step', choices: choicesOf('Any step', MISSED_STEPS) },
  { name: 'reason', label: 'Reason', placeholder: 'Any', flex: '2 1 200px' },
];

function MissedFilters({ search, onSearch }: MissedListProps) {
  return (
    <FilterPanel
      fields={[...useReportFields(search), ...OWN_FIELDS]}
      filter={search}
      onApply={(texts) => onSearch(missedSearchFrom({ ...search, ...texts, page: 1 }))}
      onClear={() => onSearch(unfiltered(search, missedSearchFrom))}
      canReset
    />
  );
}
