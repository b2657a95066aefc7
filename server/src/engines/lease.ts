/** What an engine writes of itself and of the shares it holds. A share has one owner, and a token that only rises. */
import type { SystemStatus } from '@dutchbook/contract/status.ts';
import { and, eq, exists, gt, inArray, isNull, lt, not, or, sql } from 'drizzle-orm';
import type { ShareClaim } from '../parts.ts';
import { later } from '../world/clock.ts';
import type { Db, World } from '../world/world.ts';
import { ALL_SHARES } from './division.ts';
import { engineShares, engines } from './table.ts';

/**
 * Who is alive is judged by the database's clock alone, when it is written and when it is read: an engine whose machine
 * is ahead of the others would find all of them dead.
 */
type Leases = Pick<World, 'db' | 'databaseNow'>;

/** Who does not say that it is there for this long has lost its shares to the others. */
const LEASE_MS = 5000;
/** An engine that has been gone for this long is forgotten. */
const FORGOTTEN_AFTER_MS = 60_000;

export async function ensureShares(db: Db): Promise<void> {
  const rows = ALL_SHARES.map((share) => ({ share }));
  await db.insert(engineShares).values(rows).onConflictDoNothing();
}

/** Says that this engine is there. */
export async function writeEngine(
  { db, databaseNow }: Leases,
  engine: Omit<typeof engines.$inferSelect, 'expiresAt'>,
): Promise<void> {
  const { feed } = engine;
  const expiresAt = later(databaseNow(), LEASE_MS);
  await db
    .insert(engines)
    .values({ ...engine, expiresAt })
    .onConflictDoUpdate({ target: engines.id, set: { expiresAt, feed } });
}

export async function readAlive({ db, databaseNow }: Leases): Promise<{ id: string; feed: SystemStatus['feed'] }[]> {
  const alive = gt(engines.expiresAt, databaseNow());
  return await db.select({ id: engines.id, feed: engines.feed }).from(engines).where(alive);
}

export async function readShares(db: Db): Promise<(typeof engineShares.$inferSelect)[]> {
  return await db.select().from(engineShares);
}

/** Answers those of the shares that were free and are this engine's now. One that is being proven is left alone. */
export async function takeShares(
  { db, databaseNow }: Leases,
  owner: string,
  shares: readonly number[],
): Promise<{ share: number; token: number }[]> {
  const isOwnerAlive = exists(
    db
      .select({ id: engines.id })
      .from(engines)
      .where(and(eq(engines.id, engineShares.owner), gt(engines.expiresAt, databaseNow()))),
  );
  const free = db
    .select({ share: engineShares.share })
    .from(engineShares)
    .where(and(inArray(engineShares.share, [...shares]), or(isNull(engineShares.owner), not(isOwnerAlive))))
    .for('update', { skipLocked: true });
  return await db
    .update(engineShares)
    .set({ owner, token: sql`${engineShares.token} + 1` })
    .where(inArray(engineShares.share, free))
    .returning({ share: engineShares.share, token: engineShares.token });
}

export async function giveShares(db: Db, owner: string, shares: readonly number[]): Promise<void> {
  const ours = and(eq(engineShares.owner, owner), inArray(engineShares.share, [...shares]));
  await db.update(engineShares).set({ owner: null }).where(ours);
}

/** The engine ends: what it held is free at once. */
export async function removeEngine(tx: Db, id: string): Promise<void> {
  await tx.update(engineShares).set({ owner: null }).where(eq(engineShares.owner, id));
  await tx.delete(engines).where(eq(engines.id, id));
}

export async function forgetEngines({ db, databaseNow }: Leases): Promise<void> {
  await db.delete(engines).where(lt(engines.expiresAt, later(databaseNow(), -FORGOTTEN_AFTER_MS)));
}

/**
 * Whether the share is still held as it was when the claim was made; then nobody takes it until the transaction ends.
 * Whoever has been stopped for a while learns here that it is another's business now.
 */
export async function provenUntilEnd(tx: Db, claim: ShareClaim): Promise<boolean> {
  return (await claimedShare(tx, claim)).length > 0;
}

/** The query behind it, for a statement that does nothing where the claim does not hold. */
export function claimedShare(tx: Db, { share, owner, token }: ShareClaim) {
  return tx
    .select({ share: engineShares.share })
    .from(engineShares)
    .where(and(eq(engineShares.share, share), eq(engineShares.owner, owner), eq(engineShares.token, token)))
    .for('share');
}
