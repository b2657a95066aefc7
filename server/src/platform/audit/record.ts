import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '@dutchbook/contract/audit.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { type SQL, sql } from 'drizzle-orm';
import { locking } from '../database/locks.ts';
import type { Actor } from '../http/signed-in.ts';
import type { Clock, Db } from '../runtime/runtime.ts';
import type { auditLog } from './table.ts';

/** The product itself, where it places or retries without being asked to. No account can have this name. */
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
 * transaction: until that ends no other action can be recorded, so that waiting for another lock after it may deadlock.
 */
export async function recordAction(tx: Db, { clock }: { clock: Clock }, actor: Actor, action: Action): Promise<void> {
  for (const statement of actionStatements({ clock }, actor, action)) await tx.execute(statement);
}

/** The statements behind it, the last of their transaction. */
export function actionStatements({ clock }: { clock: Clock }, actor: Actor, reported: Action): SQL[] {
  const { action, object = null, before = null, after = null } = reported;
  const { id: actorId, email, address } = actor;
  const at = clock.now();
  const hashed = hashedParts({ at, actorId, actor: email, address, action, object, before, after });
  const [was, is] = [before, after].map((state) => (state === null ? null : JSON.stringify(state)));
  // Two statements: the last entry is read after the lock is held.
  const entry = sql`insert into audit_log (seq, at, actor_id, actor, address, action, object, before, after, hash)
    select seq, ${instantToIso(at)}::timestamptz, ${actorId}::uuid, ${email}, ${address}, ${action}, ${object},
      ${was}::jsonb, ${is}::jsonb,
      encode(sha256(convert_to('[' || seq || ',' || ${hashed} || ',"' || previous || '"]', 'UTF8')), 'hex')
    from (select coalesce(max(seq), 0) + 1 as seq, coalesce(max(hash), ${CHAIN_START}) as previous
      from (select seq, hash from audit_log order by seq desc limit 1) newest) last`;
  return [locking('auditChain'), entry];
}

type Hashed = Omit<AuditRow, 'seq' | 'hash'>;

/** SHA-256, hexadecimal, over the JSON array of the entry's parts in this order, objects by sorted keys, and the hash before it. */
export function hashOf(entry: Omit<AuditRow, 'hash'>, previousHash: string): string {
  const hashed = `[${entry.seq},${hashedParts(entry)},"${previousHash}"]`;
  return createHash('sha256').update(hashed).digest('hex');
}

/** The part of that array between the number of the entry and the hash before it. */
function hashedParts({ at, actorId, actor, address, action, object, before, after }: Hashed): string {
  const parts = [instantToIso(at), actorId, actor, address, action, object, before, after];
  return JSON.stringify(parts, sortedKeys).slice(1, -1);
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
