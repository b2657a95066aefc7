import { useSyncExternalStore } from 'react';
import { toastDeleted } from '../calls/toast-deleted.ts';

/** When rows were deleted in this tab, by their ids. */
let deletedAt: ReadonlyMap<string, number> = new Map();
const listeners = new Set<() => void>();

/** A row is gone: no list shows it any more, until one that is read later has it again. */
export function noteDeleted(id: string): void {
  deletedAt = new Map(deletedAt).set(id, Date.now());
  for (const listener of listeners) listener();
}

/** Without those that were deleted and are not among the `rows` that were read at `readAt`, after that. */
export function useWithoutDeleted<Row extends { id: string }>(
  shown: readonly Row[],
  rows: readonly Row[] | undefined,
  readAt: number,
): readonly Row[] {
  const deleted = useSyncExternalStore(subscribe, () => deletedAt);
  const isGone = ({ id }: Row) => {
    const at = deleted.get(id);
    return at !== undefined && (readAt <= at || !rows?.some((row) => row.id === id));
  };
  return shown.some(isGone) ? shown.filter((row) => !isGone(row)) : shown;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Says that a row of a list was deleted, and brings it back where that is asked for. */
export function toastDeletedRow(id: string, message: string, restore: () => Promise<unknown>, refresh: () => unknown) {
  noteDeleted(id);
  toastDeleted(message, restore, refresh);
}
