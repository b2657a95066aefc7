import type { Instant } from '@dutchbook/units/instant.ts';
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { executeNamed } from '../../database/named.ts';
import { batches } from '../../orders/table.ts';
import { later } from '../../runtime/clock.ts';
import type { Db, Runtime } from '../../runtime.ts';

const LEASE_MS = 5000;

/**
 * The right to work on one batch. Every write proves it with `token`. Whether another may take it is judged by the database's
 * clock alone; `expiresAt` is by the holder's own, counted from before it asked, so that it never lasts longer than there.
 */
export type Lease = { batchId: string; owner: string; token: number; expiresAt: Instant };

type Clocks = Pick<Runtime, 'clock' | 'databaseNow'>;

/** Another process took the batch over: whatever was about to be done here is its business now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** null when another process holds the batch. A free or expired lease is taken with a higher fencing token. */
export async function takeLease(
  runtime: Clocks & Pick<Runtime, 'db'>,
  owner: string,
  batchId: string,
): Promise<Lease | null> {
  const expiresAt = expiryNow(runtime);
  const now = runtime.databaseNow();
  const free = or(isNull(batches.leaseOwner), eq(batches.leaseOwner, owner), lt(batches.leaseExpiresAt, now));
  const taking = runtime.db
    .update(batches)
    .set({ leaseOwner: owner, leaseToken: sql`${batches.leaseToken} + 1`, leaseExpiresAt: later(now, LEASE_MS) })
    .where(and(eq(batches.id, batchId), free))
    .returning({ token: batches.leaseToken });
  const [row] = await executeNamed<{ lease_token: string }>(runtime.db, taking);
  return row ? { batchId, owner, token: Number(row.lease_token), expiresAt } : null;
}

/**
 * The lease on a batch that is being recorded, the columns that say so, and when it ends by the database's clock: until that has
 * committed nobody else knows of the batch, and from then on they find it taken.
 */
export function firstLease(runtime: Clocks, owner: string, batchId: string) {
  const lease: Lease = { batchId, owner, token: 1, expiresAt: expiryNow(runtime) };
  const expiresAt = later(runtime.databaseNow(), LEASE_MS);
  return { lease, columns: { leaseOwner: owner, leaseToken: lease.token }, expiresAt };
}

/**
 * First statement of every transaction that works on a batch: locks the row, proves the lease and prolongs it.
 * @throws LeaseLost when the token is no longer the newest.
 */
export async function proveLease(tx: Db, runtime: Clocks, lease: Lease): Promise<void> {
  const expiresAt = expiryNow(runtime);
  const proving = tx
    .update(batches)
    .set({ leaseExpiresAt: later(runtime.databaseNow(), LEASE_MS) })
    .where(and(eq(batches.id, lease.batchId), eq(batches.leaseToken, lease.token), eq(batches.leaseOwner, lease.owner)))
    .returning({ id: batches.id });
  if ((await executeNamed(tx, proving)).length === 0)
    throw new LeaseLost(`the lease on batch ${lease.batchId} has gone to another process`);
  lease.expiresAt = expiresAt;
}

function expiryNow({ clock }: Clocks): Instant {
  return (clock.now() + LEASE_MS) as Instant;
}

export async function releaseLease(db: Db, lease: Lease): Promise<void> {
  const free = db
    .update(batches)
    .set({ leaseOwner: null, leaseExpiresAt: null })
    .where(and(eq(batches.id, lease.batchId), eq(batches.leaseToken, lease.token)));
  await executeNamed(db, free);
}
