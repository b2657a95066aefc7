import { exportBatchResults } from '@dutchbook/contract/batch-results.ts';
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { call } from '../../../calls/call.ts';
import { ExportButton } from '../../../lists/export-button.tsx';
import { choicesOf, type FilterField, flagChoices } from '../../../lists/filter-fields.tsx';
import { FilterPanel } from '../../../lists/filter-panel.tsx';
import { ListFrame } from '../../../lists/list-frame.tsx';
import { useListPage } from '../../../lists/list-query.ts';
import { unfiltered } from '../../../lists/list-search.ts';
import { useTopic } from '../../../live/live.ts';
import { useReadSoon } from '../../../live/read-soon.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { REPORT_SEARCH_DEFAULTS } from '../report-defaults.ts';
import { useReportFields } from '../report-fields.ts';
import { isOfBatches, type ResultRow, resultListQuery, resultQueryOf } from '../report-queries.ts';
import { type ResultFilter, type ResultSearch, reportFilterFrom, resultSearchFrom, STEPS } from '../report-search.ts';
import { resultColumns } from './result-columns.tsx';

type ResultListProps = { search: ResultSearch; onSearch: (search: ResultSearch) => void };

/** The batches behind a figure of the report: one page of them. */
export function ResultList({ search, onSearch }: ResultListProps) {
  useTopic('batches');
  const page = useListPage({
    list: 'results',
    search,
    searchFrom: resultSearchFrom,
    onSearch,
    queryOf: resultListQuery,
  });
  useReadSoon(isOfBatches, page.refresh);
  const navigate = useNavigate();
  const { sortBy } = search;
  const columns = useMemo(() => resultColumns(sortBy), [sortBy]);
  return (
    <>
      <PageHeader
        title="Results of Batches"
        back={
          <BackLink to="/report" search={{ ...REPORT_SEARCH_DEFAULTS, ...reportFilterFrom(search) }}>
            Report
          </BackLink>
        }
        actions={<ExportButton what="results" ask={exportFound} asked={search} />}
      />
      <ResultFilters key={JSON.stringify(search)} search={search} onSearch={onSearch} />
      <ListFrame
        {...page}
        label="Results"
        icon="report"
        columns={columns}
        useLatest={asRead}
        onOpen={({ id }) => navigate({ to: '/batches/$batchId', params: { batchId: id } })}
        empty={
          <EmptyState
            icon="report"
            text="No batch has been placed yet."
            hint="What a batch promised and its result appear here once it has been placed."
          >
            <Button renderRoot={(props) => <Link to="/arbitrage" {...props} />}>Go to Arbitrage</Button>
          </EmptyState>
        }
      />
    </>
  );
}

const asRead = <Row extends ResultRow>(row: Row): Row => row;

function exportFound(search: ResultSearch): Promise<string> {
  return call(exportBatchResults, { query: resultQueryOf(search) });
}

const OWN_FIELDS: readonly FilterField<keyof ResultFilter>[] = [
  { name: 'isOpen', label: 'Capital', choices: flagChoices('Any', 'Still bound', 'All of it is cash') },
  { name: 'reached', label: 'Came to', choices: choicesOf('Any step', STEPS) },
  { name: 'cashDay', label: 'Day of cash', type: 'date', flex: '0 1 140px' },
  { name: 'lockDay', label: 'Day of lock', type: 'date', flex: '0 1 140px' },
  { name: 'releaseMonth', label: 'Release month', placeholder: '2026-01', refusal: refuseNoMonth },
];

function refuseNoMonth(text: string): string | undefined {
  return /^(\d{4}-\d{2}|unknown)$/.test(text) ? undefined : 'Enter a month, like 2026-01, or unknown';
}

function ResultFilters({ search, onSearch }: ResultListProps) {
  const fields = useReportFields(search);
  const { sizeBand, hour } = search;
  // A figure by size or by hour leads here narrowed to it; it is not typed in.
  const given: FilterField<keyof ResultFilter>[] = [
    ...(sizeBand === undefined ? [] : [{ name: 'sizeBand' as const, label: 'Size of leg' }]),
    ...(hour === undefined ? [] : [{ name: 'hour' as const, label: 'Hour of day' }]),
  ];
  return (
    <FilterPanel
      fields={[...fields, ...OWN_FIELDS, ...given]}
      filter={search}
      onApply={(texts) => onSearch(resultSearchFrom({ ...search, ...texts, page: 1 }))}
      onClear={() => onSearch(unfiltered(search, resultSearchFrom))}
      canReset
    />
  );
}
