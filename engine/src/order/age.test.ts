import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { isDecisionOld, isSaleOutdated, mayPost, saleRestsUntil } from './age.ts';

const DECIDED = instantFromMs(100_000);
const after = (ms: number) => instantFromMs(DECIDED + ms);

describe('what may still leave', () => {
  it('is judged again a second after it was decided', () => {
    expect([isDecisionOld(DECIDED, after(999)), isDecisionOld(DECIDED, after(1000))]).toEqual([false, true]);
  });

  it('is posted within half a second of its mark', () => {
    const marked = { markedAt: DECIDED, leaseExpiresAt: after(5000) };
    expect([mayPost(marked, after(500)), mayPost(marked, after(501))]).toEqual([true, false]);
  });

  it('is posted while the lease lasts for another second', () => {
    const marked = { markedAt: after(4000), leaseExpiresAt: after(5000) };
    expect([mayPost(marked, after(4000)), mayPost(marked, after(4001))]).toEqual([true, false]);
  });
});

describe('a sale', () => {
  const outdated = (ms: number, ...statuses: ('prepared' | 'sent')[]) =>
    isSaleOutdated({ decidedAt: DECIDED, attempts: statuses.map((status) => ({ status })) }, after(ms));

  it('that has waited for half a minute is not sent any more', () => {
    expect([outdated(30_000), outdated(30_001), outdated(30_001, 'prepared')]).toEqual([false, true, true]);
  });

  it('of which something may have left is asked about, however old it is', () => {
    expect(outdated(99_999, 'prepared', 'sent')).toBe(false);
  });

  it('rests for no longer than five seconds', () => {
    expect(saleRestsUntil(DECIDED)).toBe(after(5000));
  });
});
