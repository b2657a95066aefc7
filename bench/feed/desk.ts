/** The live loop over a database of opportunities whose markets a bench plays: everything from the frame to the decision is the product's own. */

import { setTimeout as pause } from 'node:timers/promises';
import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { onlyEngine } from '@dutchbook/server/engines/engines.ts';
import { readDraft } from '@dutchbook/server/opportunities/draft.ts';
import { insertDrafts } from '@dutchbook/server/opportunities/store.ts';
import { type LivePrices, startLivePrices } from '@dutchbook/server/trading/prices/live-prices.ts';
import { type QuoteFeed, startQuotes } from '@dutchbook/server/trading/quotes/quotes.ts';
import { readConfig } from '@dutchbook/server/world/config.ts';
import { openWorld } from '@dutchbook/server/world/open-world.ts';
import type { World } from '@dutchbook/server/world/world.ts';
import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { tickFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import {
  type MarketStream,
  type MarketStreamEvents,
  type Venue,
  type VenuePrices,
  VenueUnavailable,
} from '@dutchbook/venues/venue.ts';
import { type DatabaseKind, openDatabase } from '../databases.ts';

const ROWS_AT_ONCE = 5000;
const LOOK_EVERY_MS = 20;

export type Desk = AsyncDisposable & {
  world: World;
  markets: readonly Market[];
  quotes: QuoteFeed;
  live: LivePrices;
  stream: MarketStream;
};

export type DeskPlan = {
  kind: DatabaseKind;
  opportunities: number;
  openStream: (events: MarketStreamEvents, world: World) => MarketStream;
  /** Of each opportunity: 4 by default. */
  positions?: number;
  /** In how many opportunities each token is on average: 2 by default. */
  shared?: number;
  /** Nobody answers where none are given. */
  openPrices?: (world: World) => VenuePrices;
};

/** A desk that follows its opportunities, once each of its tokens is subscribed to. */
export async function openDesk(plan: DeskPlan): Promise<Desk> {
  const { kind, opportunities: count, openStream, positions = 4, shared = 2, openPrices = () => SILENT } = plan;
  const database = await openDatabase(kind);
  const { world, close } = await openWorld(readConfig(database.variables));
  const size = Math.max(MARKETS_MIN, (count * positions) / (2 * shared));
  const markets = Array.from({ length: size }, (_, index) => marketAt(index));
  await addOpportunities(world, markets, count, positions);
  const opened: { stream?: MarketStream } = {};
  const openMarketStream = (events: MarketStreamEvents) => {
    opened.stream = openStream(events, world);
    return opened.stream;
  };
  const venue = venueOf(markets, world, { prices: openPrices(world), openMarketStream });
  const settings = unchangingSettings();
  const quotes = startQuotes(world, venue, settings);
  const live = await startLivePrices({
    world,
    quotes,
    settings,
    stream: { publish: () => {}, watched: () => false },
    shares: onlyEngine().shares,
    blockersOf: async () => [],
    onTrigger: {
      isReady: () => true,
      placeAutomatically: async () => null,
      recordPlaced: async () => {},
      wake: () => {},
    },
  });
  const { stream } = opened;
  if (stream === undefined) throw new Error('the quotes opened no stream');
  const watched = Math.min(count * positions, markets.length * 2);
  while (stream.health().tokens < watched || stream.health().connected < stream.health().sockets) {
    await pause(LOOK_EVERY_MS);
  }
  return {
    world,
    markets,
    quotes,
    live,
    stream,
    [Symbol.asyncDispose]: async () => {
      await live.stop();
      await quotes.stop();
      await close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Fewer would not hold the games that are played. */
const MARKETS_MIN = 600;

function unchangingSettings() {
  const defaults = Object.fromEntries(Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]));
  return {
    current: () => defaults as Settings,
    corrupt: () => [],
    refresh: async () => {},
    onChange: () => () => {},
  };
}

/** The market at a place of the list: made up, and the same wherever it is asked for. */
export function marketAt(index: number): Market {
  return {
    id: `0x${index.toString(16).padStart(64, '0')}`,
    question: `Will game ${index} be won?`,
    event: null,
    outcomes: ['Yes', 'No'].map((outcome, side) => ({ outcome, tokenId: `${10n ** 76n + BigInt(index * 2 + side)}` })),
    negRisk: false,
    endDate: null,
    closed: false,
    acceptingOrders: true,
    tick: tickFromText('0.01'),
    minOrderSize: sharesFromText('5'),
    feeRate: fractionFromText('0.03'),
  };
}

const silent = () => Promise.reject(new VenueUnavailable('nothing but the stream is here'));
const SILENT: VenuePrices = { fetchBooks: silent, fetchQuotes: silent };

/** A venue that lists the markets at once; nothing else of it answers than what is given. */
function venueOf(markets: readonly Market[], world: World, given: Pick<Venue, 'prices' | 'openMarketStream'>): Venue {
  const byId = new Map(markets.map((market) => [market.id, market]));
  return {
    ...given,
    name: 'polymarket',
    trading: null,
    catalogue: {
      searchMarkets: silent,
      marketsById: async (ids) => new Map(ids.flatMap((id) => (byId.has(id) ? [[id, byId.get(id) as Market]] : []))),
    },
    openUserStream: () => ({ connected: () => false, close: async () => {} }),
    serverTime: async () => world.clock.now(),
    forget: () => {},
    close: async () => {},
  };
}

/** Positions spread over all tokens, as many as have no divisor with `count - 1`; a target that no price reaches. */
async function addOpportunities(
  world: World,
  markets: readonly Market[],
  count: number,
  positions: number,
): Promise<void> {
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const size = Math.min(ROWS_AT_ONCE, count - from);
    await insertDrafts(
      world,
      Array.from({ length: size }, (_, index) =>
        draftAt(
          Array.from({ length: positions }, (_, leg) => (from + index) * positions + leg * (count - 1)),
          markets,
        ),
      ),
    );
  }
}

/** One position on each of the tokens at these places, which begin again where the markets end. */
function draftAt(places: readonly number[], markets: readonly Market[]) {
  const legs = places.map((place, leg) => {
    const token = place % (markets.length * 2);
    const market = markets[token >> 1];
    return { leg: leg + 1, markets: [{ id: market?.id, outcome: market?.outcomes[token & 1]?.outcome }] };
  });
  const read = readDraft({ market_combinations: legs, target_price: 0.01 });
  if (read.kind === 'refused') throw new Error(`${read.field}: ${read.reason}`);
  return read.draft;
}
