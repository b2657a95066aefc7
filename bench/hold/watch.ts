import { PerformanceObserver } from 'node:perf_hooks';

/**
 * The longest time between two turns of a timer of a millisecond: by the clock, and what this thread was working in one.
 * `collectingMs`: the longest that it collected garbage at a stretch, by the clock.
 */
export type Hold = { wallMs: number; cpuMs: number; collectingMs: number };

/** Of this thread's own work. By the clock it may be longer where others have the processor. */
export const CPU_MS_MAX = 50;

const NONE: Hold = { wallMs: 0, cpuMs: 0, collectingMs: 0 };

export function watchHolds() {
  let longest = NONE;
  let last = look();
  const timer = setInterval(() => {
    const now = look();
    longest = {
      ...longest,
      wallMs: Math.max(longest.wallMs, now.wallMs - last.wallMs),
      cpuMs: Math.max(longest.cpuMs, now.cpuMs - last.cpuMs),
    };
    last = now;
  }, 1);
  const collections = new PerformanceObserver((observed) => {
    for (const { duration } of observed.getEntries())
      longest = { ...longest, collectingMs: Math.max(longest.collectingMs, duration) };
  });
  collections.observe({ entryTypes: ['gc'] });
  return {
    begin: () => {
      longest = NONE;
    },
    end: () => longest,
    stop: () => {
      clearInterval(timer);
      collections.disconnect();
    },
  };
}

function look(): Pick<Hold, 'wallMs' | 'cpuMs'> {
  const { user, system } = process.threadCpuUsage();
  return { wallMs: performance.now(), cpuMs: (user + system) / 1000 };
}
