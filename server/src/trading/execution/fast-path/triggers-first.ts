/** Triggers go first: the steps of earlier batches wait while one is on its way to the venue. */
import type { Runtime } from '../../../platform/runtime/runtime.ts';

/** Where one trigger follows the other, batches go on all the same. */
const WAITS_MS_MAX = 50;

export type TriggersFirst = {
  /** A trigger has begun. @returns what is called once, when its orders are about to leave or nothing will */
  begin: () => () => void;
  /** Resolves when none is on its way, or after 50 ms. */
  clear: () => Promise<void>;
  /** Releases what waits, and lets nothing wait from then on: its time may have stopped. */
  stop: () => void;
};

export function openTriggersFirst({ timers }: Pick<Runtime, 'timers'>): TriggersFirst {
  let underWay = 0;
  let isStopped = false;
  const waiting = new Set<() => void>();
  const release = () => {
    for (const resolve of [...waiting]) resolve();
  };
  const goOn = () => {
    if (underWay === 0) release();
  };
  return {
    begin: () => {
      underWay += 1;
      return () => {
        underWay -= 1;
        // Its orders leave before any other work.
        if (underWay === 0 && waiting.size > 0) timers.after(0, goOn);
      };
    },
    clear: async () => {
      if (underWay === 0 || isStopped) return;
      await new Promise<void>((resolve) => {
        const stop = timers.after(WAITS_MS_MAX, () => done());
        const done = () => {
          waiting.delete(done);
          stop();
          resolve();
        };
        waiting.add(done);
      });
    },
    stop: () => {
      isStopped = true;
      release();
    },
  };
}
