/** The live loop over a database of opportunities whose markets a bench plays: everything from the frame to the decision is the product's own. */

import { setTimeout as pause } from 'node:timers/promises';
import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { onlyEngine } from '@dutchbook/server/engines/engines.ts';
import type { Shares } from '@dutchbook/server/parts.ts';
import { type LivePrices, startLivePrices } from '@dutchbook/server/trading/prices/live-prices.ts';
import { type QuoteFeed, startQuotes } from '@dutchbook/server/trading/quotes/quotes.ts';
import { readConfig } from '@dutchbook/server/world/config.ts';
import { openWorld } from '@dutchbook/server/world/open-world.ts';
import type { Db, Timers, World } from '@dutchbook/server/world/world.ts';
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
import { type SQL, sql } from 'drizzle-orm';
import { type DatabaseKind, openDatabase } from '../databases.ts';
import { insertAtOnce, uuidOf } from '../filled.ts';

/** Of a position in a book that nobody plays, in millionths of a dollar: its price, and the venue's fee at that price. */
const ASK = 510_000;
const FEE = 7500;
const LOOK_EVERY_MS = 100;

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
  const { kind, opportunities: count, positions = 4 } = plan;
  const database = await openDatabase(kind);
  const { world, close } = await openWorld(readConfig(database.variables));
  const markets = marketsOf(plan);
  await addOpportunities(world.db, markets, count, positions);
  const hurry = { isOn: true };
  const followed = await follow(world, onlyEngine().shares, markets, { ...plan, timers: hurried(world.timers, hurry) });
  const { stream } = followed;
  const watched = Math.min(count * positions, markets.length * 2);
  while (stream.health().tokens < watched || stream.health().connected < stream.health().sockets) {
    await pause(LOOK_EVERY_MS);
  }
  hurry.isOn = false;
  return {
    world,
    markets,
    ...followed,
    [Symbol.asyncDispose]: async () => {
      await followed.stop();
      await close();
      await database[Symbol.asyncDispose]();
    },
  };
}

export type Followed = Pick<Desk, 'quotes' | 'live' | 'stream'> & { stop: () => Promise<void> };

/** The live loop over those opportunities of the database that are in its shares; `timers`: those that pace its calls. */
export async function follow(
  world: World,
  shares: Shares,
  markets: readonly Market[],
  {
    openStream,
    openPrices = () => SILENT,
    timers = world.timers,
  }: Pick<DeskPlan, 'openStream' | 'openPrices'> & { timers?: Timers },
): Promise<Followed> {
  const opened: { stream?: MarketStream } = {};
  const openMarketStream = (events: MarketStreamEvents) => {
    opened.stream = openStream(events, world);
    return opened.stream;
  };
  const venue = venueOf(markets, world, { prices: openPrices(world), openMarketStream });
  const settings = unchangingSettings();
  const quotes = startQuotes({ ...world, timers }, venue, settings);
  const live = await startLivePrices({
    world,
    quotes,
    settings,
    stream: { publish: () => {}, watched: () => false },
    shares,
    blockersOf: async () => [],
    onTrigger: {
      isReady: () => true,
      buy: () => ({ decide: async () => null, end: () => {} }),
    },
  });
  const { stream } = opened;
  if (stream === undefined) throw new Error('the quotes opened no stream');
  const stop = async () => {
    await live.stop();
    await quotes.stop();
  };
  return { quotes, live, stream, stop };
}

/** All that the opportunities of a plan are spread over. */
export function marketsOf({
  opportunities,
  positions = 4,
  shared = 2,
}: Omit<DeskPlan, 'kind' | 'openStream'>): Market[] {
  const size = Math.max(MARKETS_MIN, (opportunities * positions) / (2 * shared));
  return Array.from({ length: size }, (_, index) => marketAt(index));
}

/** Asks for the markets without the pauses that a venue wants between two calls, as long as it is on. */
function hurried(timers: Timers, hurry: { isOn: boolean }): Timers {
  return { ...timers, after: (ms, work) => timers.after(hurry.isOn ? 0 : ms, work) };
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

/** The tokens of the first markets. */
export function marketTokens(count: number): string[] {
  const markets = Array.from({ length: count / 2 }, (_, index) => marketAt(index));
  return markets.flatMap(({ outcomes }) => outcomes.map(({ tokenId }) => tokenId));
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

export function addOpportunities(db: Db, markets: readonly Market[], count: number, positions: number): Promise<void> {
  return insertAtOnce(db, [opportunitiesOn(markets.length, count, positions)]);
}

/**
 * One statement for all: positions spread over all tokens, as many as have no divisor with `count - 1`, a target that no
 * price reaches, and the price of a position in each book that nobody plays.
 */
function opportunitiesOn(markets: number, count: number, positions: number): SQL {
  const token = sql`((n * ${positions}::int + leg * ${count - 1}::bigint) % ${markets * 2}::int)`;
  return sql`
    insert into opportunities (id, created_at, updated_at, market_combinations, target_price, current_price, fees_per_set,
      profit_percentage, active, triggered, last_checked, content_hash)
    select ${uuidOf(sql`'opportunity ' || n`)}, now() - interval '1 hour', now() - interval '1 hour',
      (select jsonb_agg(jsonb_build_object('leg', leg + 1, 'markets', jsonb_build_array(jsonb_build_object(
        'id', '0x' || lpad(to_hex(${token} / 2), 64, '0'), 'outcome', (array['Yes', 'No'])[1 + ${token} % 2]))) order by leg)
        from generate_series(0, ${positions - 1}::int) as leg),
      10000, ${ASK * positions}::bigint, ${FEE * positions}::bigint,
      floor((10000 - ${(ASK + FEE) * positions}::numeric) * 100000000 / ${(ASK + FEE) * positions}::numeric)::bigint,
      true, false, now() - interval '1 hour', encode(sha256(n::text::bytea), 'hex')
    from generate_series(0, ${count - 1}::int) as n`;
}
