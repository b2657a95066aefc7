import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Icon } from '../ui/icons.tsx';
import { isLong } from '../ui/use-long-table.ts';
import { useWithoutDeleted } from './deleted-rows.ts';
import type { Unfold } from './list.ts';
import type { Listed } from './list-search.ts';
import { useDensity } from './list-settings.ts';
import styles from './live-table.module.css';
import { usePointerInside, useSteadyRows } from './steady-rows.ts';

type LiveTableProps<Row extends object, Search extends Listed> = {
  label: string;
  columns: readonly Column<Row>[];
  /** `undefined` while the first page loads. */
  rows: readonly Row[] | undefined;
  /** When they were read. */
  readAt: number;
  pageSize: number;
  /** What is on its way while old rows are still shown, in a few words. */
  busy: string | undefined;
  search: Search;
  onSearch: (search: Search) => void;
  useLatest?: (row: Row, isNear: boolean) => Row;
  /** Rows that are of a moment that is over; `words`: what so many of them are called, where those at the end fold. */
  past: { is: (row: Row) => boolean; words?: (count: number) => string } | undefined;
  /** Reads what is behind a row that stands for others; undefined where each stands by itself. */
  unfold: Unfold<Row> | undefined;
  onOpen: (row: Row) => void;
  /** How often the user has asked for another order, which then shows at once. */
  ownChanges: number;
  /** What stands below the rows, and is about those that are shown; `inside`: the pointer is over them. */
  below: (shown: readonly Row[], inside: boolean) => ReactNode;
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
  const kept = useWithoutDeleted(steady, rows, readAt);
  const [isUnfolded, setUnfolded] = useState(false);
  const folding = useMemo(() => pastAtEnd(kept, props.past), [kept, props.past]);
  const unfolded = useUnfolded(kept, isUnfolded ? 0 : folding, inside);
  const { shown, isBehind, shared } = useBehind(unfolded, props.unfold);
  return (
    <div data-density={density} {...handlers}>
      <BehindContext value={shared}>
        <DataTable
          label={label}
          columns={columns}
          rows={due && shown}
          skeletonRows={pageSize}
          busy={busy}
          {...(props.useLatest && { useLatest: props.useLatest })}
          isPast={props.past?.is}
          isBehind={isBehind}
          onOpen={props.onOpen}
          sort={{ by: search.sortBy, order: search.sortOrder }}
          onSort={({ by, order }) => onSearch({ ...search, page: 1, sortBy: by, sortOrder: order })}
        />
      </BehindContext>
      {folding > 0 && (
        <button
          type="button"
          className={styles.fold}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <Icon name="next" size={16} />
          {props.past?.words?.(folding)}
        </button>
      )}
      {below(shown, inside)}
    </div>
  );
}

/** Without those at the end that fold; none of them goes from under the pointer. */
function useUnfolded<Row extends { id: string }>(rows: readonly Row[], folding: number, inside: boolean) {
  const before = useRef<ReadonlySet<string>>(new Set());
  const unfolded = useMemo(
    () =>
      folding === 0
        ? rows
        : rows.filter(({ id }, nth) => nth < rows.length - folding || (inside && before.current.has(id))),
    [rows, folding, inside],
  );
  useLayoutEffect(() => {
    before.current = new Set(unfolded.map(({ id }) => id));
  }, [unfolded]);
  return unfolded;
}

/** How many rows at the end fold: none where no other stands before them. */
function pastAtEnd<Row extends object>(rows: readonly Row[], past: LiveTableProps<Row, Listed>['past']): number {
  if (past?.words === undefined) return 0;
  const last = rows.findLastIndex((row) => !past.is(row));
  return last === -1 ? 0 : rows.length - 1 - last;
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

type Behind = {
  /** Opened rows by key: how many rows are behind each, and shown below it. */
  opened: ReadonlyMap<string, { count: number; shown: number } | 'reading'>;
  toggle: (key: string) => void;
};

const BehindContext = createContext<Behind>({ opened: new Map(), toggle: () => {} });

/** The rows with those behind each that is opened below it. */
function useBehind<Row extends { id: string }>(rows: readonly Row[], unfold: Unfold<Row> | undefined) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(NO_KEYS);
  const toggle = useCallback(
    (key: string) =>
      setKeys((before) => {
        const after = new Set(before);
        if (!after.delete(key)) after.add(key);
        return after;
      }),
    [],
  );
  const heads = useMemo(() => openedOf(rows, unfold, keys), [rows, unfold, keys]);
  const { data: pages } = useQuery({
    queryKey: [...(unfold?.queryKey ?? NONE), heads.map(({ key }) => key)],
    queryFn: ({ signal }) =>
      unfold?.read(
        heads.map(({ row }) => row),
        signal,
      ),
    enabled: heads.length > 0,
    placeholderData: keepPreviousData,
  });
  // Kept as long as none is opened: a new value would have every row looked through for what depends on it.
  const shared = useMemo(
    () => ({ opened: new Map(heads.map(({ key }) => [key, stateOf(pages?.get(key))] as const)), toggle }),
    [heads, pages, toggle],
  );
  const { shown, isBehind } = useMemo(() => {
    const below = new Map(heads.map(({ row, key }) => [row.id, pages?.get(key)?.data ?? NONE]));
    const behind = new Set([...below.values()].flatMap((page) => page.map(({ id }) => id)));
    return {
      shown: heads.length === 0 ? rows : rows.flatMap((row) => [row, ...(below.get(row.id) ?? NONE)]),
      isBehind: ({ id }: Row) => behind.has(id),
    };
  }, [rows, heads, pages]);
  return { shown, isBehind, shared };
}

const NO_KEYS: ReadonlySet<string> = new Set();

/** The rows that are opened, which are those on the page. */
function openedOf<Row extends { id: string }>(
  rows: readonly Row[],
  unfold: Unfold<Row> | undefined,
  keys: ReadonlySet<string>,
): readonly { row: Row; key: string }[] {
  if (unfold === undefined || keys.size === 0) return NONE;
  return rows.flatMap((row) => {
    const key = unfold.keyOf(row);
    return key !== null && keys.has(key) ? [{ row, key }] : [];
  });
}

function stateOf(page: { data: readonly unknown[]; count: number } | undefined) {
  return page === undefined ? ('reading' as const) : { count: page.count, shown: page.data.length };
}

type UnfoldButtonProps = {
  /** What the row is known by. */
  of: string;
  children: ReactNode;
  /** What leads to all of them, where not all are shown. */
  all: (count: number) => ReactNode;
};

/** Shows below a row what is behind it, and hides that again. */
export function UnfoldButton({ of: key, children, all }: UnfoldButtonProps) {
  const { opened, toggle } = use(BehindContext);
  const state = opened.get(key);
  return (
    <span className={styles.behind}>
      <button
        type="button"
        className={styles.unfold}
        aria-expanded={state !== undefined}
        aria-busy={state === 'reading'}
        onClick={() => toggle(key)}
      >
        <Icon name="next" size={14} />
        {children}
      </button>
      {state !== undefined && state !== 'reading' && state.shown < state.count && all(state.count)}
    </span>
  );
}
