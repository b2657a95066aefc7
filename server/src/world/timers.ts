import type { Logger } from 'pino';
import type { Timers } from './world.ts';

/** The machine's timers. Work that throws is logged, and a repeated one goes on. */
export function realTimers(log: Logger): Timers {
  const run = async (work: () => Promise<void> | void) => {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, 'Timed work failed');
    }
  };
  return {
    after: (ms, work) => {
      const timer = setTimeout(() => void run(work), ms);
      return () => clearTimeout(timer);
    },
    every: (ms, work) => {
      let running = false;
      const timer = setInterval(async () => {
        if (running) return;
        running = true;
        await run(work);
        running = false;
      }, ms);
      return () => clearInterval(timer);
    },
  };
}
