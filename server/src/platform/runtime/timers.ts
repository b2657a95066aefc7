import type { Logger } from 'pino';
import { openFailureLog } from './failure-log.ts';
import type { Timers } from './runtime.ts';

/** The machine's timers. Work that throws is logged, repeated work once until it succeeds again, and it goes on. */
export function realTimers(log: Logger): Timers {
  return {
    after: (ms, work) => {
      const timer = setTimeout(async () => {
        try {
          await work();
        } catch (error) {
          log.error({ err: error }, 'timer task failed');
        }
      }, ms);
      return () => clearTimeout(timer);
    },
    every: (ms, work) => {
      const failures = openFailureLog(log, 'error', 'repeated timer task failed');
      let running = false;
      const timer = setInterval(async () => {
        if (running) return;
        running = true;
        try {
          await work();
          failures.succeeded();
        } catch (error) {
          failures.failed(error);
        }
        running = false;
      }, ms);
      return () => clearInterval(timer);
    },
  };
}
