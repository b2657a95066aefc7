import { useSyncExternalStore } from 'react';

const TICK_MS = 1_000;

let nowMs = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    timer = setInterval(tick, TICK_MS);
    nowMs = Date.now();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

function read(): number {
  // Without listeners there are no ticks. While something is drawn in slices the answer must not change, or React
  // draws it once more, and at a stretch.
  if (timer === undefined && Math.abs(Date.now() - nowMs) >= TICK_MS) nowMs = Date.now();
  return nowMs;
}

/** What `answer` makes of the present moment, repainting only when that changes. */
export function useByNow<Answer extends string | number>(answer: (nowMs: number) => Answer): Answer {
  return useSyncExternalStore(subscribe, () => answer(read()));
}

/** The present moment, repainting once a second; one timer for the whole page. */
export function useNowMs(): number {
  return useSyncExternalStore(subscribe, read);
}
