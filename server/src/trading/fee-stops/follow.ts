/** The categories that are stopped, as every process that buys knows them, and those that the venue's own words stop. */

import { feeCategoryOf } from '@dutchbook/engine/market/fee-category.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { MarketId } from '@dutchbook/units/ids.ts';
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import { keepRefreshed, openHeld } from '../../platform/runtime/refreshed.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { type FeeFinding, standingCategories, stopCategory } from './store.ts';

export type FollowedFeeStops = { current: () => ReadonlySet<string>; stop: () => void };

/** @throws when they cannot be read at first */
export async function followFeeStops(
  runtime: Pick<Runtime, 'db' | 'pubsub' | 'timers' | 'log'>,
): Promise<FollowedFeeStops> {
  const { db } = runtime;
  const { current, take } = openHeld(await standingCategories(db));
  const { stop } = keepRefreshed(runtime, {
    channels: ['fee_stops_changed'],
    read: () => standingCategories(db),
    take,
    failure: 'stopped categories of fees not read',
  });
  return { current, stop };
}

/** A fee that the venue changes stands in one of its sources before the other: both are read again within that time. */
const STANDS_MS = 20_000;

/** Stops the category of a market whose sources go on to differ on the fee; called each time that something is said of it. */
export function stopWhereSourcesDiffer(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'pubsub' | 'log'>,
): (marketId: MarketId, market: Market | null) => void {
  const differing = new Map<string, { cause: string; since: Instant; isStopped: boolean }>();
  return (marketId, market) => {
    const finding = market && findingOf(market);
    const known = differing.get(marketId);
    if (finding === null) return void differing.delete(marketId);
    const now = runtime.clock.now();
    if (known?.cause !== finding.cause) {
      differing.set(marketId, { cause: finding.cause, since: now, isStopped: false });
      return;
    }
    if (known.isStopped || elapsedMs(known.since, now) < STANDS_MS) return;
    known.isStopped = true;
    runtime.db
      .transaction((tx) => stopCategory(tx, runtime, finding))
      .catch((error: unknown) => {
        known.isStopped = false;
        runtime.log.warn({ err: error }, 'difference of fees not recorded, tried again with the next reading');
      });
  };
}

function findingOf(market: Market): FeeFinding | null {
  const difference = market.differences?.find(({ field }) => field === 'fee');
  if (difference === undefined) return null;
  const { id: marketId, question: marketName } = market;
  const category = feeCategoryOf(market);
  const message = `The venue's own sources differ on the fee of "${marketName}": ${difference.says}. Nothing is bought there, and nothing automatically where fees are "${category}", until a superuser clears it.`;
  return { category, cause: `sources ${marketId} ${difference.says}`, marketId, marketName, message };
}
