/** The log of what people did: written with the action, never changed afterwards, each entry chained to the one before. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { listOf, notReversed, page, sortOrder } from './listing.ts';
import { ACTION_WORDS } from './notes/audit-words.ts';
import { described, explained } from './notes/described.ts';
import { instant } from './quantities.ts';

/** What was done, as `object.action`. */
export const auditAction = explained(ACTION_WORDS, z.enum(Object.keys(ACTION_WORDS) as (keyof typeof ACTION_WORDS)[]));
export type AuditAction = z.output<typeof auditAction>;

const json = z.nullable(z.unknown());

/** An entry that was forged, or written by a later version, may name another action: it is served to be seen all the same. */
const recordedAction = z.string() as unknown as z.ZodMiniType<AuditAction, AuditAction>;

const auditEntry = z.object({
  seq: described('Its place in the chain, from 1, without gaps.', z.int()),
  at: instant,
  actor_id: described('The user who did it; null for a caller who was not signed in.', z.nullable(z.string())),
  actor: described(
    'Their email at the time, followed by the API token if they called with one, or by who signed it off; `system` where the product acted by itself.',
    z.nullable(z.string()),
  ),
  address: described('From where: the network address.', z.string()),
  action: described(
    'What was done, as `object.action`. Entries of later versions may have others than are listed.',
    recordedAction,
  ),
  object: described('On what: an id, an email or a name; null where the action says it all.', z.nullable(z.string())),
  before: described('What it was before, as JSON; null where there was nothing.', json),
  after: described('What it has been since, as JSON; null where there is nothing.', json),
  hash: described(
    'What any reader can recompute from an export: SHA-256, hexadecimal, over the JSON text, without spaces, of the array [seq, at, actor_id, actor, address, action, object, before, after, hash of the entry before]. Every object in it has its keys sorted; the first entry follows on a hash of 64 zeros.',
    z.string(),
  ),
});
export type AuditEntry = z.output<typeof auditEntry>;

const tag = 'Audit log';

const filters = {
  action: described('Only entries of this action.', z.optional(auditAction)),
  actor: described('Part of the email of the user who did it.', z.optional(z.string().check(z.maxLength(254)))),
  object: described('Exactly what it was done to.', z.optional(z.string().check(z.maxLength(254)))),
  since: described('Both moments themselves included.', z.optional(instant)),
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
    intact: described('Whether the chain of hashes is unbroken.', z.boolean()),
    entries: described('How many entries were checked.', z.int()),
    head: described(
      'The last hash of the chain: written down elsewhere, it shows later whether the end was cut off.',
      z.nullable(z.string()),
    ),
    broken_at: described('The first entry that is wrong or missing; null when none is.', z.nullable(z.int())),
  }),
});
