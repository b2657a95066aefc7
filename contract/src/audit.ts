/** The log of what people did: written with the action, never changed afterwards, each entry chained to the one before. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { listOf, notReversed, page, sortOrder } from './listing.ts';
import { instant } from './quantities.ts';

/** What was done, as `object.action`. */
export const auditAction = z.enum([
  'session.opened',
  'session.refused',
  'session.ended',
  'token.created',
  'token.revoked',
  'token.used',
  'second_factor.enabled',
  'second_factor.disabled',
  'second_factor.proven',
  'second_factor.refused',
  'second_factor.reset',
  'recovery_codes.renewed',
  'passkey.added',
  'passkey.deleted',
  'user.signed_up',
  'user.created',
  'user.changed',
  'user.deleted',
  'user.restored',
  'password.changed',
  'password.recovery_requested',
  'password.recovery_shown',
  'password.reset',
  'item.created',
  'item.changed',
  'item.deleted',
  'item.restored',
  'settings.changed',
  'limits.changed',
  'discovery.changed',
  'exits.changed',
  'security.changed',
  'sign_off.asked',
  'sign_off.approved',
  'sign_off.failed',
  'sign_off.rejected',
  'sign_off.withdrawn',
  'sign_off.expired',
  'report.changed',
  'fees.stopped',
  'fees.cleared',
  'ledger.sealed',
  'ledger.stated',
  'ledger.named',
  'relation.added',
  'relation.approved',
  'relation.rejected',
  'relation.voided',
  'cache.cleared',
  'rehearsal.created',
  'rehearsal.canceled',
  'rehearsal.deleted',
  'trading.armed',
  'trading.disarmed',
  'opportunity.created',
  'opportunity.changed',
  'opportunity.deleted',
  'opportunity.restored',
  'opportunity.checked',
  'opportunities.checked',
  'opportunities.imported',
  'opportunities.rehashed',
  'prices.updated',
  'order.placed',
  'order.sold',
  'batch.retried',
  'batch.canceled',
  'batch.sold',
  'batch.unwound',
  'chain.cash_now',
  'chain.redeemed',
  'chain.approved',
  'notification.changed',
  'notification.deleted',
  'notification.restored',
  'notification.retried',
  'notifications.configured',
  'notifications.switched',
  'notifications.tested',
  'notifications.muted',
  'email.tested',
]);
export type AuditAction = z.output<typeof auditAction>;

const json = z.nullable(z.unknown());

/** An entry that was forged, or written by a later version, may name another action: it is served to be seen all the same. */
const recordedAction = z.string() as unknown as z.ZodMiniType<AuditAction, AuditAction>;

const auditEntry = z.object({
  /** Its place in the chain, from 1, without gaps. */
  seq: z.int(),
  at: instant,
  /** Who: null for somebody who was not signed in. `actor` is their email at the time, followed by the API token if they called with one, or by who signed it off, `system` of what the product did by itself. */
  actor_id: z.nullable(z.string()),
  actor: z.nullable(z.string()),
  /** From where: the network address. */
  address: z.string(),
  action: recordedAction,
  /** On what: an id, an email or a name; null where the action says it all. */
  object: z.nullable(z.string()),
  before: json,
  after: json,
  /**
   * What anybody can recompute from an export: SHA-256, hexadecimal, over the JSON text, without spaces, of the array
   * [seq, at, actor_id, actor, address, action, object, before, after, hash of the entry before]. Every object in it has
   * its keys sorted; the first entry follows on a hash of 64 zeros.
   */
  hash: z.string(),
});
export type AuditEntry = z.output<typeof auditEntry>;

const tag = 'Audit log';

const filters = {
  action: z.optional(auditAction),
  /** Part of the email of whoever did it. */
  actor: z.optional(z.string().check(z.maxLength(254))),
  /** Exactly what it was done to. */
  object: z.optional(z.string().check(z.maxLength(254))),
  /** Both moments themselves included. */
  since: z.optional(instant),
  until: z.optional(instant),
};

export const listAuditLog = endpoint({
  method: 'GET',
  path: '/audit-log/',
  access: 'superuser',
  heavy: 'list',
  tag,
  summary: 'What people did, newest first; a page of long entries ends at 2 MB, go on after the last one served',
  query: z.object({ ...page, ...filters, sort_order: z._default(sortOrder, 'desc') }).check(notReversed('since')),
  reply: listOf(auditEntry),
});

export const exportAuditLog = endpoint({
  method: 'GET',
  path: '/audit-log/export',
  access: 'superuser',
  heavy: 'file',
  tag,
  summary: 'The entries that match, oldest first, one JSON object per line',
  query: z.object(filters).check(notReversed('since')),
  reply: z.string(),
});

export const verifyAuditLog = endpoint({
  method: 'POST',
  path: '/audit-log/verify',
  access: 'superuser',
  heavy: 'file',
  tag,
  summary: 'Whether every entry still hashes to what the next one is chained to',
  reply: z.object({
    intact: z.boolean(),
    entries: z.int(),
    /** The last hash of the chain: written down elsewhere, it shows later whether the end was cut off. */
    head: z.nullable(z.string()),
    /** The first entry that is wrong or missing; null when none is. */
    broken_at: z.nullable(z.int()),
  }),
});
