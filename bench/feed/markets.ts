/** Made-up markets, a venue that lists them, and opportunities on them. */
import type { Market } from '@dutchbook/engine/market/market.ts';
import { feeOf, STEPS } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import type { Db, Runtime } from '@dutchbook/server/platform/runtime/runtime.ts';
import { tickFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { type Venue, type VenuePrices, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { type SQL, sql } from 'drizzle-orm';
import { insertAtOnce, uuidOf } from '../filled.ts';

/** Price and fee, in millionths of a dollar, of a position whose book the bench does not play. */
const ASK = 510_000;
const FEE = 7500;

/** The played games need at least so many markets. */
const MARKETS_MIN = 600;

/** The markets over which the opportunities of a plan are spread. */
export function marketsOf({ opportunities, positions }: { opportunities: number; positions: number }): Market[] {
  // Two tokens a market, each in two opportunities on average.
  const size = Math.max(MARKETS_MIN, (opportunities * positions) / 4);
  return Array.from({ length: size }, (_, index) => marketAt(index));
}

/** The made-up market at `index`; an index always has the same market. */
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

/** A venue whose catalogue is the markets; its other calls fail unless they are given. */
export function venueOf(
  markets: readonly Market[],
  runtime: Runtime,
  given: Pick<Venue, 'openMarketStream'> & Partial<Pick<Venue, 'prices'>>,
): Venue {
  const byId = new Map(markets.map((market) => [market.id, market]));
  return {
    prices: SILENT,
    ...given,
    names: ['polymarket'],
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
 * price reaches, and the price of a position in each book that the bench does not play.
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
