import type { SortOrder } from '@dutchbook/contract/listing.ts';
import { NativeSelect } from '@mantine/core';
import { type ReactNode, useCallback, useMemo } from 'react';
import { errorText } from '../calls/api-error.ts';
import type { Read, ReadPage } from '../live/fresher.ts';
import type { Column } from '../ui/data-table.tsx';
import { Pager } from '../ui/pager.tsx';
import { ErrorBar } from '../ui/states.tsx';
import { useInSlices } from '../ui/use-in-slices.ts';
import { usePageThatExists } from '../ui/use-page-that-exists.ts';
import { changeListSettings, type ListName, PAGE_SIZES, useListSettings } from './list-settings.ts';
import { LiveTable } from './live-table.tsx';
import { type BulkAction, SelectionBar, SelectionScope, useSelection } from './selection.tsx';

type Listed = { page: number; sortBy: string; sortOrder: SortOrder };

type ListFrameProps<Row, Search extends Listed> = {
  list: ListName;
  /** What the table is called. */
  label: string;
  /** What its rows are called: "batches". */
  things: string;
  query: {
    data: ReadPage<Row> | undefined;
    error: Error | null;
    isPlaceholderData: boolean;
    isFetching: boolean;
    dataUpdatedAt: number;
  };
  /** Reads the list again. */
  refresh: () => unknown;
  columns: readonly Column<Read<Row>>[];
  search: Search;
  onSearch: (search: Search) => void;
  useLatest: (row: Read<Row>, isNear: boolean) => Read<Row>;
  onOpen: (row: Read<Row>) => void;
  /** What stands in place of a table without rows. */
  empty: ReactNode;
  actions: readonly BulkAction<Read<Row>>[];
  /** How often somebody here has asked for another order, which then shows at once. */
  ownChanges?: number;
  /** What stands above the rows, and is about those that are shown. */
  above?: (shown: readonly Read<Row>[]) => ReactNode;
};

/** One page of a list, in whichever state it is: on its way, failed, without rows, or a live table with its pager. */
export function ListFrame<Row extends { id: string }, Search extends Listed>(props: ListFrameProps<Row, Search>) {
  const { list, things, search, onSearch, refresh } = props;
  const { data, error, isPlaceholderData, isFetching } = props.query;
  const { pageSize, hidden } = useListSettings(list);
  const rows = useInSlices(data?.data);
  const toPage = useCallback((page: number) => onSearch({ ...search, page }), [search, onSearch]);
  usePageThatExists({ page: search.page, pageSize, count: data?.count, onPage: toPage });
  const columns = useMemo(() => props.columns.filter(({ key }) => !hidden.includes(key)), [props.columns, hidden]);
  const { selected, select, selection } = useSelection<Read<Row>>(JSON.stringify(search));
  const choosePageSize = (chosen: number) => {
    changeListSettings(list, { pageSize: chosen });
    // The first row that is shown stays on the page.
    toPage(Math.floor(((search.page - 1) * pageSize) / chosen) + 1);
  };
  return (
    <>
      {error && (
        <ErrorBar text={`Error loading ${things}: ${errorText(error)}`} onRetry={refresh} retrying={isFetching} />
      )}
      {data?.count === 0 && props.empty}
      {data?.count !== 0 && (data !== undefined || error === null) && (
        <SelectionScope selection={selection}>
          <LiveTable
            label={props.label}
            columns={columns}
            rows={rows}
            readAt={props.query.dataUpdatedAt}
            pageSize={pageSize}
            busy={isPlaceholderData}
            search={search}
            onSearch={onSearch}
            useLatest={props.useLatest}
            onOpen={props.onOpen}
            ownChanges={props.ownChanges ?? 0}
            {...(props.above && { above: props.above })}
          />
        </SelectionScope>
      )}
      {data !== undefined && rows !== undefined && data.count > 0 && (
        <Pager page={search.page} pageSize={pageSize} count={data.count} onPage={toPage}>
          <NativeSelect
            size="xs"
            aria-label="Rows per page"
            data={PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} rows` }))}
            value={String(pageSize)}
            onChange={({ currentTarget }) => choosePageSize(Number(currentTarget.value))}
          />
        </Pager>
      )}
      <SelectionBar
        things={things}
        rows={data?.data ?? []}
        selected={selected}
        actions={props.actions}
        onSelect={select}
        onDone={refresh}
      />
    </>
  );
}
