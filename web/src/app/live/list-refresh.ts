import type { Change, ChangeType } from '@dutchbook/contract/stream.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { useCallback, useRef } from 'react';
import { useChanges } from './live.ts';

/** A list is read again at most this often for rows that appear. */
const REFRESH_INTERVAL_MS = 2_000;

type Row = { id: string; created_at: Instant };

/** Reads a list again when the stream tells of a row that has just been created or deleted; each id counts once. */
export function useListRefresh(type: ChangeType, rows: readonly Row[] | undefined, refresh: () => void): void {
  const considered = useRef(new Set<string>());
  const lastRefreshMs = useRef(0);
  const takeIn = useCallback(
    (changes: readonly Change[]) => {
      if (rows === undefined) return;
      const news = changes.filter((change) => isNews(change, type, rows) && !considered.current.has(change.id));
      if (news.length === 0 || Date.now() - lastRefreshMs.current < REFRESH_INTERVAL_MS) return;
      for (const { id } of news) considered.current.add(id);
      lastRefreshMs.current = Date.now();
      refresh();
    },
    [type, rows, refresh],
  );
  useChanges(takeIn);
}

/** Whether `change` is a row younger than all that are shown, or the end of one that is. */
export function isNews(change: Change, type: ChangeType, rows: readonly Row[]): boolean {
  const isShown = rows.some(({ id }) => id === change.id);
  if (change.type === 'opportunity_deleted') return isShown;
  if (change.type !== type || isShown || change.data === null || !('created_at' in change.data)) return false;
  const { created_at } = change.data;
  return rows.every((row) => row.created_at < created_at);
}
