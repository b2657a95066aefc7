import type { World } from '../../world/world.ts';
import { answered } from './answered.ts';
import type { MarketFacts } from './market-facts.ts';

const REFRESH_MS = 30_000;
const RETRY_MS = 2000;

export type MarketLoader = {
  /** Has markets that were never asked for loaded soon, all that are wanted at that moment in one go. */
  want: (marketIds: readonly string[]) => void;
  stop: () => void;
};

type Loaded = {
  facts: MarketFacts;
  /** The markets to ask for again every half minute. */
  watched: () => string[];
  onLoaded: (marketIds: readonly string[]) => void;
};

/** Keeps what is known of the watched markets recent, and asks again for what the venue has not answered yet. */
export function startMarketLoader(
  { timers, log }: Pick<World, 'timers' | 'log'>,
  { facts, watched, onLoaded }: Loaded,
): MarketLoader {
  const unasked = new Set<string>();
  let isDue = false;
  let isLoading = false;
  let isStopped = false;

  const tell = (marketIds: readonly string[]) => {
    for (const id of marketIds) unasked.delete(id);
    if (!isStopped) onLoaded(marketIds);
  };
  const load = (marketIds: readonly string[]) => answered(log, 'its markets', () => facts.load(marketIds, tell));
  const loadUnasked = async () => {
    isDue = false;
    if (isLoading || isStopped) return;
    isLoading = true;
    // Also what is known by now: who else had it loaded may have failed before telling of it.
    try {
      while (unasked.size > 0) if (!(await load([...unasked]))) break;
    } finally {
      isLoading = false;
    }
  };
  const stops = [
    timers.every(REFRESH_MS, async () => void (await load(watched()))),
    timers.every(RETRY_MS, loadUnasked),
  ];

  return {
    want: (marketIds) => {
      for (const id of marketIds) if (facts.market(id) === undefined) unasked.add(id);
      if (unasked.size === 0 || isDue || isLoading) return;
      isDue = true;
      timers.after(0, loadUnasked);
    },
    stop: () => {
      isStopped = true;
      for (const stop of stops) stop();
    },
  };
}
