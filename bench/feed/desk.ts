/** The live loop over a database of opportunities whose markets a bench plays: everything from the frame to the decision is the product's own. */

import { setTimeout as pause } from 'node:timers/promises';
import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { feeOf, STEPS } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { readConfig } from '@dutchbook/server/config/config.ts';
import { openDecisionFacts } from '@dutchbook/server/decision-facts/note.ts';
import { onlyEngine } from '@dutchbook/server/engines/engines.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import type { LivePrices } from '@dutchbook/server/opportunities/live-prices.ts';
import type { Partitions, WatchedSettings } from '@dutchbook/server/parts.ts';
import { startLivePrices } from '@dutchbook/server/prices/live-prices.ts';
import { type QuoteFeed, startQuotes } from '@dutchbook/server/prices/quotes/quotes.ts';
import type { Db, Runtime, Timers } from '@dutchbook/server/runtime.ts';
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
import { openDatabase } from '../databases.ts';
import { insertAtOnce, uuidOf } from '../filled.ts';

/** Of a position in a book that nobody plays, in millionths of a dollar: its price, and the venue's fee at that price. */
const ASK = 510_000;
const FEE = 7500;
const LOOK_EVERY_MS = 100;

export type Desk = AsyncDisposable & {
  runtime: Runtime;
  markets: readonly Market[];
  quotes: QuoteFeed;
  live: LivePrices;
  stream: MarketStream;
};

export type DeskPlan = {
  opportunities: number;
  openStream: (events: MarketStreamEvents, runtime: Runtime) => MarketStream;
  /** Of each opportunity: 4 by default. */
  positions?: number;
  /** In how many opportunities each token is on average: 2 by default. */
  shared?: number;
  /** Nobody answers where none are given. */
  openPrices?: (runtime: Runtime) => VenuePrices;
};

/** A desk that follows its opportunities, once each of its tokens is subscribed to. */
export async function openDesk(plan: DeskPlan): Promise<Desk> {
  const { opportunities: count, positions = 4 } = plan;
  const database = await openDatabase();
  const { runtime, close } = await openRuntime(readConfig(database.variables));
  const markets = marketsOf(plan);
  await addOpportunities(runtime.db, markets, count, positions);
  const hurry = { isOn: true };
  const followed = await follow(runtime, onlyEngine().partitions, markets, {
    ...plan,
    timers: hurried(runtime.timers, hurry),
  });
  const { stream } = followed;
  const watched = Math.min(count * positions, markets.length * 2);
  while (stream.health().tokens < watched || stream.health().connected < stream.health().sockets) {
    await pause(LOOK_EVERY_MS);
  }
  hurry.isOn = false;
  return {
    runtime,
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

/** The live loop over those opportunities of the database that are in its partitions; `timers`: those that pace its calls. */
export async function follow(
  runtime: Runtime,
  partitions: Partitions,
  markets: readonly Market[],
  {
    openStream,
    openPrices = () => SILENT,
    timers = runtime.timers,
    settings = unchangingSettings(),
  }: Pick<DeskPlan, 'openStream' | 'openPrices'> & { timers?: Timers; settings?: WatchedSettings },
): Promise<Followed> {
  const opened: { stream?: MarketStream } = {};
  const openMarketStream = (events: MarketStreamEvents) => {
    opened.stream = openStream(events, runtime);
    return opened.stream;
  };
  const venue = venueOf(markets, runtime, { prices: openPrices(runtime), openMarketStream });
  const quotes = startQuotes({ ...runtime, timers }, venue, settings);
  const facts = openDecisionFacts(runtime, partitions);
  const live = await startLivePrices({
    runtime,
    quotes,
    settings,
    stream: { publish: () => {}, watched: () => false },
    partitions,
    facts,
    blockersOf: async () => [],
    onTrigger: {
      isReady: () => true,
      buy: () => ({ look: () => async () => ({ refusals: [] }), end: () => {} }),
    },
  });
  const { stream } = opened;
  if (stream === undefined) throw new Error('the quotes opened no stream');
  const stop = async () => {
    await live.stop();
    await facts.stop();
    await quotes.stop();
  };
  return { quotes, live, stream, stop };
}

/** All that the opportunities of a plan are spread over. */
export function marketsOf({ opportunities, positions = 4, shared = 2 }: Omit<DeskPlan, 'openStream'>): Market[] {
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
    resolution: null,
    settledBy: 'exchange',
    tick: tickFromText('0.01'),
    minOrderSize: sharesFromText('5'),
    ...STEPS,
    feeSchedule: feeOf(0.03),
  };
}

/** The other token of its market. */
export function otherTokens(tokenId: string): string[] {
  return [String(BigInt(tokenId) ^ 1n)];
}

/** The tokens of the first markets. */
export function marketTokens(count: number): string[] {
  const markets = Array.from({ length: count / 2 }, (_, index) => marketAt(index));
  return markets.flatMap(({ outcomes }) => outcomes.map(({ tokenId }) => tokenId));
}

const silent = () => Promise.reject(new VenueUnavailable('nothing but the stream is here'));
const SILENT: VenuePrices = { fetchBooks: silent, fetchQuotes: silent };

/** A venue that lists the markets at once, anew each time; nothing else of it answers than what is given. */
export function venueOf(
  markets: readonly Market[],
  runtime: Runtime,
  given: Pick<Venue, 'openMarketStream'> & Partial<Pick<Venue, 'prices'>>,
): Venue {
  const byId = new Map(markets.map((market) => [market.id, market]));
  return {
    prices: SILENT,
    ...given,
    trading: null,
    catalogue: {
      searchMarkets: silent,
      searchLeftOut: silent,
      whyLeftOut: () => null,
      onCompared: () => {},
      readEvents: async function* () {},
      eventsById: async () => [],
      marketsById: async (ids) =>
        new Map(
          ids.flatMap((id) => {
            const market = byId.get(id);
            return market === undefined ? [] : [[id, { ...market }]];
          }),
        ),
    },
    openUserStream: () => ({ connected: () => false, close: async () => {} }),
    chain: null,
    serverTime: async () => runtime.clock.now(),
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
    with stored as (
      insert into opportunities (id, created_at, updated_at, market_combinations, target_price, active, content_hash)
      select ${uuidOf(sql`'opportunity ' || n`)}, now() - interval '1 hour', now() - interval '1 hour',
        (select jsonb_agg(jsonb_build_object('leg', leg + 1, 'markets', jsonb_build_array(jsonb_build_object(
          'id', '0x' || lpad(to_hex(${token} / 2), 64, '0'), 'outcome', (array['Yes', 'No'])[1 + ${token} % 2]))) order by leg)
          from generate_series(0, ${positions - 1}::int) as leg),
        10000, true, encode(sha256(n::text::bytea), 'hex')
      from generate_series(0, ${count - 1}::int) as n
      returning id, updated_at
    )
    insert into opportunity_prices (opportunity_id, edited_at, current_price, fees_per_set, profit_percentage, last_checked)
    select id, updated_at, ${ASK * positions}::bigint, ${FEE * positions}::bigint,
      floor((10000 - ${(ASK + FEE) * positions}::numeric) * 100000000 / ${(ASK + FEE) * positions}::numeric)::bigint,
      updated_at
    from stored`;
}
