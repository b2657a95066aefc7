/** Sign-offs: a second person's approval of what one person asked for. What needs one says the security settings. */
import * as z from 'zod/mini';
import { endpoint, notFound, refusal } from './endpoint.ts';
import { id, listOf, page } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { instant } from './quantities.ts';

/**
 * `settings`: a sign-off that was asked for so far is not any more. `practice_off`: orders are not only simulated any more, where arming
 * is signed off.
 */
const signOffKind = explained(
  {
    arm: 'trading is armed',
    limits: 'limits are raised',
    batch: 'a batch is placed or retried',
    settings: 'a sign-off that was asked for so far is not any more',
    practice_off: 'orders are not only simulated any more',
  },
  z.enum(['arm', 'limits', 'batch', 'settings', 'practice_off']),
);
export type SignOffKind = z.output<typeof signOffKind>;

/** `failed`: approved, and refused when it was judged anew. */
const signOffState = explained(
  {
    open: 'it waits for a second person',
    approved: 'it was approved and done',
    rejected: 'a second person rejected it',
    withdrawn: 'its requester, or a change of what it was about, withdrew it',
    expired: 'its deadline has passed',
    failed: 'it was approved, and refused when it was judged anew',
  },
  z.enum(['open', 'approved', 'rejected', 'withdrawn', 'expired', 'failed']),
);
export type SignOffState = z.output<typeof signOffState>;

/** Open requests per person. */
export const OPEN_SIGN_OFFS_PER_USER = 20;

export const SIGN_OFF_REASON_MAX = 500;

const signOff = z.object({
  id,
  kind: signOffKind,
  summary: described('What is asked for, in one sentence with its numbers.', z.string()),
  state: signOffState,
  requested_by: described(
    'The email at the time, followed by the API token if it was asked for with one. The id is null once that account is gone.',
    z.string(),
  ),
  requested_by_id: described('The user who asked for it; null once that account is gone.', z.nullable(id)),
  requested_at: described('When it was asked for.', instant),
  expires_at: instant,
  decided_by: described('Who approved, rejected or withdrew it; null before that.', z.nullable(z.string())),
  decided_at: described('When it was approved, rejected or withdrawn; null before.', z.nullable(instant)),
  reason: described('Why it was rejected, or what withdrew it when its requester did not.', z.nullable(z.string())),
  outcome: described(
    'What came of an approval, in one sentence: what was done, or why it was not.',
    z.nullable(z.string()),
  ),
  batch_id: described('The batch that was placed by it, or is to be retried.', z.nullable(id)),
});
export type SignOff = z.output<typeof signOff>;

const tag = 'Sign-offs';
const params = z.object({ sign_off_id: described('The sign-off.', id) });

export const listSignOffs = endpoint({
  method: 'GET',
  path: '/sign-offs/',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'What was asked of a second person, newest first: a superuser sees all, other users their own',
  query: z.object({ ...page, state: z.optional(signOffState) }),
  reply: listOf(signOff),
});

export const readSignOff = endpoint({
  method: 'GET',
  path: '/sign-offs/{sign_off_id}',
  access: 'viewer',
  tag,
  summary: 'One sign-off',
  refusals: [notFound('Sign-off not found')],
  params,
  reply: signOff,
});

export const approveSignOff = endpoint({
  method: 'POST',
  path: '/sign-offs/{sign_off_id}/approve',
  access: 'superuser',
  proven: true,
  tag,
  summary: 'Approve what another user has asked for: it is judged anew and carried out now, as theirs',
  refusals: [
    notFound('Sign-off not found'),
    refusal(
      409,
      'It has ended, the caller asked for it, or it is refused when it is judged anew; `detail` says which.',
      'You asked for this yourself: another superuser has to sign it off, and you can withdraw it.',
    ),
  ],
  params,
  reply: signOff,
});

export const rejectSignOff = endpoint({
  method: 'POST',
  path: '/sign-offs/{sign_off_id}/reject',
  access: 'superuser',
  tag,
  summary: 'Reject what another user has asked for, with a reason',
  refusals: [
    notFound('Sign-off not found'),
    refusal(
      409,
      'It has ended, or the caller asked for it.',
      'You asked for this yourself: another superuser has to sign it off, and you can withdraw it.',
    ),
  ],
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
  summary: 'Withdraw a sign-off request, by its author',
  refusals: [
    notFound('Sign-off not found'),
    refusal(
      409,
      'It has ended, or another user asked for it.',
      'Only the person who asked for it can withdraw it: reject it.',
    ),
  ],
  params,
  reply: signOff,
});
