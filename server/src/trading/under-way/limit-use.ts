import { accountAt, utcDay } from '@dutchbook/engine/order/reserved.ts';
import type { LimitUse, TradingLimits } from '@dutchbook/engine/risk/context.ts';
import { TOGETHER_MINUTES } from '@dutchbook/engine/risk/sign-off.ts';
import { VENUE_NAMES, type VenueName } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type AnyColumn, and, eq, gt, isNull, lte, ne, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { batches } from '../orders/table.ts';
import { IS_BEHIND, isOneOf, readSums, reservedRows, type Sums, sumOf } from './reserved-sums.ts';

/** Whether one of these limits asks what was spent before. */
export function dependsOnUse({ perDay, openExposure }: TradingLimits): boolean {
  return perDay !== null || openExposure !== null;
}

export const UNUSED: LimitUse = { placedToday: USD_ZERO, openExposure: USD_ZERO };

/**
 * Dollars, fees included, of the buys of all batches but simulated ones. For the day, what each attempt sent since
 * midnight UTC took, or may still take, and what may yet be sent of orders that are recorded. For the exposure, whenever
 * they were sent, what may still be taken, and what the shares cost that are held and may still pay.
 */
export async function limitUse(
  db: Db,
  now: Instant,
  ownBatchId?: string,
  venues: readonly VenueName[] = VENUE_NAMES,
): Promise<LimitUse> {
  return useIn(await readSums(db, useQuery(now, ownBatchId, venues)));
}

export type UseSums = Sums<'placed' | 'exposed'>;

export function useIn({ placed, exposed }: UseSums): LimitUse {
  return { placedToday: Number(placed) as Usd, openExposure: Number(exposed) as Usd };
}

/** One row of `UseSums`, over these venues. */
export function useQuery(
  now: Instant,
  ownBatchId: string | null = null,
  venues: readonly VenueName[] = VENUE_NAMES,
): SQL {
  const placed = venues.map((venue) => accountAt(venue, 'placed'));
  const exposed = venues.map((venue) => accountAt(venue, 'exposed'));
  const counts = sql`(${isOneOf(exposed)} or ${isOneOf(placed)} and day >= ${utcDay(now)})`;
  return sql`select ${sumOf(...placed)} as placed, ${sumOf(...exposed)} as exposed, ${IS_BEHIND}
    from ${reservedRows(counts, sql`${ownBatchId}::uuid`)} e`;
}

const TOGETHER_MS = TOGETHER_MINUTES * 60_000;

/** The requests to sum: until when, by whom, and for simulated or real batches. */
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
        // Recent requests were also updated recently, and there is an index by that.
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
