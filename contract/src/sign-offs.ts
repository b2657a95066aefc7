/** Sign-offs: a second person's approval of what one person asked for. What needs one says the security settings. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, listOf, page } from './listing.ts';
import { instant } from './quantities.ts';

/**
 * `settings`: a sign-off that was asked for so far is not any more. `practice_off`: orders are not only simulated any more, where arming
 * is signed off.
 */
const signOffKind = z.enum(['arm', 'limits', 'batch', 'settings', 'practice_off']);
export type SignOffKind = z.output<typeof signOffKind>;

/** `failed`: approved, and refused when it was judged anew. */
const signOffState = z.enum(['open', 'approved', 'rejected', 'withdrawn', 'expired', 'failed']);
export type SignOffState = z.output<typeof signOffState>;

/** So many of one person may be open at once. */
export const OPEN_SIGN_OFFS_PER_USER = 20;

export const SIGN_OFF_REASON_MAX = 500;

const signOff = z.object({
  id,
  kind: signOffKind,
  /** What is asked for, in one sentence with its numbers. */
  summary: z.string(),
  state: signOffState,
  /** The email at the time, followed by the API token if it was asked for with one. The id is null once that account is gone. */
  requested_by: z.string(),
  requested_by_id: z.nullable(id),
  requested_at: instant,
  expires_at: instant,
  /** Who approved, rejected or withdrew it; null where nobody did. */
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(instant),
  /** Why it was rejected, or what withdrew it when its requester did not. */
  reason: z.nullable(z.string()),
  /** What came of an approval, in one sentence: what was done, or why it was not. */
  outcome: z.nullable(z.string()),
  /** The batch that was placed by it, or is to be retried. */
  batch_id: z.nullable(id),
});
export type SignOff = z.output<typeof signOff>;

const tag = 'Sign-offs';
const params = z.object({ sign_off_id: id });

export const listSignOffs = endpoint({
  method: 'GET',
  path: '/sign-offs/',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'What was asked of a second person, newest first: a superuser sees all, everybody else their own',
  query: z.object({ ...page, state: z.optional(signOffState) }),
  reply: listOf(signOff),
});

export const readSignOff = endpoint({
  method: 'GET',
  path: '/sign-offs/{sign_off_id}',
  access: 'viewer',
  tag,
  summary: 'One sign-off',
  params,
  reply: signOff,
});

export const approveSignOff = endpoint({
  method: 'POST',
  path: '/sign-offs/{sign_off_id}/approve',
  access: 'superuser',
  proven: true,
  tag,
  summary: 'Approve what somebody else has asked for: it is judged anew and carried out now, as theirs',
  params,
  reply: signOff,
});

export const rejectSignOff = endpoint({
  method: 'POST',
  path: '/sign-offs/{sign_off_id}/reject',
  access: 'superuser',
  tag,
  summary: 'Reject what somebody else has asked for, with a reason',
  params,
  body: z.object({
    reason: z
      .string('Reason is required')
      .check(
        z.trim(),
        z.minLength(1, 'Reason is required'),
        z.maxLength(SIGN_OFF_REASON_MAX, `Reason must be at most ${SIGN_OFF_REASON_MAX} characters`),
      ),
  }),
  reply: signOff,
});

export const withdrawSignOff = endpoint({
  method: 'POST',
  path: '/sign-offs/{sign_off_id}/withdraw',
  access: 'user',
  tag,
  summary: 'Take back what was asked for, by whoever asked',
  params,
  reply: signOff,
});
