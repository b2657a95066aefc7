import type { SortOrder } from '@dutchbook/contract/listing.ts';
import { useCallback } from 'react';
import { fresher, type Read } from '../live/fresher.ts';
import { useLiveStore } from '../live/live.ts';
import type { ChangeOf } from '../live/live-store.ts';

type Sorted = { sortBy: string; sortOrder: SortOrder };

type RowOf<Type extends 'opportunity' | 'relation'> = ChangeOf<Type>['data'];

/**
 * Answers whether rows that were read stand in another order by now than the one they are sorted by; `moving` is what the stream moves,
 * and `partOf` what the list is divided by before it is sorted.
 */
export function useOutOfOrder<Type extends 'opportunity' | 'relation', Row extends RowOf<Type>>(
  type: Type,
  moving: readonly (keyof Row)[],
  { sortBy, sortOrder }: Sorted,
  partOf: (row: Row) => unknown = wholeList,
) {
  const store = useLiveStore();
  return useCallback(
    (rows: readonly Read<Row>[]) => {
      const newest = (row: Read<Row>): Row =>
        fresher(row, store.read(type, row.id) as { data: Row; receivedAtMs: number } | undefined);
      if (!moving.some((name) => name === sortBy)) return false;
      const parts = Map.groupBy(rows.map(newest), partOf);
      return [...parts.values()].some((part) => isOutOfOrder(part, moving, { sortBy, sortOrder }));
    },
    [store, type, moving, sortBy, sortOrder, partOf],
  );
}

const wholeList = () => true;

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
