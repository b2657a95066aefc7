/** Holds the fees that trades were booked with against the cash and shares that the venue has moved for them, as soon as they have settled. */

import { USD_UNIT } from '@dutchbook/engine/ledger/entry.ts';
import { type BookedFill, feesHeldAgainstCash, type HeldFees } from '@dutchbook/engine/ledger/held-against-cash.ts';
import { feeCategoryOf } from '@dutchbook/engine/market/fee-category.ts';
import { type Fraction, fractionToNumber } from '@dutchbook/units/fraction.ts';
import { idAt, type MarketId, type TokenId, type VenueName } from '@dutchbook/units/ids.ts';
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import { cashAt } from '@dutchbook/units/ledger-kinds.ts';
import { microToFixed } from '@dutchbook/units/micro.ts';
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, formatUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type VenueCatalogue, type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq, sql } from 'drizzle-orm';
import { venueIn } from '../../platform/database/columns.ts';
import { lock } from '../../platform/database/locks.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { stopCategory } from '../fee-stops/store.ts';
import { fills, notInLedger } from '../orders/table.ts';
import { rowIdOf } from '../orders/venue-in.ts';
import { reportedOf, UNDER_WAY } from '../under-way/rules.ts';
import { readBalances } from './balances.ts';
import { lastCheck } from './compare.ts';
import { feeChecks } from './table.ts';

export type HoldingParts = {
  venue: VenueName;
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'pubsub' | 'log'>;
  trading: Pick<VenueTrading, 'cashBalance' | 'holding' | 'refreshHoldings'>;
  catalogue: Pick<VenueCatalogue, 'marketsById'>;
};

/** State of the last comparison of fees: its last entry, and the venue's cash beyond the ledger then. */
type Base = typeof feeChecks.$inferSelect;
type TradedFill = BookedFill & { marketId: MarketId; marketName: string; outcome: string; feeRate: Fraction };
/** `isFree`: the cash is what is free, without what the venue keeps back for orders that rest. */
type Reading = { cash: Usd; isFree: boolean; shares: ReadonlyMap<string, Shares> };

/**
 * What is off may be a balance that the venue reads again later, or a trade whose frame was lost: it stands so for longer than the timed
 * read of trades takes.
 */
const STANDS_MS = 12_000;
/** A difference that no fee explains by then is left to the ledger's comparison; the next trades are measured from there. */
const GIVEN_UP_MS = 60_000;
const FILLS_MAX = 200;
const TOKENS_MAX = 10;
/** The venue is asked again after so long where it was not proven, or something else has moved. */
const LOOK_AGAIN_MS = { fee: 2_000, other: 10_000 };

