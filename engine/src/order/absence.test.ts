import { instantFromMs } from '@dutchbook/units/instant.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { mayPostAgain, updateOfLookup } from './absence.ts';
import { sentAttempt } from './attempt.fixture.ts';
import type { OrderLookup } from './lookup.ts';

const SENT = 2000;
const after = (ms: number) => instantFromMs(SENT + ms);
const absent: OrderLookup = { kind: 'absent' };
const found = (status: 'open' | 'matched' | 'delayed'): OrderLookup => ({
  kind: 'found',
  order: { status, matchedSize: SHARES_ZERO },
});

describe('an order whose outcome is unknown', () => {
  it.each([
    ['open', 'open'],
    ['matched', 'open'],
    ['delayed', 'delayed'],
  ] as const)('is at the venue where that shows it %s', (status, event) => {
    const lookedUp = { at: after(500), answer: 'It has the order' };
    expect(updateOfLookup(sentAttempt(), found(status), after(500))).toEqual({ attemptId: 'a1', event, lookedUp });
  });

  it('may still arrive for as long as copies of it are posted and the venue may be slow to show them', () => {
    const lookedUp = { at: after(179_999), answer: 'It does not have the order' };
    expect(updateOfLookup(sentAttempt(), absent, after(179_999))).toEqual({
      attemptId: 'a1',
      event: 'unknown',
      lookedUp,
    });
  });

  it('never reached the venue where that does not have it after then', () => {
    const lookedUp = { at: after(180_000), answer: 'It does not have the order' };
    const update = updateOfLookup(sentAttempt(), absent, after(180_000));
    expect(update).toEqual({ attemptId: 'a1', event: 'failed', reason: 'It never reached the venue.', lookedUp });
  });

  it('counts from its commit where it is not known when it was sent', () => {
    const unmarked = sentAttempt({ sentAt: null });
    expect(updateOfLookup(unmarked, absent, after(178_999))).toHaveProperty('event', 'unknown');
    expect(updateOfLookup(unmarked, absent, after(179_000))).toHaveProperty('event', 'failed');
  });

  it('stays unknown, however late, where the venue does not say', () => {
    const unclear = updateOfLookup(sentAttempt(), { kind: 'unknown', reason: 'reset' }, after(999_999));
    const lookedUp = { at: after(999_999), answer: 'It did not say: reset' };
    expect(unclear).toEqual({ attemptId: 'a1', event: 'unknown', lookedUp, unanswered: true });
    const silent = updateOfLookup(sentAttempt(), undefined, after(0));
    expect(silent).toMatchObject({ lookedUp: { answer: 'It did not say: no answer' }, unanswered: true });
  });

  it('is posted again for a minute, and only where the venue does not have it', () => {
    const again = (lookup: OrderLookup | undefined, ms: number) => mayPostAgain(sentAttempt(), lookup, after(ms));
    expect([again(absent, 0), again(absent, 59_999), again(absent, 60_000)]).toEqual([true, true, false]);
    expect([again(found('open'), 0), again({ kind: 'unknown', reason: 'reset' }, 0), again(undefined, 0)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
