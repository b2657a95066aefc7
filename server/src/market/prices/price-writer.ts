import { instantToIso } from '@dutchbook/units/instant.ts';
import { inArray, type SQL, sql } from 'drizzle-orm';
import { WITHOUT_WAITING } from '../../platform/database/write-together.ts';
import type { PartitionClaim } from '../../platform/engines/partitions.ts';
import { enginePartitions } from '../../platform/engines/table.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { recordPricePoints } from '../opportunities/history/store.ts';
import type { StoredOpportunity } from '../opportunities/store.ts';
import { opportunityPrices } from '../opportunities/table.ts';

/**
 * `falls`: this process has seen the profit go below the trigger, after as many rises as the row says, and no process has
 * recorded that yet. `isPointDue`: the
 * price history is offered what the row says. With a `claim`, nothing is written where that does not hold any more.
 */
export type PriceWrite = { row: StoredOpportunity; falls: boolean; isPointDue: boolean; claim: PartitionClaim | null };

export type PriceWriteOutcome = 'written' | 'written_with_point' | 'newer_stands' | 'deleted';

/** Few enough that a trigger of one of them does not wait long for its row. */
const ROWS_PER_STATEMENT = 50;
/** Adding a point costs a fraction of writing a row. */
const POINTS_PER_STATEMENT = 200;

/**
 * Writes what was found out about prices, many rows in one statement. A judgement never overwrites a later one or
 * one of a row that was edited since, and never sets `triggered`: that is for the transaction that acts on it.
 */
export async function writePrices(db: Db, writes: readonly PriceWrite[]): Promise<Map<string, PriceWriteOutcome>> {
  const outcomes = new Map<string, PriceWriteOutcome>();
  for (let start = 0; start < writes.length; start += ROWS_PER_STATEMENT) {
    const chunk = writes.slice(start, start + ROWS_PER_STATEMENT);
    const isLast = start + ROWS_PER_STATEMENT >= writes.length;
    for (const [id, outcome] of await writtenOf(db, chunk, isLast)) outcomes.set(id, outcome);
    const others = chunk.map(({ row }) => row.id).filter((id) => !outcomes.has(id));
    const existing = others.length > 0 ? await existingIds(db, others) : new Set<string>();
    for (const id of others) outcomes.set(id, existing.has(id) ? 'newer_stands' : 'deleted');
  }
  return outcomes;
}

/** The history is written while the rows are held, so that of several processes only one adds a point. */
async function writtenOf(
  db: Db,
  chunk: readonly PriceWrite[],
  isLast: boolean,
): Promise<Map<string, PriceWriteOutcome>> {
  const written = (ids: readonly string[]) => new Map<string, PriceWriteOutcome>(ids.map((id) => [id, 'written']));
  if (!chunk.some(({ isPointDue }) => isPointDue)) return written(await updated(db, chunk, isLast));
  return db.transaction(async (tx) => {
    const outcomes = written(await updated(tx, chunk, isLast));
    const due = chunk.filter(({ row, isPointDue }) => isPointDue && outcomes.has(row.id)).map(({ row }) => row);
    for (const id of await recordPricePoints(tx, due)) outcomes.set(id, 'written_with_point');
    return outcomes;
  });
}

/** Adds to the history of rows that are not written themselves. @returns the ids of those that have a new point */
export async function writePoints(db: Db, writes: readonly PriceWrite[]): Promise<Set<string>> {
  const added = new Set<string>();
  for (let start = 0; start < writes.length; start += POINTS_PER_STATEMENT) {
    const chunk = writes.slice(start, start + POINTS_PER_STATEMENT);
    const isLast = start + POINTS_PER_STATEMENT >= writes.length;
    await db.transaction(async (tx) => {
      const held = await heldUntilEnd(tx, chunk, isLast);
      const rows = chunk.map(({ row }) => row).filter(({ id }) => held.has(id));
      for (const id of await recordPricePoints(tx, rows)) added.add(id);
    });
  }
  return added;
}

