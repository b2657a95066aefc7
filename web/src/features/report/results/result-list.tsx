import { exportBatchResults, listBatchResults } from '@dutchbook/contract/batch-results.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { call } from '../../../calls/call.ts';
import { ExportButton } from '../../../lists/export-button.tsx';
import { fieldsOf } from '../../../lists/filter-fields.tsx';
import { ListFilters } from '../../../lists/filter-panel.tsx';
import { type List, useList, useListSearch } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/list-frame.tsx';
import { withoutUnset } from '../../../lists/list-search.ts';
import { useTopic } from '../../../live/live.ts';
import { useReadSoon } from '../../../live/read-soon.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { useReportFields } from '../report-fields.ts';
import { isOfBatches, reportQueryOf } from '../report-queries.ts';
import { RESULT_FILTER, type ResultSearch, reportFilterFrom, resultSearchFrom } from '../report-search.ts';
import { type ResultRow, resultColumns } from './result-columns.tsx';

const RESULTS: Omit<List<ResultRow, ResultSearch>, 'columns'> = {
  name: 'results',
  label: 'Results',
  icon: 'report',
  searchFrom: resultSearchFrom,
  read: async (page, search, signal) => {
    const { series = 'one_row', ...others } = reportQueryOf(search);
    const { data, count } = await call(listBatchResults, { query: { ...page, ...others, series }, signal });
    return { data: data.map((row) => ({ ...row, id: row.batch_id })), count };
  },
  open: ({ id }, navigate) => navigate({ to: '/batches/$batchId', params: { batchId: id } }),
  empty: (
    <EmptyState
      icon="report"
      text="No batch has been placed yet."
      hint="What a batch promised and its result appear here once it has been placed."
    >
      <Button renderRoot={(props) => <Link to="/arbitrage" {...props} />}>Go to Arbitrage</Button>
    </EmptyState>
  ),
};

const OWN_FIELDS = fieldsOf(RESULT_FILTER, [
  ...(['series', 'isOpen', 'reached', 'cashDay', 'cashSince', 'cashUntil', 'lockDay', 'releaseMonth'] as const),
]);

/** A figure by size or by hour leads here narrowed to it; it is not typed in. */
const GIVEN = fieldsOf(RESULT_FILTER, ['sizeBand', 'hour']);

/** A file has every clip as a row. */
function everyClipOf(search: ResultSearch) {
  const { series: _, ...query } = reportQueryOf(search);
  return query;
}

/** The batches behind a figure of the report: one page of them. */
export function ResultList() {
  const { sortBy } = useListSearch(resultSearchFrom).search;
  const list = useList({ ...RESULTS, columns: useMemo(() => resultColumns(sortBy), [sortBy]) });
  const { search } = list;
  useTopic('batches');
  useReadSoon(isOfBatches, list.refresh);
  const given = GIVEN.filter(({ name }) => search[name] !== undefined);
  return (
    <>
      <PageHeader
        title="Results of Batches"
        back={
          <BackLink
            to="/report"
            search={reportFilterFrom({ since: search.cashSince, until: search.cashUntil, ...withoutUnset(search) })}
          >
            Report
          </BackLink>
        }
        actions={<ExportButton what="results" ask={() => call(exportBatchResults, { query: everyClipOf(search) })} />}
      />
      <ListFilters {...list} fields={[...useReportFields(search), ...OWN_FIELDS, ...given]} />
      <ListFrame {...list} />
    </>
  );
}
