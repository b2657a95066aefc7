import type { Change } from '@dutchbook/contract/stream.ts';
import { useCallback, useEffect, useRef } from 'react';
import { useChanges } from './live.ts';

/** However much changes, what is counted over everything is read again this often at most. */
const INTERVAL_MS = 2_000;

/** Reads at once when the stream tells of what `matters`, and once more after what follows on its heels. */
export function useReadSoon(matters: (change: Change) => boolean, read: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastReadMs = useRef(Number.NEGATIVE_INFINITY);
  const takeIn = useCallback(
    (changes: readonly Change[]) => {
      if (timer.current !== undefined || !changes.some(matters)) return;
      const delayMs = Math.max(0, lastReadMs.current + INTERVAL_MS - Date.now());
      timer.current = setTimeout(() => {
        timer.current = undefined;
        lastReadMs.current = Date.now();
        read();
      }, delayMs);
    },
    [matters, read],
  );
  useChanges(takeIn);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
}
