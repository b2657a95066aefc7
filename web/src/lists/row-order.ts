import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { useCallback, useMemo, useState } from 'react';
import { fresher, type Read } from '../live/fresher.ts';
import { useChanges, useLiveStore } from '../live/live.ts';
import type { ChangeOf } from '../live/live-store.ts';
import { useSteadyRows } from './steady-rows.ts';

type Sorted = { sortBy: string; sortOrder: SortOrder };

type RowOf<Type extends 'opportunity' | 'relation'> = ChangeOf<Type>['data'];

/**
 * Answers whether rows that were read stand in another order by now than the one they are sorted by; `moving` is what the stream moves,
 * and `rankOf` which part of the list a row is in, where it is divided into parts before it is sorted: the lowest part comes first.
 */
export function useOutOfOrder<Type extends 'opportunity' | 'relation', Row extends RowOf<Type>>(
  type: Type,
  moving: readonly (keyof Row)[],
  { sortBy, sortOrder }: Sorted,
  rankOf: (row: Row) => number = wholeList,
) {
  const store = useLiveStore();
  return useCallback(
    (rows: readonly Read<Row>[]) => {
      if (!moving.some((name) => name === sortBy)) return false;
      const newest = rows.map((row): Row => newestOf<Row>(store, type, row));
      const ranks = newest.map(rankOf);
      if (ranks.some((rank, place) => rank > (ranks[place + 1] ?? rank))) return true;
      const parts = Map.groupBy(newest, rankOf);
      return [...parts.values()].some((part) => isOutOfOrder(part, moving, { sortBy, sortOrder }));
    },
    [store, type, moving, sortBy, sortOrder, rankOf],
  );
}

const wholeList = () => 0;

function newestOf<Row extends { id: string; updated_at: Instant }>(
  store: ReturnType<typeof useLiveStore>,
  type: 'opportunity' | 'relation',
  row: Read<Row>,
): Read<Row> {
  return fresher<Row>(row, store.read(type, row.id) as { data: Row; receivedAtMs: number } | undefined);
}

/** Those of some rows whose newest state `is`; the same array until one begins or ceases to be one of them. */
export function useWhere<Type extends 'opportunity' | 'relation', Row extends RowOf<Type>>(
  type: Type,
  rows: readonly Read<Row>[] | undefined,
  is: (row: Row) => boolean,
): readonly Read<Row>[] | undefined {
  const store = useLiveStore();
  const idsNow = useCallback(
    () =>
      (rows ?? [])
        .filter((row) => is(newestOf<Row>(store, type, row)))
        .map(({ id }) => id)
        .join(' '),
    [store, type, rows, is],
  );
  const [judged, setJudged] = useState({ of: rows, ids: '' });
  useChanges(
    useCallback(() => {
      const ids = idsNow();
      setJudged((before) => (before.of === rows && before.ids === ids ? before : { of: rows, ids }));
    }, [idsNow, rows]),
  );
  const ids = judged.of === rows && judged.ids !== '' ? judged.ids : idsNow();
  return useMemo(() => rows?.filter(({ id }) => ids.split(' ').includes(id)), [rows, ids]);
}

/** They stand still for so long after they have moved. */
const STILL_MS = 2_000;

/** A few rows in the order of their newest state, which changes as the stream moves them; none moves while `held`. */
export function useInOrder<Type extends 'opportunity' | 'relation', Row extends RowOf<Type>>(
  type: Type,
  rows: readonly Read<Row>[] | undefined,
  { sortBy, sortOrder }: { sortBy: keyof Row & string; sortOrder: SortOrder },
  held: boolean,
): readonly Read<Row>[] | undefined {
  const store = useLiveStore();
  const [ordered, setOrdered] = useState({ of: rows, rows, atMs: 0 });
  const shown = ordered.of === rows ? ordered.rows : rows;
  const judge = useCallback(() => {
    if (held || shown === undefined || Date.now() - ordered.atMs < STILL_MS) return;
    const newest = shown.map((row) => ({ row, now: newestOf<Row>(store, type, row) }));
    if (
      !isOutOfOrder(
        newest.map(({ now }) => now),
        [sortBy],
        { sortBy, sortOrder },
      )
    )
      return;
    const sorted = newest.toSorted((one, other) => inOrder(one.now[sortBy], other.now[sortBy], sortOrder));
    setOrdered({ of: rows, rows: sorted.map(({ row }) => row), atMs: Date.now() });
  }, [store, type, rows, shown, ordered.atMs, sortBy, sortOrder, held]);
  useChanges(judge);
  const steady = useSteadyRows(shown ?? NONE, held, shown === undefined ? '' : 'read');
  return shown && steady;
}

const NONE: readonly never[] = [];

/** What is not known comes last. */
function inOrder(one: unknown, other: unknown, order: SortOrder): number {
  if (typeof one !== 'number') return typeof other === 'number' ? 1 : 0;
  if (typeof other !== 'number') return -1;
  return order === 'asc' ? one - other : other - one;
}

/** Whether a row has overtaken its neighbour by what they are sorted by, where that is one of `moving`. */
export function isOutOfOrder<Row>(rows: readonly Row[], moving: readonly (keyof Row)[], { sortBy, sortOrder }: Sorted) {
  const name = moving.find((each) => each === sortBy);
  if (name === undefined) return false;
  const values = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined);
  return values.some((value, index) => {
    const next = values[index + 1];
    return next !== undefined && (sortOrder === 'asc' ? value > next : value < next);
  });
}
