import { type ReactNode, useDeferredValue, useMemo } from 'react';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { isLong } from '../ui/use-long-table.ts';
import { useWithoutDeleted } from './deleted-rows.ts';
import type { Listed } from './list-search.ts';
import { useDensity } from './list-settings.ts';
import { usePointerInside, useSteadyRows } from './steady-rows.ts';

type LiveTableProps<Row, Search extends Listed> = {
  label: string;
  columns: readonly Column<Row>[];
  /** `undefined` while the first page loads. */
  rows: readonly Row[] | undefined;
  /** When they were read. */
  readAt: number;
  pageSize: number;
  /** Old rows are still shown while others are on their way. */
  busy: boolean;
  search: Search;
  onSearch: (search: Search) => void;
  useLatest?: (row: Row, isNear: boolean) => Row;
  onOpen: (row: Row) => void;
  /** How often somebody here has asked for another order, which then shows at once. */
  ownChanges: number;
  /** What stands below the rows, and is about those that are shown. */
  below: (shown: readonly Row[]) => ReactNode;
};

const NONE: readonly never[] = [];

/** One page of a list in the order of the address, live: no row moves while the pointer is over them. */
export function LiveTable<Row extends { id: string }, Search extends Listed>(props: LiveTableProps<Row, Search>) {
  const { label, columns, rows, readAt, pageSize, busy, search, onSearch, ownChanges, below } = props;
  const density = useDensity();
  const { inside, handlers } = usePointerInside();
  const view = `${JSON.stringify(search)} ${busy} ${ownChanges} ${rows === undefined}`;
  const { rows: due, view: dueView } = useWhenDue(rows, view);
  const steady = useSteadyRows(due ?? NONE, inside, dueView);
  const shown = useWithoutDeleted(steady, rows, readAt);
  return (
    <div data-density={density} {...handlers}>
      <DataTable
        label={label}
        columns={columns}
        rows={due && shown}
        skeletonRows={pageSize}
        busy={busy}
        {...(props.useLatest && { useLatest: props.useLatest })}
        onOpen={props.onOpen}
        sort={{ by: search.sortBy, order: search.sortOrder }}
        onSort={({ by, order }) => onSearch({ ...search, page: 1, sortBy: by, sortOrder: order })}
      />
      {below(shown)}
    </div>
  );
}

type Due<Row> = { rows: readonly Row[] | undefined; view: string };

const NOT_YET = { rows: undefined, view: '' };

/**
 * Few rows at once; many as soon as they are rendered, which the page goes on answering meanwhile: also where they were read before, as
 * those that a filter had hidden, and would otherwise be rendered within the press.
 */
function useWhenDue<Row>(rows: readonly Row[] | undefined, view: string): Due<Row> {
  const now = useMemo(() => ({ rows, view }), [rows, view]);
  const late = useDeferredValue<Due<Row>>(now, NOT_YET);
  return rows !== undefined && isLong(rows.length) ? late : now;
}
