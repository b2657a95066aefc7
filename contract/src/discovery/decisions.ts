/** What people decide about relations: stating, approving, rejecting and following one. */
import * as z from 'zod/mini';
import { endpoint, notFound, refusal } from '../endpoint.ts';
import { described, explained } from '../notes/described.ts';
import { STATED_MEANINGS } from '../notes/meanings.ts';
import { relation, relationById, TAG } from '../relations.ts';
import { isVenueId } from '../rules/finding.ts';

export const REASON_LENGTH_MAX = 500;

/** Kinds that a user can state: the others are read from ranges, or hold of every market. */
export const HUMAN_KINDS = ['at_most_one', 'exactly_one', 'ladder'] as const;
export type HumanKind = (typeof HUMAN_KINDS)[number];

export const MEMBERS_MIN = 2;
export const MEMBERS_MAX = 300;
export const TITLE_LENGTH_MAX = 200;
export const NOTE_LENGTH_MAX = 1000;

export const addRelation = endpoint({
  method: 'POST',
  path: '/relations',
  access: 'superuser',
  tag: TAG,
  summary: 'State a relation between markets: watched from then on, and traded once it is approved',
  body: z.strictObject({
    kind: explained(STATED_MEANINGS, z.enum(HUMAN_KINDS)),
    market_ids: described(
      'Hardest first in a ladder.',
      z.array(z.string().check(z.minLength(1), z.maxLength(200), isVenueId)).check(
        z.minLength(MEMBERS_MIN, `At least ${MEMBERS_MIN} markets are needed`),
        z.maxLength(MEMBERS_MAX, `At most ${MEMBERS_MAX} markets`),
        z.refine((ids) => new Set(ids).size === ids.length, 'The same market stands twice'),
      ),
    ),
    title: described(
      'What it says, as a sentence; made from its kind and members where it is left out.',
      z._default(z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(TITLE_LENGTH_MAX))), null),
    ),
    note: described(
      'Why it must hold whatever happens.',
      z.string().check(z.trim(), z.minLength(1, 'Note is required'), z.maxLength(NOTE_LENGTH_MAX)),
    ),
  }),
  reply: relation,
});

export const approveRelation = endpoint({
  method: 'POST',
  path: '/relations/{relation_id}/approve',
  access: 'superuser',
  tag: TAG,
  summary: 'Approve a relation as it reads now, or every event of its series that reads like it',
  refusals: [
    notFound('Relation not found'),
    refusal(
      409,
      'The relation has changed, has ended, is contradicted, or belongs to no series; `detail` says which.',
      'The relation has changed since it was read. Look at it again.',
    ),
  ],
  params: relationById,
  body: z.strictObject({
    scope: z._default(
      explained(
        { relation: 'this one alone', series: 'every event of its series that reads like it' },
        z.enum(['relation', 'series']),
      ),
      'relation',
    ),
    fingerprint: described(
      'What was looked at: refused where it has changed since.',
      z.string().check(z.maxLength(100)),
    ),
  }),
  reply: relation,
});

export const rejectRelation = endpoint({
  method: 'POST',
  path: '/relations/{relation_id}/reject',
  access: 'superuser',
  tag: TAG,
  summary: 'Reject a relation: its hits become no opportunities, and it is not proposed again',
  refusals: [
    notFound('Relation not found'),
    refusal(409, 'The relation is rejected.', 'The relation is rejected already.'),
  ],
  params: relationById,
  body: z.strictObject({
    reason: z.string().check(z.trim(), z.minLength(1, 'Reason is required'), z.maxLength(REASON_LENGTH_MAX)),
  }),
  reply: relation,
});

export const followRelation = endpoint({
  method: 'PUT',
  path: '/relations/{relation_id}/follow',
  access: 'user',
  tag: TAG,
  summary: 'Follow a relation, or not any more',
  refusals: [notFound('Relation not found')],
  params: relationById,
  body: z.strictObject({ follow: described('Whether the caller follows it from now on.', z.boolean()) }),
  reply: relation,
});
