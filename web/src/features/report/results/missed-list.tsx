import { pastWords } from '@dutchbook/contract/notes/reason-words.ts';
import { plainWords } from '@dutchbook/contract/notes/setting-labels.ts';
import { listMissed, type MissedEntry } from '@dutchbook/contract/report.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Link } from '@tanstack/react-router';
import { call } from '../../../calls/call.ts';
import { fieldsOf } from '../../../lists/filter-fields.tsx';
import { ListFilters } from '../../../lists/filter-panel.tsx';
import { type List, useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/list-frame.tsx';
import { withoutUnset } from '../../../lists/list-search.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { Moment } from '../../../ui/local-time.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { SettingLink } from '../../session/setting-link.tsx';
import { useReportFields } from '../report-fields.ts';
import { reportQueryOf } from '../report-queries.ts';
import { MISSED_FILTER, type MissedSearch, missedSearchFrom, reportFilterFrom } from '../report-search.ts';
import styles from './results.module.css';

const COLUMNS: readonly Column<MissedEntry, MissedSearch['sortBy']>[] = [
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
  { key: 'usd', header: 'Dollars Missed', sortBy: 'usd', align: 'end', cell: ({ usd }) => formatUsd(usd) },
  { key: 'at', header: 'When', sortBy: 'at', cell: ({ at }) => <Moment at={at} /> },
  {
    key: 'size',
    header: 'Size',
    sortBy: 'size',
    align: 'end',
    cell: ({ size }) => (size === null ? '–' : formatShares(size)),
  },
  {
    key: 'reason',
    header: 'Reason',
    sortBy: 'reason',
    wide: true,
    fills: true,
    cell: ({ reason, relation_id: relationId }) => (
      <span className={styles.event}>
        <span>{plainWords(pastWords(reason))}</span>
        <span className="row">
          <SettingLink message={reason} relationId={relationId} />
        </span>
      </span>
    ),
  },
];

const MISSED: List<MissedEntry, MissedSearch> = {
  name: 'missed',
  label: 'Missed',
  icon: 'report',
  searchFrom: missedSearchFrom,
  read: (page, search, signal) => call(listMissed, { query: { ...page, ...reportQueryOf(search) }, signal }),
  columns: COLUMNS,
  open: ({ opportunity_id, relation_id }, navigate) => {
    if (opportunity_id !== null)
      void navigate({ to: '/arbitrage/$opportunityId', params: { opportunityId: opportunity_id } });
    else if (relation_id !== null) void navigate({ to: '/discover/$relationId', params: { relationId: relation_id } });
  },
  empty: <EmptyState icon="report" text="Nothing that paid was left out." />,
};

const OWN_FIELDS = fieldsOf(MISSED_FILTER, ['cameTo', 'reached', 'reason']);

/** What paid and was not bought, one by one, with the whole reason. */
export function MissedList() {
  const list = useList(MISSED);
  const { search } = list;
  return (
    <>
      <PageHeader
        title="Missed Money"
        back={
          <BackLink to="/report" search={{ ...reportFilterFrom(search), tab: 'missed' }}>
            Report
          </BackLink>
        }
      />
      <ListFilters {...list} fields={[...useReportFields(search), ...OWN_FIELDS]} />
      {search.reason === undefined && <AlsoPlaced search={search} />}
      <ListFrame {...list} />
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
      <Link to="/report/batches" search={{ sortBy: 'predicted_usd', ...withoutUnset(reportFilterFrom(search)) }}>
        Results of Batches
      </Link>
    </p>
  );
}
