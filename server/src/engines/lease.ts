/** What an engine writes of itself and of the shares it holds. A share has one owner, and a token that only rises. */
import type { SystemStatus } from '@dutchbook/contract/status.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, eq, exists, gt, inArray, isNull, lt, not, or, sql } from 'drizzle-orm';
import type { ShareClaim } from '../parts.ts';
import type { Db } from '../world/world.ts';
import { ALL_SHARES } from './division.ts';
import { engineShares, engines } from './table.ts';

export type EngineRow = typeof engines.$inferSelect;

/** An engine that has been gone for this long is forgotten. */
const FORGOTTEN_AFTER_MS = 60_000;

export async function ensureShares(db: Db): Promise<void> {
  const rows = ALL_SHARES.map((share) => ({ share }));
  await db.insert(engineShares).values(rows).onConflictDoNothing();
}

/** Says that this engine is there, until `expiresAt`. */
export async function writeEngine(db: Db, engine: EngineRow): Promise<void> {
  const { expiresAt, feed } = engine;
  await db.insert(engines).values(engine).onConflictDoUpdate({ target: engines.id, set: { expiresAt, feed } });
}

export async function readAlive(db: Db, now: Instant): Promise<{ id: string; feed: SystemStatus['feed'] }[]> {
  return await db.select({ id: engines.id, feed: engines.feed }).from(engines).where(gt(engines.expiresAt, now));
}

export async function readShares(db: Db): Promise<(typeof engineShares.$inferSelect)[]> {
  return await db.select().from(engineShares);
}

/** Answers those of the shares that were free and are this engine's now. One that is being proven is left alone. */
export async function takeShares(
  db: Db,
  owner: string,
  shares: readonly number[],
  now: Instant,
): Promise<{ share: number; token: number }[]> {
  const isOwnerAlive = exists(
    db
      .select({ id: engines.id })
      .from(engines)
      .where(and(eq(engines.id, engineShares.owner), gt(engines.expiresAt, now))),
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

export async function forgetEngines(db: Db, now: Instant): Promise<void> {
  await db.delete(engines).where(lt(engines.expiresAt, (now - FORGOTTEN_AFTER_MS) as Instant));
}

/**
 * Whether the share is still held as it was when the claim was made; then nobody takes it until the transaction ends.
 * Whoever has been stopped for a while learns here that it is another's business now.
 */
export async function provenUntilEnd(tx: Db, { share, owner, token }: ShareClaim): Promise<boolean> {
  const [held] = await tx
    .select({ share: engineShares.share })
    .from(engineShares)
    .where(and(eq(engineShares.share, share), eq(engineShares.owner, owner), eq(engineShares.token, token)))
    .for('share');
  return held !== undefined;
}
