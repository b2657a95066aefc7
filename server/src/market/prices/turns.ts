/** Has hits decide one after the other, each as soon as the decision before it is taken: the one that earns most in a day on its dollars first. */
import { servedBefore } from '@dutchbook/engine/desk/serving-order.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';

/** A turn in which nothing is decided for so long is over: what was kept free for it is free for the next. */
const TURN_MS = 1000;

export type Turns = {
  /** Resolves when the hit may decide, among all that wait. @returns a function that ends its turn */
  take: (annualised: Percent | null) => Promise<() => void>;
};

export function openTurns({ timers }: Pick<Runtime, 'timers'>): Turns {
  const waiting: { annualised: Percent | null; begin: (end: () => void) => void }[] = [];
  let isTaken = false;

  function next(): void {
    if (isTaken) return;
    const [first, ...others] = waiting;
    if (first === undefined) return;
    const best = others.reduce(
      (one, other) => (servedBefore(other.annualised, one.annualised) < 0 ? other : one),
      first,
    );
    waiting.splice(waiting.indexOf(best), 1);
    isTaken = true;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      stop();
      isTaken = false;
      next();
    };
    const stop = timers.after(TURN_MS, end);
    best.begin(end);
  }

  return {
    take: (annualised) =>
      new Promise((resolve) => {
        waiting.push({ annualised, begin: resolve });
        // All hits of one frame come before the first of them begins.
        queueMicrotask(next);
      }),
  };
}
