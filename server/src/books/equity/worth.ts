/** What the account is worth now: cash by the ledger, whole sets at what they pay, other shares at the bid. */
import { bestBid } from '@dutchbook/engine/book/book.ts';
import { USD_UNIT } from '@dutchbook/engine/ledger/entry.ts';
import { type EquityPoint, type LoosePosition, worthOf } from '@dutchbook/engine/ledger/equity.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { resolvedValueOf } from '@dutchbook/engine/opportunity/value.ts';
import type { MarketId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { type LedgerAccount, venueOfCash } from '@dutchbook/units/ledger-kinds.ts';
import { PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { sql } from 'drizzle-orm';
import type { LiveQuote, Quotes } from '../../market/markets/live-quotes.ts';
import { inOneSnapshot } from '../../platform/database/locks.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { readBalances } from '../../trading/ledger/balances.ts';
import { heldShares, isHolding } from '../../trading/under-way/rules.ts';

/** More positions than an account holds outside of whole sets. */
const LOOSE_MAX = 2000;

export type WorthParts = { runtime: Pick<Runtime, 'db' | 'clock'>; quotes: Quotes };

export type Worth = EquityPoint & {
  unpriced: number;
  /** When the ledger began; null until it has been compared with the venue once. */
  beganAt: Instant | null;
};

/** Cash and holdings are of one moment; the bids are those of the moment after. */
export async function readWorth({ runtime: { db, clock }, quotes }: WorthParts): Promise<Worth> {
  const { balances, locked, loose, beganAt } = await inOneSnapshot(db, async (tx) => ({
    balances: await readBalances(tx),
    locked: await readLocked(tx),
    loose: await readLoose(tx),
    beganAt: await readBeginning(tx),
  }));
  const dollarsOf = (isWanted: (account: LedgerAccount) => boolean) =>
    balances
      .filter(({ account, unit }) => unit === USD_UNIT && isWanted(account))
      .reduce((sum, { amount }) => sum + amount, 0) as Usd;
  const { worth, unpriced } = worthOf(await priced(quotes, loose));
  return {
    at: clock.now(),
    cash: dollarsOf((account) => venueOfCash(account) !== null || account === 'receivable'),
    locked,
    shares: worth,
    paidIn: -dollarsOf((account) => account === 'outside' || account === 'unnamed') as Usd,
    unpriced,
    beganAt,
  };
}

const HELD = sql`select distinct batch_id from batch_orders where side = 'buy' and filled_size > sold_size`;
const IS_HELD = sql`${isHolding(sql`b`)} and not b.simulated`;

/**
 * What is still to be paid for whole sets: the profit of a batch counts it, and is without it what its trades have brought and taken.
 */
async function readLocked(db: Db): Promise<Usd> {
  const { rows } = (await db.execute(sql`
    select coalesce(sum(b.actual_profit - moved.usd), 0)::text as usd
    from (${HELD}) held join batches b on b.id = held.batch_id, lateral (
      select coalesce(sum(case side when 'sell' then filled_cost - fee else -(filled_cost + fee) end), 0) as usd
      from batch_orders where batch_id = b.id
    ) moved
    where ${IS_HELD} and b.actual_profit is not null`)) as unknown as { rows: { usd: string }[] };
  return Number(rows[0]?.usd ?? 0) as Usd;
}

type Loose = { position: Omit<Position, 'leg'>; shares: Shares; resolvedValue: Price | null };

/** Shares that no whole set of their batch needs, and those that contracts handed out for others. */
async function readLoose(db: Db): Promise<Loose[]> {
  const { rows } = (await db.execute(sql`
    with held as (select b.* from (${HELD}) held join batches b on b.id = held.batch_id where ${IS_HELD}), loose as (
      select (each ->> 'orderId')::uuid as order_id, (each ->> 'shares')::bigint as shares
      from held, jsonb_array_elements(held.unhedged -> 'positions') each where held.unhedged is not null
      union all
      select o.id, ${heldShares(sql`o`)} from held join batch_orders o on o.batch_id = held.id
      where o.side = 'buy' and o.chain_step_id is not null and o.chain_step_id is distinct from held.split_step_id
    )
    select o.market_id, o.outcome, max(o.resolved_value)::text as resolved_value, sum(loose.shares)::text as shares
    from loose join batch_orders o on o.id = loose.order_id where loose.shares > 0
    group by o.market_id, o.outcome order by sum(loose.shares) desc limit ${LOOSE_MAX}`)) as unknown as {
    rows: (Record<'market_id' | 'outcome' | 'shares', string> & { resolved_value: string | null })[];
  };
  return rows.map((row) => ({
    position: { marketId: row.market_id as MarketId, outcome: row.outcome },
    shares: Number(row.shares) as Shares,
    resolvedValue: row.resolved_value === null ? null : (Number(row.resolved_value) as Price),
  }));
}

async function readBeginning(db: Db): Promise<Instant | null> {
  const { rows } = (await db.execute(sql`
    select extract(epoch from least(min(e.at), (select min(at) from ledger_checks))) * 1000 as at
    from ledger_entries e where exists (select from ledger_checks)`)) as unknown as { rows: { at: string | null }[] };
  const at = rows[0]?.at ?? null;
  return at === null ? null : (Math.floor(Number(at)) as Instant);
}

async function priced(quotes: Quotes, loose: readonly Loose[]): Promise<LoosePosition[]> {
  if (loose.length === 0) return [];
  const positions = loose.map(({ position }, place) => ({ leg: place + 1, ...position }));
  const quoted = await freshOrCurrent(quotes, positions);
  return loose.map((each, place) => ({ shares: each.shares, price: priceOf(each, quoted[place]) }));
}

/** A book that is fresh and has no bids says that nothing is paid for them now. */
function priceOf({ resolvedValue, position }: Loose, quote: LiveQuote | undefined): Price | null {
  const resolved = resolvedValue ?? resolvedValueOf({ market: quote?.market, outcome: position.outcome });
  if (resolved !== null) return resolved;
  return quote?.book === undefined || quote.feed === 'stale' ? null : (bestBid(quote.book) ?? PRICE_ZERO);
}

async function freshOrCurrent(quotes: Quotes, positions: readonly Position[]): Promise<LiveQuote[]> {
  try {
    return await quotes.fresh(positions, 'display');
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    return quotes.current(positions);
  }
}
