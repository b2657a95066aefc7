import type { QueryClient } from '@tanstack/react-query';
import { readAgain } from './read-again.ts';

const READ_AFTER_MS = 300;

/**
 * Keeps this tab in step with the others of this browser in what the stream does not carry, as settings, people and
 * items: whatever one of them has written, the others read again. Returns how to stop.
 */
export function keepInStep(client: QueryClient): () => void {
  const tabs = new BroadcastChannel('dutchbook: written');
  let reading: ReturnType<typeof setTimeout> | undefined;
  tabs.onmessage = () => {
    reading ??= setTimeout(() => {
      reading = undefined;
      void readAgain(client);
    }, READ_AFTER_MS);
  };
  const stop = client.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    if (!event.mutation.meta?.changesNothing) tabs.postMessage(null);
  });
  return () => {
    stop();
    clearTimeout(reading);
    tabs.close();
  };
}
