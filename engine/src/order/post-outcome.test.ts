import { describe, expect, it } from 'vitest';
import type { AttemptUpdate } from './attempt-update.ts';
import { type PostOutcome, updateOfCopy, updateOfPost } from './post-outcome.ts';

type Said = Omit<AttemptUpdate, 'attemptId'>;
const posted = { id: 'a1' };
const silent: Said = { event: 'unknown', unknownReason: 'the venue did not answer for this order' };
const unclear: Said = { event: 'unknown', unknownReason: 'timed out' };

const known = { reason: null, unknownReason: null };

const ANSWERS: [string, PostOutcome | undefined, Said][] = [
  ['rests', { kind: 'accepted', status: 'open' }, { event: 'open', ...known }],
  ['is matched, which only its trades prove', { kind: 'accepted', status: 'matched' }, { event: 'open', ...known }],
  [
    'has a name of its own there',
    { kind: 'accepted', venueName: 'V1', status: 'open' },
    { event: 'open', ...known, venueName: 'V1' },
  ],
  ['is held', { kind: 'accepted', status: 'delayed' }, { event: 'delayed', ...known }],
  ['is unknown without a clear answer', { kind: 'unknown', reason: 'timed out' }, unclear],
  ['is unknown without an answer', undefined, silent],
];

describe('an order that was posted', () => {
  it.each(ANSWERS)('%s', (_name, outcome, said) => {
    expect(updateOfPost(posted, outcome)).toEqual({ attemptId: 'a1', ...said });
  });

  it('is rejected with the reason of the venue', () => {
    const update = updateOfPost(posted, { kind: 'rejected', reason: 'no balance' });
    expect(update).toEqual({ attemptId: 'a1', event: 'rejected', reason: 'no balance', unknownReason: null });
  });

  it('has still to be sent where the venue wants fewer calls', () => {
    const reason = 'Not sent yet, the venue wants fewer calls: slow down';
    const update = updateOfPost(posted, { kind: 'rate_limited', reason: 'slow down' });
    expect(update).toEqual({ attemptId: 'a1', rateLimited: true, reason, unknownReason: null });
  });
});

describe('an order of which a copy was posted', () => {
  it.each(ANSWERS)('%s', (_name, outcome, said) => {
    expect(updateOfCopy(posted, outcome)).toEqual({ attemptId: 'a1', ...said });
  });

  it.each(['rejected', 'rate_limited'] as const)('stays unknown where the copy is %s', (kind) => {
    const update = updateOfCopy(posted, { kind, reason: 'no' });
    expect(update).toEqual({ attemptId: 'a1', event: 'unknown', unknownReason: 'a copy was refused: no' });
  });
});
