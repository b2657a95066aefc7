import type { Change, ChangeType } from '@dutchbook/contract/stream.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { useCallback, useRef } from 'react';
import { useReadSoon } from './read-soon.ts';

type Row = { id: string; created_at: Instant };

/** Reads a list again when the stream tells of a row that has just been created or deleted. */
export function useListRefresh(type: ChangeType, rows: readonly Row[] | undefined, refresh: () => void): void {
  const considered = useRef(new Set<string>());
  const matters = useCallback(
    (change: Change) => rows !== undefined && isFirstNews(change, { type, rows, considered: considered.current }),
    [type, rows],
  );
  useReadSoon(matters, refresh);
}

type Known = { type: ChangeType; rows: readonly Row[]; considered: Set<string> };

/** Whether `change` is news of a creation or deletion that was not `considered` before; from now on it was. */
export function isFirstNews(change: Change, { type, rows, considered }: Known): boolean {
  const event = `${change.type} ${change.id}`;
  if (considered.has(event) || !isNews(change, type, rows)) return false;
  considered.add(event);
  return true;
}

/** Whether `change` is a row younger than all that are shown, or the end of one that is. */
export function isNews(change: Change, type: ChangeType, rows: readonly Row[]): boolean {
  const isShown = rows.some(({ id }) => id === change.id);
  if (change.type === 'opportunity_deleted') return isShown;
  if (change.type !== type || isShown || change.data === null || !('created_at' in change.data)) return false;
  const { created_at } = change.data;
  return rows.every((row) => row.created_at < created_at);
}
