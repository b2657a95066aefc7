import type { Instant } from '@dutchbook/units/instant.ts';
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { batches } from '../../world/schema.ts';
import type { Db, World } from '../../world/world.ts';

const LEASE_MS = 5000;

/** The right to work on one batch until `expiresAt`. Every write and every post proves it with `token`. */
export type Lease = { batchId: string; owner: string; token: number; expiresAt: Instant };

/** Another process took the batch over: whatever was about to be done here is its business now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** null when another process holds the batch. A free or expired lease is taken with a higher fencing token. */
export async function takeLease(world: World, owner: string, batchId: string): Promise<Lease | null> {
  const now = world.clock.now();
  const expiresAt = (now + LEASE_MS) as Instant;
  const free = or(isNull(batches.leaseOwner), eq(batches.leaseOwner, owner), lt(batches.leaseExpiresAt, now));
  const taken = await world.db
    .update(batches)
    .set({ leaseOwner: owner, leaseToken: sql`${batches.leaseToken} + 1`, leaseExpiresAt: expiresAt })
    .where(and(eq(batches.id, batchId), free))
    .returning({ token: batches.leaseToken });
  const [row] = taken;
  return row ? { batchId, owner, token: row.token, expiresAt } : null;
}

/**
 * First statement of every transaction that works on a batch: locks the row, proves the lease and prolongs it.
 * @throws LeaseLost when the token is no longer the newest.
 */
export async function proveLease(tx: Db, world: World, lease: Lease): Promise<void> {
  const expiresAt = (world.clock.now() + LEASE_MS) as Instant;
  const proven = await tx
    .update(batches)
    .set({ leaseExpiresAt: expiresAt })
    .where(and(eq(batches.id, lease.batchId), eq(batches.leaseToken, lease.token), eq(batches.leaseOwner, lease.owner)))
    .returning({ id: batches.id });
  if (proven.length === 0) throw new LeaseLost(`the lease on batch ${lease.batchId} has gone to another process`);
  lease.expiresAt = expiresAt;
}

export async function releaseLease(db: Db, lease: Lease): Promise<void> {
  await db
    .update(batches)
    .set({ leaseOwner: null, leaseExpiresAt: null })
    .where(and(eq(batches.id, lease.batchId), eq(batches.leaseToken, lease.token)));
}
