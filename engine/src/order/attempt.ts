/** One signed order as it is recorded: what the judgements of an answer about it look at. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { AttemptState } from './life.ts';

export type Attempt = AttemptState & {
  size: Shares;
  /** Why it was not taken, or not sent yet. */
  reason: string | null;
  /** Why its outcome is unknown, or was before it turned out; null where the venue has said at once. */
  unknownReason: string | null;
  createdAt: Instant;
  /** When its first byte may have left; null where none has. */
  sentAt: Instant | null;
  /** When it was first known to have ended. */
  endedAt: Instant | null;
  /** The first of the readings since the last that showed it resting or delayed. */
  goneAt: Instant | null;
};

export function firstSentAt({ sentAt, createdAt }: Pick<Attempt, 'sentAt' | 'createdAt'>): Instant {
  return sentAt ?? createdAt;
}
