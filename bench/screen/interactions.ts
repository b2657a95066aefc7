import type { Page } from '@playwright/test';

/** How long the slowest of the interactions took to its next paint, in ms, how many there were, and frames per second. */
export type Felt = { slowestMs: number; count: number; framesPerSecond: number };

/** Watches from now on; the answer's call tells what was felt since. The browser rounds durations to 8 ms. */
export async function watchInteractions(page: Page): Promise<() => Promise<Felt>> {
  const watch = await page.evaluateHandle(() => {
    const seen = { startMs: performance.now(), frames: 0, durations: new Map<number, number>() };
    const count = () => {
      seen.frames += 1;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    const observer = new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries() as PerformanceEventTiming[])
        if (interactionId)
          seen.durations.set(interactionId, Math.max(duration, seen.durations.get(interactionId) ?? 0));
    });
    const shortToo: PerformanceObserverInit & { durationThreshold: number } = { type: 'event', durationThreshold: 16 };
    observer.observe(shortToo);
    return seen;
  });
  return () =>
    watch.evaluate(({ startMs, frames, durations }) => ({
      slowestMs: Math.max(0, ...durations.values()),
      count: durations.size,
      framesPerSecond: frames / ((performance.now() - startMs) / 1000),
    }));
}
