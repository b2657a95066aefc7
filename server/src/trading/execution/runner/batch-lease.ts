import type { Instant } from '@dutchbook/units/instant.ts';
import { sql } from 'drizzle-orm';
import { executeNamed } from '../../../platform/database/named.ts';
import { WITHOUT_WAITING } from '../../../platform/database/write-together.ts';
import { later } from '../../../platform/runtime/clock.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { batches } from '../../orders/table.ts';

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

/**
 * null when another process holds the batch. A free or expired lease is taken with a higher fencing token. Whether that is on disk
 * what is written under it waits for: a lease that was lost with the database is refused there.
 */
export async function takeLease(
  runtime: Clocks & Pick<Runtime, 'db'>,
  owner: string,
  batchId: string,
): Promise<Lease | null> {
  const expiresAt = expiryNow(runtime);
  const now = runtime.databaseNow();
  const [row] = await executeNamed<{ token: string }>(
    runtime.db,
    sql`update ${batches} set lease_owner = ${owner}, lease_token = lease_token + 1, lease_expires_at = ${later(now, LEASE_MS)}
      from ${WITHOUT_WAITING} where id = ${batchId} and (lease_owner is null or lease_owner = ${owner} or lease_expires_at < ${now})
      returning lease_token as token`,
  );
  return row ? { batchId, owner, token: Number(row.token), expiresAt } : null;
}

/**
 * The lease on a batch that is being recorded, the columns that say so, and when it ends by the database's clock: until that has
 * committed no other process sees the batch, and afterwards they find it leased.
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
  const proven = await executeNamed(
    tx,
    sql`update ${batches} set lease_expires_at = ${later(runtime.databaseNow(), LEASE_MS)}
      where id = ${lease.batchId} and lease_token = ${lease.token} and lease_owner = ${lease.owner} returning id`,
  );
  if (proven.length === 0) throw new LeaseLost(`the lease on batch ${lease.batchId} has gone to another process`);
  lease.expiresAt = expiresAt;
}

function expiryNow({ clock }: Clocks): Instant {
  return (clock.now() + LEASE_MS) as Instant;
}

export async function releaseLease(db: Db, lease: Lease): Promise<void> {
  const released = sql`update ${batches} set lease_owner = null, lease_expires_at = null
    from ${WITHOUT_WAITING} where id = ${lease.batchId} and lease_token = ${lease.token}`;
  await executeNamed(db, released);
}
