/** Keeps the accounts of money under way: balances short to read, and entries in line where a version left them that does not know them. */
import { accountAt } from '@dutchbook/engine/order/reserved.ts';
import { VENUE_NAMES } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { gte, or, type SQL, sql } from 'drizzle-orm';
import { isLeader } from '../../platform/engines/leader.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { batches } from '../orders/table.ts';
import { foldReserved, reserveAnew } from './reserve.ts';
import { isOneOf } from './reserved-sums.ts';

const FOLD_EVERY_MS = 500;
const CHECK_EVERY_MS = 600_000;
/** The first check looks this far back, at changes by processes of an older version. */
const CHECKED_FIRST_MS = 86_400_000;
/** An older version counts shares that are lost as exposure. */
const HAS_LOST = sql`id in (
  select batch_id from batch_orders where side = 'buy' and filled_size > sold_size and resolved_value = 0
  intersect select batch_id from reserved_entries
  where amount <> 0 and ${isOneOf(VENUE_NAMES.map((venue) => accountAt(venue, 'exposed')))})`;

type Parts = { runtime: Pick<Runtime, 'db' | 'timers' | 'clock' | 'log'>; partitions: Pick<Partitions, 'held'> };

/** @returns what ends it */
export function startFoldingReserved({ runtime: { db, timers, log } }: Pick<Parts, 'runtime'>): () => Promise<void> {
  const failures = openFailureLog(log, 'warn', 'reserved entries not folded, tried again');
  const work = oneAtATime(async () => {
    try {
      await foldReserved(db);
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
  });
  const stop = timers.every(FOLD_EVERY_MS, work);
  return async () => {
    stop();
    await work.ended();
  };
}

/**
 * Finds batches that a process of an older version ended without releasing their entries: limits err high until then. What it adds
 * is made up for by the next who reads. @returns what ends it
 */
export function startCheckingReserved({ runtime, partitions }: Parts): () => Promise<void> {
  const { db, timers, clock, log } = runtime;
  const failures = openFailureLog(log, 'warn', 'reserved entries not checked, tried again');
  const changedSince = (spanMs: number) => gte(batches.updatedAt, (clock.now() - spanMs) as Instant);
  let where = () => or(changedSince(CHECKED_FIRST_MS), HAS_LOST) as SQL;
  const work = oneAtATime(async () => {
    if (!isLeader(partitions)) return;
    try {
      const changed = await reserveAnew(db, where());
      if (changed > 0) log.warn({ batches: changed }, 'reserved entries brought in line with their batches');
      where = () => changedSince(2 * CHECK_EVERY_MS);
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
  });
  const stop = timers.every(CHECK_EVERY_MS, work);
  return async () => {
    stop();
    await work.ended();
  };
}
