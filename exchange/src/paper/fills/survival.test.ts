import type { Shares } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { Survival } from './survival.ts';

const shares = (whole: number) => whole as Shares;

describe('the share of displayed sizes that survives a latency', () => {
  it('is not known of fewer than 30 samples', () => {
    const survival = new Survival();
    for (let sample = 0; sample < 29; sample++) survival.note(shares(100), shares(50));
    expect(survival.share).toBeUndefined();
    survival.note(shares(0), shares(50));
    expect(survival.samples).toBe(29);
  });

  it('is the mean of what is left, more than was there counting as all', () => {
    const survival = new Survival();
    for (let sample = 0; sample < 30; sample++) survival.note(shares(100), shares(sample % 2 === 0 ? 50 : 300));
    expect(survival.share).toBe(0.75);
  });
});
