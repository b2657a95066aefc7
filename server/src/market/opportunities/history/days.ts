/**
 * The partitions of the price history: one for each day (UTC), made before it begins and dropped as a whole. Beside them
 * `price_points_before` has all that was written before there were any, and `price_points_default` what is of a day without one.
 */
import { HISTORY_DAYS } from '@dutchbook/contract/valuation.ts';
import { type Instant, instantFromMs, instantToIso, startOfUtcDay } from '@dutchbook/units/instant.ts';
import { type SQL, sql } from 'drizzle-orm';
import { isLockTimeout } from '../../../platform/database/driver-errors.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { opportunityPrices } from '../table.ts';
import { pricePoints } from './table.ts';

export const DAY_MS = 86_400_000;
/** Days after today that have a partition already. */
const DAYS_AHEAD = 3;
/**
 * A partition is made and dropped under locks that hold up all that writes prices. Where a transaction keeps these, nothing queues
 * behind the wait for longer than this; it is tried again later.
 */
const LOCK_TIMEOUT_MS = 200;
const TRIES_AT_START = 5;

/** Null where it has no bound. */
type Partition = { name: string; from: Instant | null; until: Instant | null };

/** The first day of which the history is kept. */
export function firstKeptDay(now: Instant): Instant {
  return startOfUtcDay(instantFromMs(now - HISTORY_DAYS * DAY_MS));
}

/**
 * As a condition on `at`: where the history of the time until `at` may have its newest point. The database looks into the partitions of
 * these days only, the last one first, and of points later than `at` for those that clocks apart have written.
 */
export function keptUntil(at: Instant, days: number = HISTORY_DAYS): SQL {
  const from = instantFromMs(Math.max(0, startOfUtcDay(at) - days * DAY_MS));
  const until = instantFromMs(startOfUtcDay(at) + (DAYS_AHEAD - 1) * DAY_MS);
  return sql`at >= ${instantToIso(from)}::timestamptz and at < ${instantToIso(until)}::timestamptz`;
}

/** Makes the partitions that days from the first kept one to the last one ahead lack. A day of which the default one has points stays there. */
export async function makeDays(db: Db, now: Instant): Promise<void> {
  const partitions = await partitionsOf(db);
  const missing: Instant[] = [];
  for (let day = firstKeptDay(now); day <= now + DAYS_AHEAD * DAY_MS; day = instantFromMs(day + DAY_MS))
    if (!partitions.some((each) => (each.from ?? 0) <= day && day < (each.until ?? day))) missing.push(day);
  if (missing.length === 0) return;
  await db.transaction(async (tx) => {
    await waitShortly(tx);
    // Before the history's own lock, as whatever writes a price takes them.
    await tx.execute(sql`lock table ${opportunityPrices} in share row exclusive mode`);
    for (const day of missing) await makeDay(tx, day);
  });
}

/** Where a lock is not had the rows go to the default partition, until the job makes the partitions. */
export async function makeDaysAtStart({ db, clock, log }: Pick<Runtime, 'db' | 'clock' | 'log'>): Promise<void> {
  for (let left = TRIES_AT_START; left > 0; left--) {
    try {
      return await makeDays(db, clock.now());
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (left === 1) log.warn({ err: error }, 'partitions of the price history not made, tried again within the hour');
    }
  }
}

/** Drops the partitions whose days are all before the first kept one. */
export async function dropOldDays(db: Db, now: Instant): Promise<void> {
  const first = firstKeptDay(now);
  for (const { name, until } of await partitionsOf(db)) {
    if (until === null || until > first) continue;
    await db.transaction(async (tx) => {
      await waitShortly(tx);
      await tx.execute(sql`drop table if exists ${sql.identifier(name)}`);
    });
  }
}

async function makeDay(tx: Db, day: Instant): Promise<void> {
  const [from, until] = [instantToIso(day), instantToIso(instantFromMs(day + DAY_MS))];
  const { rows } = (await tx.execute(sql`
    select 1 from price_points_default where at >= ${from}::timestamptz and at < ${until}::timestamptz limit 1`)) as unknown as {
    rows: unknown[];
  };
  if (rows.length > 0) return;
  const name = sql.identifier(`price_points_${from.slice(0, 10).replaceAll('-', '_')}`);
  await tx.execute(sql`create table if not exists ${name} partition of ${pricePoints}
    for values from (${sql.raw(`'${from}'`)}) to (${sql.raw(`'${until}'`)})`);
}

async function waitShortly(tx: Db): Promise<void> {
  await tx.execute(sql`set local lock_timeout = ${sql.raw(String(LOCK_TIMEOUT_MS))}`);
}

/** The partitions but the default one. */
async function partitionsOf(db: Db): Promise<Partition[]> {
  const bound = (which: string) =>
    sql`(extract(epoch from (regexp_match(bounds, ${`${which} \\('([^']+)'\\)`}))[1]::timestamptz) * 1000)::float8`;
  const { rows } = (await db.execute(sql`
    select relname as name, ${bound('FROM')} as from, ${bound('TO')} as until
    from (
      select c.relname, pg_get_expr(c.relpartbound, c.oid) as bounds
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'price_points'::regclass
    ) partitions
    where bounds <> 'DEFAULT'`)) as unknown as { rows: Partition[] };
  return rows;
}