/** Locks the rows that still stand as they were judged, until the transaction ends. */
async function heldUntilEnd(tx: Db, chunk: readonly PriceWrite[], isLast: boolean): Promise<Set<string>> {
  const rows = await tx
    .select({ id: opportunityPrices.opportunityId })
    .from(opportunityPrices)
    .innerJoin(judged(chunk, isLast), sql`${opportunityPrices.opportunityId} = v.id`)
    .where(standsAsJudged)
    .orderBy(opportunityPrices.opportunityId)
    .for('no key update', { of: opportunityPrices });
  return new Set(rows.map(({ id }) => id));
}

async function updated(db: Db, chunk: readonly PriceWrite[], isLast: boolean): Promise<string[]> {
  const rows = await db
    .update(opportunityPrices)
    .set({
      currentPrice: sql`v.current_price`,
      feesPerSet: sql`v.fees_per_set`,
      profitPercentage: sql`v.profit_percentage`,
      annualisedReturn: sql`v.annualised_return`,
      profitUsd: sql`v.profit_usd`,
      maxProfitableSize: sql`v.max_profitable_size`,
      paysAt: sql`v.pays_at`,
      about: sql`v.about`,
      triggered: sql`${opportunityPrices.triggered} and not (v.falls and ${opportunityPrices.rises} = v.rises)`,
      lastChecked: sql`v.last_checked`,
      lastError: sql`v.last_error`,
      errorCount: sql`v.error_count`,
      errorNotifiedAt: sql`case when v.last_error is null then null else ${opportunityPrices.errorNotifiedAt} end`,
      augmentedEvent: sql`v.augmented_event`,
      resolution: sql`v.resolution`,
    })
    .from(judged(chunk, isLast))
    .where(
      sql`${opportunityPrices.opportunityId} = v.id and ${standsAsJudged}
        and (${opportunityPrices.lastChecked} is null or ${opportunityPrices.lastChecked} <= v.last_checked)`,
    )
    .returning({ id: opportunityPrices.opportunityId });
  return rows.map(({ id }) => id);
}

/** The writes as the table `v`. The disk is waited for once, by the last statement, which takes all before it along. */
function judged(chunk: readonly PriceWrite[], isLast: boolean): SQL {
  return sql`json_to_recordset(${JSON.stringify(chunk.map(wireRow))}::json) as v(id uuid, current_price bigint,
    fees_per_set bigint, profit_percentage bigint, annualised_return bigint, profit_usd bigint, max_profitable_size bigint,
    pays_at timestamp(3) with time zone, about text, falls boolean, rises integer, last_checked timestamp(3) with time zone,
    last_error text, error_count integer, augmented_event boolean, resolution text, updated_at timestamp(3) with time zone,
    partition integer, owner uuid, token bigint) ${isLast ? sql`` : sql`cross join ${WITHOUT_WAITING}`}`;
}

/** The opportunity was not edited since, and the engine that judged it still holds its partition. */
const standsAsJudged = sql`${opportunityPrices.editedAt} = v.updated_at
  and (v.partition is null or exists (select 1 from ${enginePartitions} as held
    where held.partition = v.partition and held.owner = v.owner and held.token = v.token))`;

function wireRow({ row, falls, claim }: PriceWrite): Record<string, unknown> {
  return {
    ...claim,
    id: row.id,
    current_price: row.currentPrice,
    fees_per_set: row.feesPerSet,
    profit_percentage: row.profitPercentage,
    annualised_return: row.annualisedReturn,
    profit_usd: row.profitUsd,
    max_profitable_size: row.maxProfitableSize,
    pays_at: row.paysAt === null ? null : instantToIso(row.paysAt),
    about: row.about,
    falls,
    rises: row.rises,
    last_checked: row.lastChecked === null ? null : instantToIso(row.lastChecked),
    last_error: row.lastError,
    error_count: row.errorCount,
    augmented_event: row.augmentedEvent,
    resolution: row.resolution,
    updated_at: instantToIso(row.updatedAt),
  };
}

async function existingIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ id: opportunityPrices.opportunityId })
    .from(opportunityPrices)
    .where(inArray(opportunityPrices.opportunityId, [...ids]));
  return new Set(rows.map(({ id }) => id));
}
