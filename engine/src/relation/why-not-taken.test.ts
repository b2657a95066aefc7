import { instantFromMs } from '@dutchbook/units/instant.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { obstacleOf, whyNotTaken } from './why-not-taken.ts';

const ON = { pair: true, at_most_one: true, exactly_one: true, ladder: true, buckets: true };
const profits = (profit: string, leastProfit = '0.01') => ({
  profit: usdFromText(profit),
  leastProfit: usdFromText(leastProfit),
});

describe('what keeps a hit from becoming an opportunity', () => {
  it('is nothing, the approval, the switch of its kind, or too little profit', () => {
    const enforced = { kind: 'ladder', basis: 'enforced', state: 'proposed' } as const;
    expect(obstacleOf(enforced, profits('0.01'), ON)).toBeNull();
    expect(obstacleOf({ ...enforced, basis: 'parsed' }, profits('5'), ON)).toBe(
      'A superuser has to approve the relation first',
    );
    expect(obstacleOf({ ...enforced, basis: 'parsed', state: 'approved' }, profits('5'), ON)).toBeNull();
    expect(obstacleOf(enforced, profits('5'), { ...ON, ladder: false })).toBe(
      'Its kind, ladder, is switched off in the discovery settings',
    );
    expect(obstacleOf(enforced, profits('0'), ON)).toBe('After fees no size of it makes a profit');
    expect(obstacleOf(enforced, profits('0.009999'), ON)).toBe(
      'It makes $0.009999 at its best size, and the least profit is $0.01',
    );
  });
});

describe('why a hit was not taken', () => {
  const end = {
    endedAt: instantFromMs(1),
    batchId: null,
    obstacle: null,
    opportunityId: 'opportunity',
    triggered: true,
    refusal: 'Trading is disarmed.',
  };

  it('is the first thing that stood in its way', () => {
    expect(whyNotTaken({ ...end, batchId: 'batch' })).toBeNull();
    expect(whyNotTaken({ ...end, obstacle: 'Not allowed' })).toBe('Not allowed');
    expect(whyNotTaken(end)).toBe('Trading is disarmed.');
    expect(whyNotTaken({ ...end, triggered: false, refusal: null })).toMatch(/did not reach the trigger/);
    expect(whyNotTaken({ ...end, triggered: false, refusal: 'It came near' })).toBe('It came near');
  });

  it('is never said to be a setting that was not looked at', () => {
    expect(whyNotTaken({ ...end, refusal: null })).toBe('What stood in its way was not kept');
    expect(whyNotTaken({ ...end, refusal: null, endedAt: null })).toBeNull();
  });

  it('is not known of one that has just begun', () => {
    expect(whyNotTaken({ ...end, opportunityId: null, endedAt: null })).toBeNull();
    expect(whyNotTaken({ ...end, opportunityId: null })).toBe('It was over before it was stored as an opportunity');
  });
});
