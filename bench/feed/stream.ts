/** The product's reader of a market channel that a bench plays. */
import type { Runtime } from '@dutchbook/server/platform/runtime/runtime.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { PolymarketMarketStream } from '@dutchbook/venues/polymarket/market-stream/market-stream.ts';
import { createTicks } from '@dutchbook/venues/polymarket/ticks.ts';
import {
  type MarketStream,
  type MarketStreamEvents,
  type VenueRuntime,
  VenueUnavailable,
} from '@dutchbook/venues/venue.ts';
import { otherTokens } from './markets.ts';

const NEVER_MS = 3_600_000;

/** What the venue's own code asks of a runtime. */
function venueRuntime({ clock, random, log }: Runtime): VenueRuntime {
  return { now: clock.now, random: random.fraction, log };
}

/** The product's reader of the market channel at `url`; it makes no REST calls. */
export function openStreamAt(url: string, runtime: Runtime, events: MarketStreamEvents): MarketStream {
  const silent = () => Promise.reject(new VenueUnavailable('nothing but the stream is here'));
  return new PolymarketMarketStream({
    url,
    config: { ...POLYMARKET_DEFAULTS.stream, silenceMs: NEVER_MS, compareEveryMs: NEVER_MS },
    runtime: venueRuntime(runtime),
    prices: { fetchBooks: silent, fetchQuotes: silent },
    ticks: createTicks(runtime.clock.now),
    otherTokens,
    events,
  });
}
