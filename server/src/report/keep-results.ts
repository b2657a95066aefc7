/** Keeps what batches promised and came to in line with their fills: soon after each change, beside whatever else goes on. */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { lock } from '../database/locks.ts';
import { insertOf, rowsOf, setOf } from '../database/many-rows.ts';
import { inPartitions } from '../engines/in-partitions.ts';
import { opportunities } from '../opportunities/table.ts';
import { type BatchState, loadBatches } from '../orders/batch-state.ts';
import { batches } from '../orders/table.ts';
import type { Partitions, Quotes } from '../parts.ts';
import { relations } from '../relations/table.ts';
import { openFailureLog } from '../runtime/failure-log.ts';
import { oneAtATime } from '../runtime/one-at-a-time.ts';
import type { Db, Runtime } from '../runtime.ts';
import { marketsOfBatches } from './batch-markets.ts';
import { firstRows, type Origin, type ResultRows, resultRows } from './result-rows.ts';
import { batchResults, legResults } from './table.ts';

const EVERY_MS = 500;
/** So few that nothing else of the process waits long, even where all batches of an earlier version are due. */
const SLICE = 25;
/** So many are written at once, since the database waits for its disk once for all of them. */
const AT_ONCE = 4 * SLICE;

export type ResultsParts = {
  runtime: Pick<Runtime, 'db' | 'clock' | 'timers' | 'log'>;
  quotes: Pick<Quotes, 'current'>;
  partitions: Pick<Partitions, 'held'>;
};

/** Of the batches whose opportunities are this engine's. @returns what ends it */
export function startKeepingResults(parts: ResultsParts): () => Promise<void> {
  const { timers, log } = parts.runtime;
  const failures = openFailureLog(log, 'warn', 'results of batches not kept, tried again');
  let isStopped = false;
  const work = oneAtATime(async () => {
    try {
      while (!isStopped && (await keepResults(parts)));
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
  });
  const stop = timers.every(EVERY_MS, work);
  return async () => {
    isStopped = true;
    stop();
    await work.ended();
  };
}

/** Of some of those that have changed. @returns whether there may be more */
export async function keepResults(parts: ResultsParts): Promise<boolean> {
  const { db } = parts.runtime;
  if ((await readDue(db, parts, 1)).length === 0) return false;
  return await db.transaction(async (tx) => {
    // What one has read before another wrote is never written after it.
    await lock(tx, 'results');
    const due = await readDue(tx, parts, AT_ONCE);
    const ids = due.filter(({ simulated }) => !simulated).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += SLICE)
      await write(tx, parts, await loadBatches(tx, inArray(batches.id, ids.slice(from, from + SLICE))));
    await noteKept(tx, due);
    return due.length === AT_ONCE;
  });
}

/** `version`: changes whenever the row does. */
type Due = { id: string; version: string; simulated: boolean };

async function readDue(db: Db, { partitions }: ResultsParts, limit: number): Promise<Due[]> {
  return await db
    .select({ id: batches.id, version: sql<string>`${batches}.xmin::text`, simulated: batches.simulated })
    .from(batches)
    .where(and(sql`${batches.resultsDue}`, inPartitions(batches.opportunityId, partitions.held())))
    .orderBy(batches.id)
    .limit(limit);
}

async function write(tx: Db, { runtime, quotes }: ResultsParts, states: readonly BatchState[]): Promise<void> {
  const markets = await marketsOfBatches(tx, quotes, states);
  const now = runtime.clock.now();
  const worked = states.flatMap((state) => {
    try {
      return [{ state, rows: resultRows(state, markets, now) }];
    } catch (error) {
      runtime.log.error({ err: error, batchId: state.batch.id }, 'result of a batch not worked out, left as it was');
      return [];
    }
  });
  const known = await readKnown(tx, worked);
  const first = worked.filter(({ state }) => !known.has(state.batch.id));
  const origins = await readOrigins(tx, first);
  const added = first.map(({ state, rows }) =>
    firstRows(state, rows, origins.get(state.batch.opportunityId) ?? NOT_THERE, markets),
  );
  await insert(tx, added);
  await update(
    tx,
    worked.filter(({ state }) => known.has(state.batch.id)).map(({ rows }) => rows),
  );
}

type Worked = { state: BatchState; rows: ResultRows };

async function readKnown(tx: Db, worked: readonly Worked[]): Promise<Set<string>> {
  const ids = worked.map(({ state }) => state.batch.id);
  const rows = await tx
    .select({ id: batchResults.batchId })
    .from(batchResults)
    .where(inArray(batchResults.batchId, ids));
  return new Set(rows.map(({ id }) => id));
}

const NOT_THERE: Origin = { source: null, structure: null, basis: null };

/** By opportunity. */
async function readOrigins(tx: Db, worked: readonly Worked[]): Promise<Map<string, Origin>> {
  const ids = worked.map(({ state }) => state.batch.opportunityId);
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({ id: opportunities.id, source: opportunities.source, structure: relations.kind, basis: relations.basis })
    .from(opportunities)
    .leftJoin(relations, eq(relations.id, opportunities.relationId))
    .where(inArray(opportunities.id, ids));
  return new Map(rows.map(({ id, ...origin }) => [id, origin]));
}

async function insert(tx: Db, added: readonly ReturnType<typeof firstRows>[]): Promise<void> {
  const rows = added.map(({ batch }) => batch);
  const legs = added.flatMap((each) => each.legs);
  if (rows.length > 0) await tx.execute(insertOf(batchResults, rows));
  if (legs.length > 0) await tx.execute(insertOf(legResults, legs));
}

/** What was fixed at the trigger stays as it is. */
async function update(tx: Db, changed: readonly ResultRows[]): Promise<void> {
  const rows = changed.map(({ batch }) => batch);
  const legs = changed.flatMap((each) => each.legs);
  if (rows.length > 0) {
    await tx
      .update(batchResults)
      .set(setOf(batchResults, rows))
      .from(sql`${rowsOf(batchResults, rows)} as v`)
      .where(eq(batchResults.batchId, sql`v.batch_id`));
  }
  if (legs.length > 0) {
    await tx
      .update(legResults)
      .set(setOf(legResults, legs))
      .from(sql`${rowsOf(legResults, legs)} as v`)
      .where(and(eq(legResults.batchId, sql`v.batch_id`), eq(legResults.orderId, sql`v.order_id`)));
  }
}

/** But of those that have changed since, or are just being changed: these stay due, and nobody waits for them. */
async function noteKept(tx: Db, due: readonly Due[]): Promise<void> {
  if (due.length === 0) return;
  const versions = due.map(({ id, version }): SQL => sql`(${id}::uuid, ${version})`);
  await tx.execute(sql`
    update ${batches} set results_due = false where id in (
      select b.id from ${batches} b join (values ${sql.join(versions, sql`, `)}) v (id, version)
        on b.id = v.id and b.xmin::text = v.version
      for update of b skip locked)`);
}