/** @returns what looks, and is called often: it asks the venue only where a trade has settled and nothing is under way */
export function openFeeHolding({ venue, runtime, trading, catalogue }: HoldingParts): () => Promise<void> {
  const { db, clock, log } = runtime;
  let seen: { state: string; at: Instant } | null = null;
  let oddSince: Instant | null = null;
  let notBefore = 0;

  async function look(): Promise<void> {
    if (clock.now() < notBefore) return;
    const [base = null] = await db
      .select()
      .from(feeChecks)
      .where(eq(feeChecks.id, rowIdOf(venue)));
    const through = await lastEntry(db);
    if (base !== null && !(await isEnteredSince(db, venue, base.entryId))) return;
    if ((await lastCheck(db, venue)) === null || !(await isAtRest(db, venue))) return;
    const traded = base === null ? [] : await fillsAfter(db, venue, base.entryId);
    const reading = await read(traded.map(({ tokenId }) => tokenId));
    if (reading === null) return;
    if (reading.isFree && !(await isAtRest(db, venue, RESTING))) {
      notBefore = clock.now() + LOOK_AGAIN_MS.other;
      return;
    }
    const categories = await categoriesOf(catalogue, traded);
    await db.transaction(async (tx) => {
      await lock(tx, 'ledger');
      // Moves since the reading are not in it.
      const moves = reading.isFree ? RESTING : ON_ITS_WAY;
      if ((await isEnteredSince(tx, venue, through)) || !(await isAtRest(tx, venue, moves))) return;
      await judge(tx, { base, through, traded, reading, categories });
    });
  }

  async function judge(tx: Db, { base, through, traded, reading, categories }: Judged): Promise<void> {
    const balances = new Map(
      (await readBalances(tx)).map(({ account, unit, amount }) => [`${account} ${unit}`, amount]),
    );
    const difference = (reading.cash - (balances.get(`${cashAt(venue)} ${USD_UNIT}`) ?? 0)) as Usd;
    const done = () => {
      [seen, oddSince, notBefore] = [null, null, 0];
      return writeBase(tx, venue, { at: clock.now(), entryId: through, difference });
    };
    if (base === null || traded.length === 0) return await done();
    const known = await knownMissing(tx, venue, base.at);
    const shares = [...reading.shares].map(([tokenId, held]) => {
      const booked = (balances.get(`shares ${tokenId}`) ?? 0) + (known.get(tokenId) ?? 0);
      return [tokenId, (held - booked) as Shares] as const;
    });
    const moves = { cash: (difference - base.difference) as Usd, shares: new Map(shares) };
    const isMixed = await hasOtherCash(tx, venue, base.entryId);
    const found: HeldFees = isMixed ? { kind: 'other' } : feesHeldAgainstCash(traded, moves);
    if (found.kind === 'proven' || isMixed) return await done();
    notBefore = clock.now() + LOOK_AGAIN_MS[found.kind];
    if (found.kind === 'other') {
      oddSince ??= clock.now();
      if (elapsedMs(oddSince, clock.now()) < GIVEN_UP_MS) return;
      log.warn({ cash: moves.cash, trades: traded.length }, 'fees not proven: other cash or shares have moved as well');
      return await done();
    }
    if (!standsSo(JSON.stringify([through, difference, shares]))) return;
    for (const [category, market] of categories) {
      const message = sentenceOf(traded, found, moves.shares, category);
      await stopCategory(tx, runtime, {
        category,
        cause: `cash ${idAt(venue, String(through))} ${category}`,
        message,
        ...market,
      });
    }
    await done();
  }

  function standsSo(state: string): boolean {
    if (seen?.state === state) return elapsedMs(seen.at, clock.now()) >= STANDS_MS;
    seen = { state, at: clock.now() };
    return false;
  }

  async function read(tokenIds: readonly TokenId[]): Promise<Reading | null> {
    const tokens = [...new Set(tokenIds)].slice(0, TOKENS_MAX);
    try {
      await trading.refreshHoldings([]);
      const [{ cash, balance }, ...holdings] = await Promise.all([
        trading.cashBalance(),
        ...tokens.map((tokenId) => trading.holding(tokenId)),
      ]);
      const shares = new Map(tokens.map((tokenId, place) => [tokenId, holdings[place]?.shares ?? (0 as Shares)]));
      return { cash: balance ?? cash, isFree: balance === undefined, shares };
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      log.warn({ reason: error.message }, 'fees not held against cash, the venue did not answer');
      return null;
    }
  }

  return look;
}

type Categories = ReadonlyMap<string, { marketId: MarketId; marketName: string }>;
type Judged = {
  base: Base | null;
  through: number;
  traded: readonly TradedFill[];
  reading: Reading;
  categories: Categories;
};

async function lastEntry(db: Db): Promise<number> {
  const { rows } = (await db.execute(sql`select coalesce(max(id), 0)::text as id from ledger_entries`)) as unknown as {
    rows: { id: string }[];
  };
  return Number(rows[0]?.id ?? 0);
}

/** Whether entries of the venue, or of no trade, were written after that one. */
async function isEnteredSince(db: Db, venue: VenueName, entryId: number): Promise<boolean> {
  const { rows } = (await db.execute(sql`select exists (select 1 from ledger_entries where id > ${entryId}
    and (order_hash is null or ${venueIn(sql`order_hash`)} = ${venue})) as found`)) as unknown as {
    rows: { found: boolean }[];
  };
  return rows[0]?.found === true;
}

/** Attempts that move cash, and those that free cash is kept back for besides. */
const ON_ITS_WAY = ['sent', 'unknown', 'delayed'];
const RESTING = [...ON_ITS_WAY, 'open'];

/** Nothing is at the venue that moves cash, as far as is known: what rests in a book moves that of the account only once it is matched. */
async function isAtRest(db: Db, venue: VenueName, moving: readonly string[] = ON_ITS_WAY): Promise<boolean> {
  const isThere = sql`${venueIn(sql`o.token_id`)} = ${venue}`;
  const ordered = sql`join attempts a on a.id = f.attempt_id join batch_orders o on o.id = a.order_id`;
  const { rows } = (await db.execute(sql`select not (
    exists (select 1 from (${UNDER_WAY}) live join batches b on b.id = live.id join attempts a on a.batch_id = live.id
        join batch_orders o on o.id = a.order_id, lateral ${reportedOf(sql`a`)} reported
      where not b.simulated and ${isThere} and (a.status = any(${sql.param(moving)}::text[]) or a.matched_size > reported.size))
    or exists (select 1 from fills f ${ordered}
      where f.settlement not in ('confirmed', 'failed') and f.in_ledger is distinct from 'simulated' and ${isThere})
    or exists (select 1 from ${fills} where ${notInLedger(fills)})
    or exists (select 1 from chain_submissions where venue = ${venue} and payload is not null and booked_at is null)) as at_rest`)) as unknown as {
    rows: { at_rest: boolean }[];
  };
  return rows[0]?.at_rest === true;
}

