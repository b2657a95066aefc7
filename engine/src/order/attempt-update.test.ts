import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { sentAttempt } from './attempt.fixture.ts';
import { lifeAfter } from './attempt-update.ts';

const NOW = instantFromMs(9000);
const BEFORE = instantFromMs(5000);

describe('an attempt after an update', () => {
  const sent = sentAttempt();

  it('stays as it is where nothing was said of it', () => {
    expect(lifeAfter(sent, {}, NOW)).toEqual({ status: 'sent', sentAt: sent.sentAt, endedAt: null });
  });

  it('was sent when its post could leave, and not when that was recorded', () => {
    const postedAt = instantFromMs(8990);
    expect(lifeAfter(sent, { event: 'open', postedAt }, NOW)).toMatchObject({ sentAt: postedAt });
    expect(lifeAfter(sent, { rateLimited: true, postedAt }, NOW)).toMatchObject({ sentAt: null });
  });

  it('rests without an end', () => {
    expect(lifeAfter(sent, { event: 'open' }, NOW)).toEqual({ status: 'open', sentAt: sent.sentAt, endedAt: null });
  });

  it('ends at the first update that ends it', () => {
    expect(lifeAfter(sentAttempt({ status: 'open' }), { event: 'canceled' }, NOW)).toMatchObject({ endedAt: NOW });
    const canceled = sentAttempt({ status: 'canceled', endedAt: BEFORE });
    expect(lifeAfter(canceled, { event: 'matched' }, NOW)).toMatchObject({ status: 'matched', endedAt: BEFORE });
  });

  it('has no end any more where it turns up at the venue after all', () => {
    const failed = sentAttempt({ status: 'failed', endedAt: BEFORE });
    expect(lifeAfter(failed, { event: 'open' }, NOW)).toMatchObject({ status: 'open', endedAt: null });
  });

  it('has not been sent where the venue did not look at its post', () => {
    expect(lifeAfter(sent, { rateLimited: true }, NOW)).toEqual({ status: 'prepared', sentAt: null, endedAt: null });
  });
});
