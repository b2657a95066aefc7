import type { Venue } from '@dutchbook/venues/venue.ts';
import { activeBatchOf } from '../batches/store.ts';
import type { Engines } from '../engines/engines.ts';
import type { Placing, StreamHub, TradingControls, WatchedSettings } from '../parts.ts';
import type { Feed } from '../status/system-status.ts';
import type { World } from '../world/world.ts';
import { type Account, startAccount } from './account.ts';
import { assess, type Readiness } from './assess.ts';
import { followClockSkew } from './clock-skew.ts';
import { limitState } from './placing/limit-use.ts';
import type { PlaceParts } from './placing/place.ts';
import { buyTriggered } from './placing/place-triggered.ts';
import { callBatch, type StartedPlacing, startPlacing } from './placing/placing.ts';
import { spendableCash } from './placing/spendable.ts';
import { type LivePrices, startLivePrices } from './prices/live-prices.ts';
import type { BlockersOf } from './prices/watched-details.ts';
import { type QuoteFeed, startQuotes } from './quotes/quotes.ts';
import { tellFeedDown } from './tell-feed-down.ts';

export type Trading = PlaceParts & {
  quotes: QuoteFeed;
  account: Account;
  placing: Placing;
  live: LivePrices;
  blockersOf: BlockersOf;
  feed: () => Feed;
  stop: () => Promise<void>;
};

/** Starts the loops: first what an earlier run left unfinished is taken up, then prices are followed and may trigger. */
export async function startTrading(
  world: World,
  venue: Venue,
  settings: WatchedSettings,
  controls: TradingControls,
  stream: StreamHub,
  engines: Engines,
): Promise<Trading> {
  const { shares } = engines;
  const quotes = startQuotes(world, venue, settings);
  engines.tellFeed(() => feedOf(quotes));
  const divide = () => venue.trading?.pace.divide(Math.max(1, engines.alive()), world.clock.now());
  engines.onBeat(divide);
  divide();
  const stopForgetting = world.notices.on('cache_cleared', quotes.forget);
  const account = startAccount(world, venue.trading);
  await account.refresh();
  const skew = await followClockSkew(world, venue);
  const soundness = () => ({ corruptSettings: settings.corrupt(), clockSkewMs: skew.currentMs() });
  const isEngine = world.config.roles.has('engine');
  const placing = isEngine
    ? await startPlacing({ world, venue, quotes, stream, account, controls, settings, shares, soundness })
    : onlyCalling(world);
  const readiness = (): Readiness => ({
    armed: controls.current().armed,
    reconciled: placing.isReconciled(),
    ...soundness(),
  });
  const { catalogue } = venue;
  const parts: PlaceParts = { world, quotes, catalogue, settings, controls, account, readiness };
  const blockersOf = automaticBlockers(parts);
  const live = await startLivePrices({
    world,
    quotes,
    settings,
    stream,
    shares,
    blockersOf,
    onTrigger: {
      isReady: () => isEngine && placing.isReconciled(),
      buy: (opportunity, quoted) => buyTriggered(parts, placing, opportunity, quoted),
    },
  });
  const stopTelling = isEngine ? tellFeedDown(world, () => feedOf(quotes)) : () => {};
  const stop = async () => {
    stopForgetting();
    stopTelling();
    await live.stop();
    await placing.stop();
    skew.stop();
    account.stop();
    await quotes.stop();
  };
  return { ...parts, quotes, placing, live, blockersOf, feed: engines.feed, stop };
}

/** A process without the engine's role only records; one that has it finds the work in the database. */
function onlyCalling(world: World): StartedPlacing {
  const wake = (batchId: string) =>
    void callBatch(world, batchId).catch((error: unknown) =>
      world.log.warn({ err: error, batchId }, 'no engine was called: one finds the batch by itself'),
    );
  return { wake, isReconciled: () => true, stop: async () => {}, beginner: null };
}

/** What refuses an automatic order now: everything that would refuse a person's, and the trigger's own threshold. */
function automaticBlockers(parts: PlaceParts): BlockersOf {
  const { world, settings, account, readiness } = parts;
  return async (opportunity, quotes) => {
    const { blockers } = assess({
      opportunity,
      quotes,
      size: null,
      quotedPrice: null,
      automatic: true,
      settings: settings.current(),
      now: world.clock.now(),
      cash: await spendableCash(world.db, account.reading()),
      activeBatchId: await activeBatchOf(world.db, opportunity.id),
      readiness: readiness(),
      limitState: await limitState(world.db, parts),
    });
    return blockers;
  };
}

function feedOf(quotes: QuoteFeed): Feed {
  const { mode, sockets, connected, staleTokens } = quotes.health();
  if (mode === 'poll') return 'polled';
  if (sockets > 0 && connected === 0) return 'down';
  return connected < sockets || staleTokens > 0 ? 'degraded' : 'live';
}
