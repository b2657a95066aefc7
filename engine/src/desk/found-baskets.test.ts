import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import type { Basket } from '../relation/baskets.ts';
import { FoundBaskets, type OpenBasket } from './found-baskets.ts';

const START = instantFromMs(1_000_000);
const after = (ms: number) => (START + ms) as Instant;

function basketOf(legs: readonly [member: number, outcome: 0 | 1][], payout = 1): Basket {
  const price = setPriceFromNumber(payout);
  return {
    ...{ direction: 'yes', payout: price, payoutWithVoids: price, cost: 900_000 },
    legs: legs.map(([member, outcome]) => ({ member, outcome })),
  };
}

const PLAIN = basketOf([
  [0, 0],
  [1, 0],
]);

function openFound() {
  const found = new FoundBaskets();
  const note = (basket: Basket, now: Instant, profit = 1, openProfit = 0): OpenBasket | null =>
    found.note(
      'relation',
      { basket, profit: usdFromNumber(profit), size: SHARES_ZERO },
      { now, leastProfit: usdFromNumber(1), profitNow: () => usdFromNumber(openProfit) },
    );
  const opened = (basket: Basket, now: Instant, profit = 1, openProfit = 0): OpenBasket => {
    const open = note(basket, now, profit, openProfit);
    if (open === null) throw new Error('The basket was not to be stored.');
    return open;
  };
  return { found, note, opened };
}

describe('a basket that is found', () => {
  it('is to be stored from the least profit on, and counts as open from then', () => {
    const { found, note } = openFound();
    expect(note(PLAIN, START, 0.99)).toBeNull();
    expect(found.size).toBe(0);
    expect(note(PLAIN, START, 1)).not.toBeNull();
    expect(found.size).toBe(1);
  });

  it('that was refused is not tried again as it was', () => {
    const { found, note, opened } = openFound();
    found.takeOutcome(opened(PLAIN, START), { kind: 'refused', reason: 'too many legs' });
    expect(found.get('relation', 'yes')?.refused).toBe('too many legs');
    expect(
      note(
        basketOf([
          [0, 0],
          [1, 0],
        ]),
        after(60_000),
      ),
    ).toBeNull();
  });

  it.each<{ what: string; other: Basket }>([
    {
      what: 'another payout',
      other: basketOf(
        [
          [0, 0],
          [1, 0],
        ],
        2,
      ),
    },
    { what: 'a leg less', other: basketOf([[0, 0]]) },
    {
      what: 'a leg more',
      other: basketOf([
        [0, 0],
        [1, 0],
        [2, 0],
      ]),
    },
    {
      what: 'another member',
      other: basketOf([
        [0, 0],
        [2, 0],
      ]),
    },
    {
      what: 'another outcome',
      other: basketOf([
        [0, 0],
        [1, 1],
      ]),
    },
  ])('is tried two seconds after one that was refused, where it has $what', ({ other }) => {
    const { found, note, opened } = openFound();
    found.takeOutcome(opened(PLAIN, START), { kind: 'refused', reason: 'too many legs' });
    expect(note(other, after(1_999))).toBeNull();
    expect(note(other, after(2_000))).not.toBeNull();
  });

  it('is tried two seconds later where a batch was buying what it is to replace, which stays open meanwhile', () => {
    const { found, note, opened } = openFound();
    const first = opened(PLAIN, START);
    found.takeOutcome(first, { kind: 'opened', opportunityId: 'o1' });
    const better = basketOf([
      [0, 0],
      [2, 0],
    ]);
    found.takeOutcome(opened(better, after(10_000), 9, 1), { kind: 'waits' });
    expect(found.get('relation', 'yes')).toMatchObject({ basket: PLAIN, opportunityId: 'o1' });
    expect(note(better, after(11_999), 9, 1)).toBeNull();
    expect(note(better, after(12_000), 9, 1)).not.toBeNull();
  });

  it('does not come back by what became of it once its relation is not followed', () => {
    const { found, opened } = openFound();
    found.takeOutcome(opened(PLAIN, START), { kind: 'opened', opportunityId: 'o1' });
    const next = opened(
      basketOf([
        [0, 0],
        [2, 0],
      ]),
      after(10_000),
      9,
      1,
    );
    found.leave('relation');
    found.takeOutcome(next, { kind: 'waits' });
    expect(found.size).toBe(0);
  });

  it('has gone once it has not paid for five seconds', () => {
    const { found, opened } = openFound();
    const open = opened(PLAIN, START);
    found.takeOutcome(open, { kind: 'opened', opportunityId: 'o1' });
    expect(found.sweep(after(4_999), () => false)).toEqual([]);
    expect(found.sweep(after(5_000), () => false)).toEqual([open]);
    expect(found.size).toBe(0);
  });
});
