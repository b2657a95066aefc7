import { useEffect, useEffectEvent, useState } from 'react';
import { type Simulated, waitFor } from '../../calls/use-simulation.ts';
import type { SaleFigures } from './sale-figures.ts';

/** Shares are settled within seconds, and then they can be sold. */
const SETTLING_INTERVAL_MS = 1_000;
/** Bids move, and the stream does not tell of them here. */
const PLAN_INTERVAL_MS = 4_000;
/** How long a plan may be carried out: the next one is there by then. */
const PLAN_LIFE_MS = 8_000;

type Following<Asked> = {
  /** It is on screen, and may still change. */
  watched: boolean;
  isPending: boolean;
  follow: (asked: Asked) => void;
};

/**
 * Simulates a sale again while it is on screen, or when the server wants that. Says why what is shown is too old to be
 * carried out; undefined while it is not.
 */
export function useFollowed<Asked>(
  shown: Simulated<Asked, SaleFigures> | undefined,
  { watched, isPending, follow }: Following<Asked>,
): string | undefined {
  const simulation = shown !== undefined && 'simulation' in shown ? shown.simulation : undefined;
  const [old, setOld] = useState<SaleFigures>();
  const intervalMs = simulation && simulation.settling.length > 0 ? SETTLING_INTERVAL_MS : PLAN_INTERVAL_MS;
  const waits = !watched || isPending || shown === undefined;
  const lookAgain = useEffectEvent(() => shown !== undefined && follow(shown.asked));
  // `shown` is another object with every answer: each starts the next wait.
  useEffect(() => {
    if (waits) return;
    const timer = setTimeout(lookAgain, Math.max(intervalMs, waitFor(shown)));
    return () => clearTimeout(timer);
  }, [waits, intervalMs, shown]);
  useEffect(() => {
    if (simulation === undefined || !watched) return;
    const timer = setTimeout(setOld, PLAN_LIFE_MS, simulation);
    return () => clearTimeout(timer);
  }, [simulation, watched]);
  return simulation !== undefined && old === simulation ? TOO_OLD : undefined;
}

const TOO_OLD = 'These figures are too old to sell by. The next ones are on their way.';
