import { mayTake, type Taking } from '@dutchbook/engine/order/under-way.ts';
import type { LimitState, TradingLimits } from '@dutchbook/engine/risk/context.ts';
import { TOGETHER_MINUTES } from '@dutchbook/engine/risk/sign-off.ts';
import { type Instant, instantFromMs, instantToIso, startOfUtcDay } from '@dutchbook/units/instant.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type AnyColumn, and, eq, gt, isNull, lte, ne, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { batches, spendingByBatch, spendingTotals } from '../orders/table.ts';
import { NOT_KEPT } from './rules.ts';
import { COST_OF_HELD, HELD, spendingOf } from './spending-totals.ts';

export type LimitUse = Pick<LimitState, 'placedToday' | 'openExposure'>;

/** Whether one of these limits asks what was spent before. */
export function dependsOnUse({ perDay, openExposure }: TradingLimits): boolean {
  return perDay !== null || openExposure !== null;
}

export const UNUSED: LimitUse = { placedToday: USD_ZERO, openExposure: USD_ZERO };

/**
 * Dollars, fees included, of the buys of all batches but simulated ones. For the day, what each attempt sent since
 * midnight UTC took, or may still take, and what may yet be sent of orders that are recorded. For the exposure, whenever
 * they were sent, what may still be taken, and what the shares cost that are held. A holding whose market has resolved still counts as exposure, since
 * settlements are not known here; it errs high.
 */
export async function limitUse(db: Db, now: Instant, ownBatchId?: string): Promise<LimitUse> {
  // One statement: an attempt that ends between two would be counted twice or not at all.
  const answer = await db.execute(useQuery(now, ownBatchId));
  return useIn((answer as unknown as { rows: UseRow[] }).rows);
}

/** The sums of the rows of `useQuery`. */
export function useIn(rows: UseRow[]): LimitUse {
  const total = (of: UseRow[]) => of.reduce((sum, row) => addUsd(sum, amountOf(row)), USD_ZERO);
  return {
    placedToday: total(rows.filter(({ today }) => today)),
    openExposure: total(rows.filter(({ held }) => held)),
  };
}

/** Either an attempt, or an order, that may still take shares, or a sum of what was taken. Drivers write bigints as text. */
export type UseRow = { today: boolean; held: boolean } & (
  | { taken: string; size: null; price: null; fee_rate: null; fee_step: null }
  | { taken: null; size: string; price: string; fee_rate: string; fee_step: string }
);

function amountOf(row: UseRow): Usd {
  if (row.taken !== null) return Number(row.taken) as Usd;
  const { size, price, fee_rate: feeRate, fee_step: feeStep } = row;
  const taking = { size: Number(size), price: Number(price), feeRate: Number(feeRate), feeStep: Number(feeStep) };
  return mayTake(taking as Taking);
}

/** Batches whose spending is not kept are added up, and what was kept of them before is taken off the sums. */
export function useQuery(now: Instant, ownBatchId: string | null = null): SQL {
  const midnight = instantToIso(startOfUtcDay(now));
  const since = sql`${midnight}::timestamptz`;
  const own = sql`${ownBatchId}::uuid`;
  const mayTake = sql`size::text, price::text, fee_rate::text, fee_step::text, null as taken`;
  const took = (amount: SQL) => sql`null, null, null, null, (${amount})::text`;
  const isToday = sql`coalesce(sent_at >= ${since}, status = 'prepared')`;
  const ofPart = sql`part <> ${HELD} as today, part = ${HELD} as held`;
  const inForce = sql`part >= ${midnight.slice(0, 'yyyy-mm-dd'.length)}`;
  return sql`
    with live as materialized (${NOT_KEPT}), ${spendingOf(own)}
    select ${isToday} as today, is_holding as held, ${mayTake} from tried where size > 0
    union all
    select true, is_holding, ${mayTake} from unsigned
    union all
    select true, false, ${took(sql`sum(spent)`)} from tried where ${isToday} having count(*) > 0
    union all
    select false, true, ${took(COST_OF_HELD)} from bought where held > 0 having count(*) > 0
    union all
    select ${ofPart}, ${took(sql`total`)} from ${spendingTotals} where ${inForce}
    union all
    select ${ofPart}, ${took(sql`-amount`)} from (select id from live union select ${own}) left_out, lateral (
      select * from ${spendingByBatch} where batch_id = left_out.id and ${inForce} offset 0) kept`;
}

const TOGETHER_MS = TOGETHER_MINUTES * 60_000;

/** Until when, by whom, and of batches that are only simulated or of the others. */
export type AskedBy = { at: Instant; userId: string; simulated: boolean; exceptBatchId?: string };

/**
 * Dollars, fees included, that one person has asked for in the time before `at` that counts as one, by placing or retrying, without
 * what a second one has signed off. Of a batch of which that was not noted it is what its sets pay, which they never cost.
 */
export async function askedLately(db: Db, asked: AskedBy): Promise<Usd> {
  return askedIn(await askedQuery(db, asked));
}

export type AskedRow = { total: string };

export function askedIn([found]: readonly AskedRow[]): Usd {
  return found === undefined ? USD_ZERO : (Number(found.total) as Usd);
}

/** The query behind it; `askedIn` reads its row. */
export function askedQuery(
  db: Db,
  { at, userId, simulated, exceptBatchId }: AskedBy,
): PromiseLike<AskedRow[]> & SQLWrapper {
  const since = instantFromMs(at - TOGETHER_MS);
  const isThen = (asked: AnyColumn) => and(gt(asked, since), lte(asked, at));
  const paid = sql`${batches.orderSize} * ${batches.targetPrice} / 1000000`;
  return db
    .select({ total: sql<string>`coalesce(sum(coalesce(${batches.askedFor}, ${paid})), 0)::bigint::text`.as('total') })
    .from(batches)
    .where(
      and(
        // What was asked for since was updated since, by which there is an index.
        gt(batches.updatedAt, since),
        isNull(batches.signedOff),
        eq(batches.simulated, simulated),
        or(
          and(eq(batches.createdBy, userId), isThen(batches.createdAt)),
          and(eq(batches.retriedBy, userId), isThen(batches.retryRequestedAt)),
        ),
        exceptBatchId === undefined ? undefined : ne(batches.id, exceptBatchId),
      ),
    );
}
