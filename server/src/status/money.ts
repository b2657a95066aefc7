import { type Instant, instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { and, eq, gte, sql } from 'drizzle-orm';
import type { Db } from '../platform/runtime/runtime.ts';
import { batches } from '../trading/orders/table.ts';
import { limitUse } from '../trading/under-way/limit-use.ts';
import type { Account } from '../trading/venue-desk/account.ts';

/** A day has at most so many points of profit. */
const PART_MS = 1_800_000;

type CashDesks = { all: readonly { account: Pick<Account, 'reading'> }[] };

/** What the accounts have and what is tied up, and how today's profit has come about. */
export async function readMoney(db: Db, { all }: CashDesks, now: Instant, today: Instant) {
  const cash = all.map(({ account }) => account.reading()?.cash);
  const { openExposure } = await limitUse(db, now);
  return {
    cash_usd: cash.every((of) => of !== undefined) ? cash.reduce(addUsd, USD_ZERO) : null,
    open_exposure_usd: openExposure,
    profit_line: await profitLine(db, today),
  };
}

async function profitLine(db: Db, today: Instant): Promise<{ at: Instant; profit_usd: Usd }[]> {
  const since = sql`${instantToIso(today)}::timestamptz`;
  const part = sql`floor(extract(epoch from ${batches.executionCompletedAt} - ${since}) * 1000 / ${PART_MS}::bigint)`;
  const parts = await db
    .select({
      part: sql`${part}`.mapWith(Number),
      profit: sql`coalesce(sum(${batches.actualProfit}), 0)`.mapWith(Number),
    })
    .from(batches)
    .where(and(eq(batches.simulated, false), gte(batches.executionCompletedAt, today)))
    .groupBy(sql`1`)
    .orderBy(sql`1`);
  let profit = 0;
  return parts.map((each) => {
    profit += each.profit;
    return { at: instantFromMs(today + (each.part + 1) * PART_MS), profit_usd: profit as Usd };
  });
}
