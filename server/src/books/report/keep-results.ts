/** Keeps promises and results of batches in line with their fills: soon after each change, beside whatever else goes on. */
import { and, eq, inArray, not, sql } from 'drizzle-orm';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import { opportunities } from '../../market/opportunities/table.ts';
import { relations } from '../../market/relations/table.ts';
import { lock } from '../../platform/database/locks.ts';
import { insertColumnsOf } from '../../platform/database/many-columns.ts';
import { setExcluded } from '../../platform/database/many-rows.ts';
import { WITHOUT_WAITING } from '../../platform/database/write-together.ts';
import { inPartitions } from '../../platform/engines/in-partitions.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { sliced } from '../../platform/runtime/slices.ts';
import { batches } from '../../trading/orders/table.ts';
import { marketsOfBatches } from './batch-markets.ts';
import { CHANGING, CHANGING_OF_LEGS, type Origin, type ResultRows, resultRows } from './result-rows.ts';
import { loadResultStates, type ResultState, type Versioned } from './result-states.ts';
import { batchResults, cashDays, legResults, venueResults } from './table.ts';

const EVERY_MS = 500;
/** Results computed per tick of the event loop. */
const SLICE = 25;
/** Results of an earlier version read and written at once: statements and disk take nearly as long for one. */
const AT_ONCE = 8 * SLICE;
/** An earlier version keeps no days of cash. So many batches are recomputed for these at once, so often. */
const UNDATED_AT_ONCE = 2000;
const UNDATED_EVERY_MS = 10_000;

export type ResultsParts = {
  runtime: Pick<Runtime, 'db' | 'clock' | 'timers' | 'log'>;
  quotes: Pick<Quotes, 'current'>;
  partitions: Pick<Partitions, 'held'>;
};

/** Keeps the results of batches in this engine's partitions. @returns a function that stops it */
export function startKeepingResults(parts: ResultsParts): () => Promise<void> {
  const { timers, log } = parts.runtime;
  const failures = openFailureLog(log, 'warn', 'results of batches not kept, tried again');
  let isStopped = false;
  const tried = (work: () => Promise<void>) =>
    oneAtATime(async () => {
      try {
        await work();
        failures.succeeded();
      } catch (error) {
        failures.failed(error);
      }
    });
  const work = tried(async () => {
    while (!isStopped && (await keepResults(parts)));
  });
  const date = tried(() => callUndated(parts));
  const stops = [timers.every(EVERY_MS, work), timers.every(UNDATED_EVERY_MS, date)];
  return async () => {
    isStopped = true;
    for (const stop of stops) stop();
    await Promise.all([work.ended(), date.ended()]);
  };
}

/** Writes the results of some changed batches. @returns whether there may be more */
export async function keepResults(parts: ResultsParts): Promise<boolean> {
  const { db } = parts.runtime;
  if ((await readDue(db, parts, 1)).length === 0) return false;
  return await db.transaction(async (tx) => {
    // What one has read before another wrote is never written after it.
    await lock(tx, 'results');
    const due = await readDue(tx, parts, AT_ONCE);
    const real = due.filter(({ simulated }) => !simulated);
    if (real.length > 0) await write(tx, parts, await loadResultStates(tx, real));
    await noteKept(tx, due);
    return due.length === AT_ONCE;
  });
}

/** Has results recomputed whose days of cash do not add up to what is paid. */
export async function callUndated({ runtime: { db }, partitions }: ResultsParts): Promise<void> {
  const isUndated = sql`${batchResults.datedProfit} <> ${batchResults.paidProfit}`;
  const undated = db
    .select({ id: batches.id })
    .from(batchResults)
    .innerJoin(batches, eq(batches.id, batchResults.batchId))
    .where(and(isUndated, not(batches.resultsDue), inPartitions(batches.opportunityId, partitions.held())))
    .limit(UNDATED_AT_ONCE)
    .for('no key update', { of: batches, skipLocked: true });
  await db.update(batches).set({ resultsDue: true }).where(inArray(batches.id, undated));
}

type Due = Versioned & { simulated: boolean };

async function readDue(db: Db, { partitions }: ResultsParts, limit: number): Promise<Due[]> {
  return await db
    .select({ id: batches.id, version: sql<string>`${batches}.xmin::text`, simulated: batches.simulated })
    .from(batches)
    .where(and(sql`${batches.resultsDue}`, inPartitions(batches.opportunityId, partitions.held())))
    .orderBy(batches.id)
    .limit(limit);
}

/** What was fixed at the trigger stays as it is. */
async function write(tx: Db, { runtime, quotes }: ResultsParts, states: readonly ResultState[]): Promise<void> {
  const markets = await marketsOfBatches(tx, quotes, states);
  const origins = await readOrigins(tx, states);
  const now = runtime.clock.now();
  const slices = sliced(SLICE);
  const rows: ResultRows[] = [];
  for (const state of states) {
    await slices.spend(1);
    try {
      rows.push(resultRows(state, origins.get(state.batch.opportunityId) ?? NOT_THERE, markets, now));
    } catch (error) {
      runtime.log.error({ err: error, batchId: state.batch.id }, 'result of a batch not worked out, left as it was');
    }
  }
  const legs = rows.flatMap((each) => each.legs);
  if (rows.length > 0) {
    const added = insertColumnsOf(
      batchResults,
      rows.map(({ batch }) => batch),
    );
    await tx.execute(sql`${added} on conflict (batch_id) do update set ${setExcluded(CHANGING)}`);
  }
  const days = rows.flatMap((each) => each.cashDays);
  const venues = rows.flatMap((each) => each.venues);
  if (rows.length > 0) {
    const ids = rows.map(({ batch }) => batch.batchId);
    await tx.delete(cashDays).where(inArray(cashDays.batchId, ids));
    await tx.delete(venueResults).where(inArray(venueResults.batchId, ids));
  }
  if (days.length > 0) await tx.execute(insertColumnsOf(cashDays, days));
  if (venues.length > 0) await tx.execute(insertColumnsOf(venueResults, venues));
  if (legs.length > 0) {
    const added = insertColumnsOf(legResults, legs);
    await tx.execute(sql`${added} on conflict (batch_id, order_id) do update set ${setExcluded(CHANGING_OF_LEGS)}`);
  }
}

const NOT_THERE: Origin = { source: null, structure: null, basis: null };

/** Origins by opportunity. */
async function readOrigins(tx: Db, states: readonly ResultState[]): Promise<Map<string, Origin>> {
  const ids = [...new Set(states.map(({ batch }) => batch.opportunityId))];
  const rows = await tx
    .select({ id: opportunities.id, source: opportunities.source, structure: relations.kind, basis: relations.basis })
    .from(opportunities)
    .leftJoin(relations, eq(relations.id, opportunities.relationId))
    .where(inArray(opportunities.id, ids));
  return new Map(rows.map(({ id, ...origin }) => [id, origin]));
}

/** But of those that have changed since, or are just being changed: these stay due and are not waited for. */
async function noteKept(tx: Db, due: readonly Due[]): Promise<void> {
  if (due.length === 0) return;
  const ids = sql.param(due.map(({ id }) => id));
  const versions = sql.param(due.map(({ version }) => version));
  await tx.execute(sql`
    with unchanged as (
      select b.id from ${batches} b join unnest(${ids}::uuid[], ${versions}::text[]) v (id, version)
        on b.id = v.id and b.xmin::text = v.version
      where b.id = any(${ids}::uuid[])
      for no key update of b skip locked
    )
    update ${batches} set results_due = false from ${WITHOUT_WAITING} where id in (select id from unchanged)`);
}
