import { useEffect, useEffectEvent } from 'react';
import { type Simulated, waitFor } from '../../calls/use-simulation.ts';
import type { SaleFigures } from './sale-figures.ts';

const POLL_MS = 1_000;

/** Simulates again every second, or as soon as the server wants, while shares are being settled and somebody looks. */
export function useSettling<Asked>(
  shown: Simulated<Asked, SaleFigures> | undefined,
  watched: boolean,
  follow: (asked: Asked) => void,
): void {
  const isSettling = watched && shown !== undefined && 'simulation' in shown && shown.simulation.settling.length > 0;
  const lookAgain = useEffectEvent(() => shown !== undefined && follow(shown.asked));
  // `shown` is another object with every answer: each starts the next wait.
  useEffect(() => {
    if (!isSettling || shown === undefined) return;
    const timer = setTimeout(lookAgain, Math.max(POLL_MS, waitFor(shown)));
    return () => clearTimeout(timer);
  }, [isSettling, shown]);
}
