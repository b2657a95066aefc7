/** What an engine writes of itself and of the partitions it holds. A partition has one owner, and a token that only rises. */
import { and, eq, exists, gt, inArray, isNull, lt, not, or, type SQL, sql } from 'drizzle-orm';
import { executeNamed } from '../database/named.ts';
import { later } from '../runtime/clock.ts';
import type { Db, Runtime } from '../runtime/runtime.ts';
import { ALL_PARTITIONS } from './division.ts';
import type { PartitionClaim } from './partitions.ts';
import { enginePartitions, engines } from './table.ts';

/**
 * Who is alive is judged by the database's clock alone, when it is written and when it is read: an engine whose machine
 * is ahead of the others would find all of them dead.
 */
type Leases = Pick<Runtime, 'db' | 'databaseNow'>;

/** Who does not say that it is there for this long has lost its partitions to the others. */
const LEASE_MS = 5000;
/** An engine that has been gone for this long is forgotten. */
const FORGOTTEN_AFTER_MS = 60_000;

export async function ensurePartitions(db: Db): Promise<void> {
  const rows = ALL_PARTITIONS.map((partition) => ({ partition }));
  await db.insert(enginePartitions).values(rows).onConflictDoNothing();
}

/** Says that this engine is there. */
export async function writeEngine(
  { db, databaseNow }: Leases,
  engine: Omit<typeof engines.$inferSelect, 'expiresAt'>,
): Promise<void> {
  const { feed, venueFeeds } = engine;
  const expiresAt = later(databaseNow(), LEASE_MS);
  await db
    .insert(engines)
    .values({ ...engine, expiresAt })
    .onConflictDoUpdate({ target: engines.id, set: { expiresAt, feed, venueFeeds } });
}

export type AliveEngine = Pick<typeof engines.$inferSelect, 'id' | 'feed' | 'venueFeeds'>;

export async function readAlive({ db, databaseNow }: Leases): Promise<AliveEngine[]> {
  const { id, feed, venueFeeds } = engines;
  return await db.select({ id, feed, venueFeeds }).from(engines).where(gt(engines.expiresAt, databaseNow()));
}

export async function readPartitions(db: Db): Promise<(typeof enginePartitions.$inferSelect)[]> {
  return await db.select().from(enginePartitions);
}

/** Answers those of the partitions that were free and are this engine's now. One that is being proven is left alone. */
export async function takePartitions(
  { db, databaseNow }: Leases,
  owner: string,
  partitions: readonly number[],
): Promise<{ partition: number; token: number }[]> {
  const isOwnerAlive = exists(
    db
      .select({ id: engines.id })
      .from(engines)
      .where(and(eq(engines.id, enginePartitions.owner), gt(engines.expiresAt, databaseNow()))),
  );
  const free = db
    .select({ partition: enginePartitions.partition })
    .from(enginePartitions)
    .where(
      and(inArray(enginePartitions.partition, [...partitions]), or(isNull(enginePartitions.owner), not(isOwnerAlive))),
    )
    .for('update', { skipLocked: true });
  return await db
    .update(enginePartitions)
    .set({ owner, token: sql`${enginePartitions.token} + 1` })
    .where(inArray(enginePartitions.partition, free))
    .returning({ partition: enginePartitions.partition, token: enginePartitions.token });
}

export async function givePartitions(db: Db, owner: string, partitions: readonly number[]): Promise<void> {
  const ours = and(eq(enginePartitions.owner, owner), inArray(enginePartitions.partition, [...partitions]));
  await db.update(enginePartitions).set({ owner: null }).where(ours);
}

/** The engine ends: what it held is free at once. */
export async function removeEngine(tx: Db, id: string): Promise<void> {
  await tx.update(enginePartitions).set({ owner: null }).where(eq(enginePartitions.owner, id));
  await tx.delete(engines).where(eq(engines.id, id));
}

export async function forgetEngines({ db, databaseNow }: Leases): Promise<void> {
  await db.delete(engines).where(lt(engines.expiresAt, later(databaseNow(), -FORGOTTEN_AFTER_MS)));
}

/**
 * Whether the partition is still held as it was when the claim was made; then no other engine takes it until the transaction ends.
 * An engine that was stopped for a while finds here that another engine has taken over.
 */
export async function provenUntilEnd(tx: Db, claim: PartitionClaim): Promise<boolean> {
  return (await executeNamed(tx, claimedPartition(claim))).length > 0;
}

/** The query behind it, for a statement that does nothing where the claim does not hold. */
export function claimedPartition({ partition, owner, token }: PartitionClaim): SQL {
  return sql`(select partition from engine_partitions
    where partition = ${partition} and owner = ${owner} and token = ${token} for share)`;
}
