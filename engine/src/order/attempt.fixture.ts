import { instantFromMs } from '@dutchbook/units/instant.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import type { Attempt } from './attempt.ts';

/** Of ten shares, committed at 1000 ms and sent at 2000 ms. */
export function sentAttempt(changes: Partial<Attempt> = {}): Attempt {
  return {
    id: 'a1',
    status: 'sent',
    size: sharesFromNumber(10),
    matchedSize: null,
    reason: null,
    unknownReason: null,
    createdAt: instantFromMs(1000),
    sentAt: instantFromMs(2000),
    endedAt: null,
    goneAt: null,
    ...changes,
  };
}
