/** What the answer to a post, or the lack of one, says about the attempt that was posted. */
import type { AttemptUpdate } from './attempt-update.ts';

/**
 * `accepted`: the venue took the order. `rate_limited`: it wants fewer calls and did not look at it. `unknown`: it may
 * have taken it, or not.
 */
export type PostOutcome =
  | { kind: 'accepted'; venueName?: string; status: 'open' | 'matched' | 'delayed' }
  | { kind: 'rejected' | 'rate_limited' | 'unknown'; reason: string };

type Posted = { id: string };

export function updateOfPost({ id }: Posted, outcome: PostOutcome | undefined): AttemptUpdate {
  if (outcome === undefined) return unknown(id, 'the venue did not answer for this order');
  switch (outcome.kind) {
    case 'rejected':
      return { attemptId: id, event: 'rejected', reason: outcome.reason, unknownReason: null };
    case 'rate_limited': {
      const reason = `Not sent yet, the venue wants fewer calls: ${outcome.reason}`;
      return { attemptId: id, rateLimited: true, reason, unknownReason: null };
    }
    case 'unknown':
      return unknown(id, outcome.reason);
    case 'accepted': {
      const event = outcome.status === 'delayed' ? 'delayed' : 'open';
      const { venueName } = outcome;
      const named = venueName === undefined ? {} : { venueName };
      return { attemptId: id, event, reason: null, unknownReason: null, ...named };
    }
  }
}

/** The rejection of a copy proves nothing about the one before it, which may still be on its way. */
export function updateOfCopy(attempt: Posted, outcome: PostOutcome | undefined): AttemptUpdate {
  if (outcome?.kind !== 'rejected' && outcome?.kind !== 'rate_limited') return updateOfPost(attempt, outcome);
  return unknown(attempt.id, `a copy was refused: ${outcome.reason}`);
}

function unknown(attemptId: string, unknownReason: string): AttemptUpdate {
  return { attemptId, event: 'unknown', unknownReason };
}
