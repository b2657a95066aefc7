import type { QueryClient } from '@tanstack/react-query';

const OWN_MS = 30_000;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** An answer may be long; what it is about stands at its beginning. */
const READ_MAX = 20_000;

const ownUntilMs = new Map<string, number>();

function note(ids: readonly string[]): void {
  const nowMs = Date.now();
  for (const [id, untilMs] of ownUntilMs) if (untilMs < nowMs) ownUntilMs.delete(id);
  for (const id of ids) ownUntilMs.set(id, nowMs + OWN_MS);
}

/**
 * Notes for a while what the person has just changed in this tab, and tells the other tabs of the browser, one of which may be the
 * one that would sound. Returns how to stop.
 */
export function noteOwnActions(client: QueryClient): () => void {
  const tabs = new BroadcastChannel('dutchbook: own actions');
  tabs.onmessage = ({ data }) => note(data as string[]);
  const stop = client.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || (event.action.type !== 'pending' && event.action.type !== 'success')) return;
    const { variables, data } = event.mutation.state;
    const ids = [...new Set((JSON.stringify([variables, data]) ?? '').slice(0, READ_MAX).match(UUID))];
    if (ids.length === 0) return;
    note(ids);
    tabs.postMessage(ids);
  });
  return () => {
    stop();
    tabs.close();
  };
}

/** Whether the person has just changed one of these in this browser. */
export function isOwn(ids: readonly unknown[]): boolean {
  const nowMs = Date.now();
  return ids.some((id) => typeof id === 'string' && (ownUntilMs.get(id) ?? 0) >= nowMs);
}