/** Trades of which cash was booked after that entry. */
async function fillsAfter(db: Db, venue: VenueName, entryId: number): Promise<TradedFill[]> {
  const { rows } = (await db.execute(sql`
    select distinct o.market_id, o.market_name, o.outcome, o.token_id, f.trade_id, f.order_hash, f.size::text, f.price::text,
      f.cost::text, f.fee::text, coalesce(a.fee_rate, o.fee_rate)::text as fee_rate
    from ledger_entries e join fills f on f.trade_id = e.trade_id and f.order_hash = e.order_hash
      join attempts a on a.id = f.attempt_id join batch_orders o on o.id = a.order_id
    where e.id > ${entryId} and e.trade_id not like 'chain:%' and f.settlement = 'confirmed'
      and ${venueIn(sql`o.token_id`)} = ${venue}
    limit ${FILLS_MAX}`)) as unknown as { rows: Record<string, string>[] };
  return rows.map((row) => ({
    marketId: row.market_id ?? '',
    marketName: row.market_name ?? '',
    outcome: row.outcome ?? '',
    tokenId: row.token_id ?? '',
    size: Number(row.size) as Shares,
    price: Number(row.price) as BookedFill['price'],
    cost: Number(row.cost) as Usd,
    fee: Number(row.fee) as Usd,
    feeRate: Number(row.fee_rate) as Fraction,
  }));
}

/** Deposits, withdrawals, and what a person stated: the venue moved it at another time than the ledger. */
async function hasOtherCash(db: Db, venue: VenueName, entryId: number): Promise<boolean> {
  const cash = JSON.stringify([{ account: cashAt(venue), unit: USD_UNIT }]);
  const { rows } = (await db.execute(sql`select exists (select 1 from ledger_entries
    where id > ${entryId} and trade_id is null and lines @> ${cash}::jsonb) as found`)) as unknown as {
    rows: { found: boolean }[];
  };
  return rows[0]?.found === true;
}

/** Known differences in shares before those trades, by token. */
async function knownMissing(db: Db, venue: VenueName, before: Instant): Promise<ReadonlyMap<string, number>> {
  const check = await lastCheck(db, venue);
  const known = (check?.differences ?? []).filter(({ since }) => since < before);
  return new Map(known.map(({ unit, amount }) => [unit, amount]));
}

async function categoriesOf(catalogue: HoldingParts['catalogue'], traded: readonly TradedFill[]): Promise<Categories> {
  const ids = [...new Set(traded.map(({ marketId }) => marketId))];
  const markets = await catalogue.marketsById(ids, 'following').catch((error: unknown) => {
    if (error instanceof VenueUnavailable) return new Map<string, never>();
    throw error;
  });
  return new Map(
    traded.map(({ marketId, marketName, feeRate }) => {
      const market = markets.get(marketId);
      const category = feeCategoryOf(market ?? { feeSchedule: { rate: feeRate, step: USD_ZERO } });
      return [category, { marketId, marketName }];
    }),
  );
}

async function writeBase(tx: Db, venue: VenueName, base: Omit<Base, 'id'>): Promise<void> {
  await tx
    .insert(feeChecks)
    .values({ id: rowIdOf(venue), ...base })
    .onConflictDoUpdate({ target: feeChecks.id, set: base });
}

function sentenceOf(
  traded: readonly TradedFill[],
  { taken, rate }: Extract<HeldFees, { kind: 'fee' }>,
  shares: ReadonlyMap<string, Shares>,
  category: string,
): string {
  const [first] = traded;
  const what =
    traded.length === 1 && first !== undefined
      ? `${formatShares(first.size)} shares of ${first.outcome} of "${first.marketName}"`
      : `${traded.length} trades, among them of "${first?.marketName ?? ''}"`;
  const fee = traded.map((fill) => fill.fee).reduce(addUsd, USD_ZERO);
  const rates = [...new Set(traded.map(({ feeRate }) => fractionToNumber(feeRate)))].join(' and ');
  const inShares = [...shares.values()].some((moved) => moved !== 0) ? ', in shares' : '';
  const found = rate === null ? '' : `, a rate of ${Number(microToFixed(rate, 4))}`;
  return `The venue took ${formatUsd(taken)} in fees for ${what}${inShares}${found}, where ${formatUsd(fee)} was booked, by a rate of ${rates}. Nothing is bought automatically where fees are "${category}" until a superuser clears it.`;
}
