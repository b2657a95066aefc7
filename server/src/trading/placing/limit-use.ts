import type { LimitState } from '@dutchbook/engine/risk/context.ts';
import { type Instant, startOfUtcDay } from '@dutchbook/units/instant.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { and, eq, exists, gt, gte, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import type { TradingControls } from '../../parts.ts';
import { attempts, batches, batchOrders, fills, UNDECIDED_ATTEMPTS } from '../../world/schema.ts';
import type { Db, World } from '../../world/world.ts';
import { mayTake } from './spendable.ts';

type LimitUse = Pick<LimitState, 'placedToday' | 'openExposure'>;

/** What the limit gates need to know, without the batch that asks; asks the database only where a limit depends on it. */
export async function limitState(
  db: Db,
  { world, controls }: { world: Pick<World, 'clock'>; controls: TradingControls },
  ownBatchId?: string,
): Promise<LimitState> {
  const { limitsRequired } = controls;
  const { limits } = controls.current();
  if (limits.perDay === null && limits.openExposure === null) {
    return { limits, limitsRequired, placedToday: USD_ZERO, openExposure: USD_ZERO };
  }
  return { limits, limitsRequired, ...(await limitUse(db, world.clock.now(), ownBatchId)) };
}

/**
 * Dollars, fees included, that the orders of all batches but simulated ones took, or may still take where they are not
 * final: of batches recorded since midnight UTC; and, whenever they were recorded, of what has not been sold of it.
 * A holding whose market has settled still counts as exposure, since settlements are not known here; it errs high.
 */
export async function limitUse(db: Db, now: Instant, ownBatchId?: string): Promise<LimitUse> {
  const today = gte(batches.createdAt, startOfUtcDay(now));
  // One that was canceled stays so when it is sold.
  const held = and(ne(batches.status, 'sold'), isNull(batches.soldAt));
  // One statement: an order that becomes final between two would be counted twice or not at all.
  const rows = await db
    .select({
      standingId: sql<string | null>`case when ${mayTakeMore(db)} then ${batchOrders.id} end`,
      isToday: sql<boolean>`${today}`,
      isHeld: sql<boolean>`${held}`,
      size: sql`min(${batchOrders.size})`.mapWith(batchOrders.size),
      price: sql`min(${batchOrders.price})`.mapWith(batchOrders.price),
      feeRate: sql`min(${batchOrders.feeRate})`.mapWith(batchOrders.feeRate),
      spent: sql`sum(${SPENT})`.mapWith(batchOrders.filledCost),
      unsold: sql`sum(${UNSOLD})`.mapWith(batchOrders.filledCost),
    })
    .from(batchOrders)
    .innerJoin(batches, eq(batches.id, batchOrders.batchId))
    .where(
      and(
        eq(batches.simulated, false),
        eq(batchOrders.side, 'buy'),
        or(today, held),
        ownBatchId === undefined ? undefined : ne(batches.id, ownBatchId),
      ),
    )
    .groupBy(sql`1, 2, 3`);
  const total = (of: typeof rows, amount: 'spent' | 'unsold') =>
    of.reduce((sum, row) => addUsd(sum, row.standingId === null ? (row[amount] as Usd) : mayTake(row)), USD_ZERO);
  return {
    placedToday: total(
      rows.filter(({ isToday }) => isToday),
      'spent',
    ),
    openExposure: total(
      rows.filter(({ isHeld }) => isHeld),
      'unsold',
    ),
  };
}

const SPENT = sql`(${batchOrders.filledCost} + ${batchOrders.fee})`;
/** The same for the part of the shares that are held; more digits than a bigint has stand in between. */
const UNSOLD = sql`case when ${batchOrders.filledSize} > ${batchOrders.soldSize}
  then ceil(${SPENT}::numeric * (${batchOrders.filledSize} - ${batchOrders.soldSize}) / ${batchOrders.filledSize})
  else 0 end`;

/**
 * Whether an order is not final. What a partly filled one shows does not say so: it is while an attempt of it stands, or
 * has ended without all its fills having been reported.
 */
function mayTakeMore(db: Db): SQL {
  const reported = db
    .select({ size: sql`coalesce(sum(${fills.size}), 0)` })
    .from(fills)
    .where(and(eq(fills.batchId, attempts.batchId), eq(fills.attemptId, attempts.id)));
  const standing = db
    .select({ id: attempts.id })
    .from(attempts)
    .where(
      and(
        eq(attempts.orderId, batchOrders.id),
        or(inArray(attempts.status, [...UNDECIDED_ATTEMPTS]), gt(attempts.matchedSize, sql`(${reported})`)),
      ),
    );
  return sql`(${or(
    inArray(batchOrders.status, ['pending', 'processing', 'open']),
    and(eq(batchOrders.status, 'partially_filled'), exists(standing)),
  )})`;
}
