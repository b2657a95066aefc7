import type { MarketId } from '@dutchbook/units/ids.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import type { MarketCache } from './market-cache.ts';
import { answered } from './venue-reads.ts';

const REFRESH_MS = 30_000;
const RETRY_MS = 2000;
/** An import wants a hundred thousand at once: they are loaded in groups of this size. */
const MARKETS_PER_LOAD = 5000;

export type MarketLoader = {
  /** Has markets that were never asked for loaded soon, all that are wanted at that moment in one go. */
  want: (marketIds: readonly MarketId[]) => void;
  stop: () => void;
};

type Loaded = {
  cache: MarketCache;
  /** The markets to ask for again every half minute. */
  watched: () => string[];
  /** `changed`: those of which something else is known than before. */
  onLoaded: (marketIds: readonly MarketId[], changed: readonly string[]) => void;
};

/** Keeps what is known of the watched markets recent, and asks again for what the venue has not answered yet. */
export function startMarketLoader(
  { timers, log }: Pick<Runtime, 'timers' | 'log'>,
  { cache, watched, onLoaded }: Loaded,
): MarketLoader {
  const unasked = new Set<string>();
  let isDue = false;
  let isLoading = false;
  let isStopped = false;

  const publish = (marketIds: readonly MarketId[], changed: readonly string[]) => {
    for (const id of marketIds) unasked.delete(id);
    if (!isStopped) onLoaded(marketIds, changed);
  };
  const load = (marketIds: readonly MarketId[]) =>
    answered(log, 'markets', () => cache.load(marketIds, { priority: 'following', onKept: publish }));
  const loadUnasked = async () => {
    isDue = false;
    if (isLoading || isStopped) return;
    isLoading = true;
    let areAnswered = true;
    // Also what is known by now: who else had it loaded may have failed before telling of it.
    try {
      while (unasked.size > 0 && areAnswered) {
        for (const marketIds of inGroups(unasked)) if (!(await load(marketIds))) areAnswered = false;
      }
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
      for (const id of marketIds) if (cache.market(id) === undefined) unasked.add(id);
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

function* inGroups(ids: Iterable<string>): Generator<string[]> {
  let group: string[] = [];
  for (const id of ids) {
    group.push(id);
    if (group.length < MARKETS_PER_LOAD) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
