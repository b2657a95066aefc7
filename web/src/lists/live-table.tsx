import { formatCount } from '@dutchbook/units/count.ts';
import {
  createContext,
  type ReactNode,
  use,
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
import type { Listed } from './list-search.ts';
import { useDensity } from './list-settings.ts';
import styles from './live-table.module.css';
import { type Behind, folded, usePointerInside, useSteadyRows } from './steady-rows.ts';

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
  /** Rows that are of a moment that is over; `words`: what so many of them are called, where those at the end fold. */
  past: { is: (row: Row) => boolean; words?: (count: number) => string } | undefined;
  /** Rows of one text in a row say the like, and fold behind the first. */
  repeats: ((row: Row) => string | null) | undefined;
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
  const kept = useWithoutDeleted(steady, rows, readAt);
  const [isUnfolded, setUnfolded] = useState(false);
  const folding = useMemo(() => pastAtEnd(kept, props.past), [kept, props.past]);
  const unfolded = useUnfolded(kept, isUnfolded ? 0 : folding, inside);
  const { shown, shared } = useRepeats(unfolded, props.repeats);
  return (
    <div data-density={density} {...handlers}>
      <RepeatsContext value={shared}>
        <DataTable
          label={label}
          columns={columns}
          rows={due && shown}
          skeletonRows={pageSize}
          busy={busy}
          {...(props.useLatest && { useLatest: props.useLatest })}
          isPast={props.past?.is}
          onOpen={props.onOpen}
          sort={{ by: search.sortBy, order: search.sortOrder }}
          onSort={({ by, order }) => onSearch({ ...search, page: 1, sortBy: by, sortOrder: order })}
        />
      </RepeatsContext>
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
      {below(shown)}
    </div>
  );
}

/** Without those at the end that fold; none of them goes from under the pointer. */
function useUnfolded<Row extends { id: string }>(rows: readonly Row[], folding: number, inside: boolean) {
  const before = useRef<ReadonlySet<string>>(new Set());
  const unfolded = useMemo(
    () => rows.filter(({ id }, nth) => nth < rows.length - folding || (inside && before.current.has(id))),
    [rows, folding, inside],
  );
  useLayoutEffect(() => {
    before.current = new Set(unfolded.map(({ id }) => id));
  }, [unfolded]);
  return unfolded;
}

/** How many rows at the end fold: none where no other stands before them. */
function pastAtEnd<Row>(rows: readonly Row[], past: LiveTableProps<Row, Listed>['past']): number {
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

type Repeats = { behind: Behind; opened: ReadonlySet<string> };
type Shared = Repeats & { toggle: (last: string) => void };

const NOTHING: Shared = { behind: new Map(), opened: new Set(), toggle: () => {} };

const RepeatsContext = createContext<Shared>(NOTHING);

/** Rows that say the like of the one above them, as `keyOf` has it, fold behind it. @returns what is shown, and what draws the buttons */
function useRepeats<Row extends { id: string }>(
  rows: readonly Row[],
  keyOf: ((row: Row) => string | null) | undefined,
) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(NOTHING.opened);
  const { shown, behind } = useMemo(() => folded(rows, keyOf, opened), [rows, keyOf, opened]);
  const shared = useMemo(() => {
    // By the oldest of them: others come in front.
    const toggle = (last: string) =>
      setOpened((before) => {
        const after = new Set(before);
        if (!after.delete(last)) after.add(last);
        return after;
      });
    return { behind, opened, toggle };
  }, [behind, opened]);
  return { shown, shared };
}

/** Shows what folds behind the row, where anything does. */
export function RepeatsButton({ id }: { id: string }) {
  const { behind, opened, toggle } = use(RepeatsContext);
  const repeats = behind.get(id);
  if (repeats === undefined) return null;
  const { last, count } = repeats;
  const isOpened = opened.has(last);
  return (
    <button type="button" className={styles.repeats} aria-expanded={isOpened} onClick={() => toggle(last)}>
      {isOpened ? 'Show less' : `${formatCount(count)} more of it`}
    </button>
  );
}
