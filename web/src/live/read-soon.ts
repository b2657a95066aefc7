import type { Change } from '@dutchbook/contract/stream.ts';
import { useCallback, useEffect, useRef } from 'react';
import { useChanges } from './live.ts';

/** However much changes, what is counted over everything is read again this often at most. */
const INTERVAL_MS = 2_000;

/**
 * Reads at once when the stream tells of what `matters`, and once more after what follows on its heels; as many `times`
 * where an answer may not have a published change yet.
 */
export function useReadSoon(matters: (change: Change) => boolean, read: () => void, times = 1): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastReadMs = useRef(Number.NEGATIVE_INFINITY);
  const readsDue = useRef(0);
  const takeIn = useCallback(
    (changes: readonly Change[]) => {
      // Every one is judged, also while a reading is planned: what matters may depend on those before.
      if (changes.filter(matters).length === 0) return;
      readsDue.current = times;
      const plan = () => {
        const delayMs = Math.max(0, lastReadMs.current + INTERVAL_MS - Date.now());
        timer.current = setTimeout(() => {
          timer.current = undefined;
          lastReadMs.current = Date.now();
          readsDue.current -= 1;
          read();
          if (readsDue.current > 0) plan();
        }, delayMs);
      };
      if (timer.current === undefined) plan();
    },
    [matters, read, times],
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
