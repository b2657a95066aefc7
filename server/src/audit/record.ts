import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '@dutchbook/contract/audit.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { desc } from 'drizzle-orm';
import { lock } from '../database/locks.ts';
import type { Actor } from '../parts.ts';
import type { Clock, Db } from '../runtime.ts';
import { auditLog } from './table.ts';

/** The product itself, where it places or retries without being asked to. Nobody can sign in under this name. */
export const THE_SYSTEM: Actor = { id: null, email: 'system', address: 'system' };

type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export type Action = {
  action: AuditAction;
  /** What it was done to: an id, an email or a name. */
  object?: string;
  /** As served by the calls, never with a secret. */
  before?: JsonObject;
  after?: JsonObject;
};

export type AuditRow = typeof auditLog.$inferSelect;

/** The members of two states that differ: what did not change need not be kept twice. */
export function differenceOf(before: JsonObject, after: JsonObject): { before: JsonObject; after: JsonObject } {
  const differing = (of: JsonObject, other: JsonObject) =>
    Object.fromEntries(Object.entries(of).filter(([name, value]) => !isDeepStrictEqual(value, other[name])));
  return { before: differing(before, after), after: differing(after, before) };
}

/** What the first entry is chained to. */
export const CHAIN_START = '0'.repeat(64);

/**
 * Adds to the audit log, in the transaction of the action itself: neither stands without the other. Call it last in the
 * transaction: until that ends no other action can be recorded, so whoever waits for anything else after it may wait for ever.
 */
export async function recordAction(
  tx: Db,
  { clock }: { clock: Clock },
  actor: Actor,
  { action, object, before, after }: Action,
): Promise<void> {
  await lock(tx, 'auditChain');
  const [last] = await tx
    .select({ seq: auditLog.seq, hash: auditLog.hash })
    .from(auditLog)
    .orderBy(desc(auditLog.seq))
    .limit(1);
  const entry = {
    seq: (last?.seq ?? 0) + 1,
    at: clock.now(),
    actorId: actor.id,
    actor: actor.email,
    address: actor.address,
    action,
    object: object ?? null,
    before: before ?? null,
    after: after ?? null,
  };
  await tx.insert(auditLog).values({ ...entry, hash: hashOf(entry, last?.hash ?? CHAIN_START) });
}

/** SHA-256, hexadecimal, over the JSON array of the entry's parts in this order, objects by sorted keys, and the hash before it. */
export function hashOf(entry: Omit<AuditRow, 'hash'>, previousHash: string): string {
  const { seq, actorId, actor, address, action, object, before, after } = entry;
  const parts = [seq, instantToIso(entry.at), actorId, actor, address, action, object, before, after, previousHash];
  return createHash('sha256').update(JSON.stringify(parts, sortedKeys)).digest('hex');
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
