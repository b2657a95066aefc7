import { formatCount } from '@dutchbook/units/count.ts';
import { Button, NativeSelect } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useReducer, useState } from 'react';
import { LoadError } from '../calls/loaded.tsx';
import type { Read } from '../live/fresher.ts';
import { Pager } from '../ui/pager.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Later, useInSlices } from '../ui/use-in-slices.ts';
import { type OpenList, useUnfold } from './list.ts';
import { activeFilters, type Listed, unfiltered } from './list-search.ts';
import { changeListSettings, PAGE_SIZES, useListSettings } from './list-settings.ts';
import { ListTools } from './list-tools.tsx';
import { LiveTable } from './live-table.tsx';
import { ReorderButton } from './reorder-button.tsx';
import { SelectionBar, SelectionScope, useSelection } from './selection.tsx';
import { usePageThatExists } from './use-page-that-exists.ts';

type ListFrameProps<Row extends object, Search extends Listed> = OpenList<Row, Search> & {
  /** Whether live prices have moved so that the rows no longer stand in the order they are sorted by. */
  isOutOfOrder?: (shown: readonly Read<Row>[]) => boolean;
  /** They are sorted again by themselves then, but under the pointer. */
  sortsAgain?: boolean;
};

const NONE: readonly never[] = [];

/** One page of a list below its filters, in whichever state it is: on its way, failed, without rows, or a live table with its pager. */
export function ListFrame<Row extends { id: string }, Search extends Listed & { q?: unknown }>(
  props: ListFrameProps<Row, Search>,
) {
  const {
    name,
    label,
    search,
    searchFrom,
    onSearch,
    refresh,
    isOutOfOrder,
    fields = NONE,
    actions = NONE,
    sortsAgain = false,
  } = props;
  const { data, error, isPlaceholderData, isFetching, dataUpdatedAt } = props.query;
  const { pageSize, hidden } = useListSettings(name);
  const navigate = useNavigate();
  const rows = useInSlices(data?.data);
  const toPage = useCallback((page: number) => onSearch({ ...search, page }), [search, onSearch]);
  usePageThatExists({ page: search.page, pageSize, count: data?.count, onPage: toPage });
  const columns = useMemo(() => props.columns.filter(({ key }) => !hidden.includes(key)), [props.columns, hidden]);
  const unfold = useUnfold(props);
  const { selected, select, selection } = useSelection<Read<Row>>(JSON.stringify(search));
  const [ownChanges, countOwnChange] = useReducer((count: number) => count + 1, 0);
  /** Time of the rows that are to be reordered; undefined without a request. */
  const [reordered, setReordered] = useState<number>();
  const reorder = () => {
    setReordered(dataUpdatedAt);
    void refresh();
  };
  // The read ends shortly before its rows arrive: counted at once, the change would count for the old rows.
  useEffect(() => {
    if (reordered === undefined || reordered === dataUpdatedAt) return;
    countOwnChange();
    setReordered(undefined);
  }, [reordered, dataUpdatedAt]);
  const choosePageSize = (chosen: number) => {
    changeListSettings(name, { pageSize: chosen });
    // The first row that is shown stays on the page.
    toPage(Math.floor(((search.page - 1) * pageSize) / chosen) + 1);
  };
  return (
    <>
      <ListTools
        list={name}
        columns={props.columns}
        search={search}
        searchFrom={searchFrom}
        onSearch={onSearch}
        {...(props.findHint !== undefined && { findHint: props.findHint })}
        fields={fields}
        folds={props.folds?.words}
      />
      <LoadError of={{ error, isFetching, refetch: refresh }} text={`Error loading ${name}`} inline />
      {data?.count === 0 && activeFilters(search) === 0 && props.empty}
      {data?.count === 0 && activeFilters(search) > 0 && (
        <EmptyState icon={props.icon} text={`No ${label.toLowerCase()} found.`} hint="None match these filters.">
          <Button variant="default" onClick={() => onSearch(unfiltered(search, searchFrom))}>
            Show All
          </Button>
        </EmptyState>
      )}
      {data?.count !== 0 && (data !== undefined || error === null) && (
        <SelectionScope selection={selection}>
          <Later isDue={rows !== undefined}>
            <LiveTable
              label={label}
              columns={columns}
              rows={rows}
              readAt={dataUpdatedAt}
              pageSize={pageSize}
              busy={isPlaceholderData ? awaited(search) : undefined}
              search={search}
              onSearch={onSearch}
              {...(props.useLatest && { useLatest: props.useLatest })}
              past={activeFilters(search) === 0 ? props.past : props.past && { is: props.past.is }}
              unfold={unfold}
              onOpen={(row) => props.open(row, navigate)}
              ownChanges={ownChanges}
              below={(shown, inside) =>
                isOutOfOrder && (
                  <ReorderButton
                    rows={shown}
                    isOutOfOrder={isOutOfOrder}
                    byItself={sortsAgain && !inside}
                    onReorder={reorder}
                  />
                )
              }
            />
          </Later>
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
        things={name}
        rows={data?.data.filter((row) => props.folds?.isSum?.(row) !== true) ?? []}
        selected={selected}
        actions={actions}
        onSelect={select}
        onDone={refresh}
      />
    </>
  );
}

/** What a list is being read for. */
function awaited(search: Listed & { q?: unknown }): string {
  const { q, page } = search;
  if (typeof q === 'string' && q !== '') return `Searching for “${q}”…`;
  if (activeFilters(search) > 0) return 'Looking for what matches the filters…';
  return page > 1 ? `Reading page ${formatCount(page)}…` : 'Reading…';
}
