import type { Price } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { BASKET_LEGS_MAX, bestBaskets } from './baskets.ts';
import { relationOf } from './relation.fixture.ts';
import type { RelationKind } from './relation.ts';

const ONE = 1_000_000 as Price;
const ZERO = 0 as Price;
const HALF = 500_000 as Price;

/** Cents at which a member is bid and asked after fees, null where it is not; or what it has resolved to. */
type Quoted = [bid: number | null, ask: number | null] | Price;
type Asked = { kind: RelationKind; roles: string; isComplete?: boolean; isVoidSafe?: boolean };

function basketsOf({ kind, roles, isComplete, isVoidSafe = true }: Asked, ...reported: Quoted[]) {
  const relation = { ...relationOf(kind, roles, isComplete), isVoidSafe };
  const [bids, asks] = [0, 1].map((side) =>
    reported.map((each) => (typeof each === 'number' ? null : (each[side] ?? null))),
  );
  const baskets = bestBaskets(
    relation,
    reported.map((each, index) =>
      typeof each === 'number'
        ? { low: each, high: each }
        : { low: (bids?.[index] ?? -Infinity) * 10_000, high: (asks?.[index] ?? Infinity) * 10_000 },
    ),
    reported.map((each) => (typeof each === 'number' ? each : null)),
  );
  return baskets.map(({ direction, legs, payout, payoutWithVoids, cost }) => ({
    direction,
    legs: legs.map(({ member, outcome }) => `${outcome === 0 ? 'yes' : 'no'} ${member + 1}`).join(', '),
    cents: [cost, payout, payoutWithVoids].map((micro) => micro / 10_000),
  }));
}

describe('the best basket', () => {
  it('of a pair is both outcomes', () => {
    expect(basketsOf({ kind: 'pair', roles: 'o' }, [52, 49])).toEqual([
      { direction: 'yes', legs: 'yes 1, no 1', cents: [97, 100, 100] },
    ]);
    expect(basketsOf({ kind: 'pair', roles: 'o' }, [52, null])).toEqual([]);
  });

  it('of exclusive members is No on those that cost less than they bring', () => {
    expect(basketsOf({ kind: 'at_most_one', roles: 'oooo' }, [60, 70], [0, 5], [45, 50], [null, 9])).toEqual([
      { direction: 'no', legs: 'no 1, no 3', cents: [95, 100, 100] },
    ]);
  });

  it('of exclusive members is also named where it does not pay, of two legs at least', () => {
    expect(basketsOf({ kind: 'at_most_one', roles: 'ooo' }, [30, 40], [-1, 5], [-2, 5])).toEqual([
      { direction: 'no', legs: 'no 1, no 2', cents: [171, 100, 100] },
    ]);
    expect(basketsOf({ kind: 'at_most_one', roles: 'ooo' }, [30, 40], [null, 5], [null, 5])).toEqual([]);
  });

  it('of all there are is Yes on each of them as well, if each is on offer', () => {
    expect(basketsOf({ kind: 'exactly_one', roles: 'ooo' }, [20, 30], [20, 30], [20, 31])).toEqual([
      { direction: 'yes', legs: 'yes 1, yes 2, yes 3', cents: [91, 100, 100] },
      { direction: 'no', legs: 'no 1, no 2, no 3', cents: [240, 200, 200] },
    ]);
    expect(basketsOf({ kind: 'exactly_one', roles: 'ooo' }, [20, 30], [20, null], [20, 31])).toMatchObject([
      { direction: 'no' },
    ]);
  });

  it('of a ladder is Yes on an easier rung with No on a harder one', () => {
    expect(basketsOf({ kind: 'ladder', roles: 'tttt' }, [10, 20], [40, 50], [30, 37], [50, 60])).toEqual([
      { direction: 'yes', legs: 'no 2, yes 3', cents: [97, 100, 100] },
    ]);
  });

  it('between thresholds is one of their sides against the other', () => {
    const both = { kind: 'buckets', roles: 'bbtbb', isComplete: true } as const;
    expect(basketsOf(both, [10, 20], [20, 25], [50, 60], [20, 60], [5, 30])).toMatchObject([
      { direction: 'yes', legs: 'yes 1, yes 2, no 3', cents: [95, 100, 100] },
      { direction: 'no' },
    ]);
    expect(basketsOf(both, [30, 40], [35, 45], [50, 60], [20, 60], [5, 30])).toMatchObject([
      { direction: 'yes' },
      { direction: 'no', legs: 'no 1, no 2, yes 3', cents: [195, 200, 200] },
    ]);
    expect(basketsOf(both, [30, 80], [15, 80], [50, 60], [30, 60], [15, 30])).toMatchObject([
      { direction: 'yes' },
      { direction: 'no', legs: 'no 3, no 4, no 5', cents: [205, 200, 200] },
    ]);
  });

  it('counts on no bucket that is not listed', () => {
    const some = { kind: 'buckets', roles: 'bbtbb', isComplete: false } as const;
    expect(basketsOf(some, [1, 2], [1, 2], [50, 60], [1, 2], [1, 2])).toMatchObject([{ direction: 'no' }]);
  });
});

describe('a resolved member', () => {
  it('that has not come true needs no leg', () => {
    expect(basketsOf({ kind: 'exactly_one', roles: 'ooo' }, ZERO, [20, 55], [20, 40])).toMatchObject([
      { direction: 'yes', legs: 'yes 2, yes 3', cents: [95, 100, 100] },
      { direction: 'no', legs: 'no 2, no 3' },
    ]);
  });

  it('that has come true leaves nothing for the others, and Yes on them is not bought', () => {
    expect(basketsOf({ kind: 'exactly_one', roles: 'ooo' }, ONE, [20, 55], [0, 40])).toEqual([
      { direction: 'no', legs: 'no 2', cents: [80, 100, 100] },
    ]);
  });

  it('decides the easier rungs of a ladder, and hides no pair that is open', () => {
    expect(basketsOf({ kind: 'ladder', roles: 'ttt' }, ONE, [80, 95], [90, 97])).toEqual([
      { direction: 'yes', legs: 'yes 2', cents: [95, 100, 100] },
    ]);
    expect(basketsOf({ kind: 'ladder', roles: 'tttt' }, ZERO, [10, 20], [15, 25], ONE)).toMatchObject([
      { legs: 'no 2, yes 3', cents: [115, 100, 100] },
    ]);
  });

  it('that was voided says nothing of the others', () => {
    expect(basketsOf({ kind: 'exactly_one', roles: 'ooo' }, HALF, [10, 15], [10, 15])).toMatchObject([
      { direction: 'no', legs: 'no 2, no 3', cents: [180, 100, 100] },
    ]);
    expect(basketsOf({ kind: 'ladder', roles: 'ttt' }, [60, 70], HALF, [20, 55])).toMatchObject([
      { legs: 'no 1, yes 3', cents: [95, 100, 100] },
    ]);
  });

  it('that contradicts the relation leaves no basket', () => {
    expect(basketsOf({ kind: 'exactly_one', roles: 'ooo' }, ONE, ONE, [20, 40])).toEqual([]);
    expect(basketsOf({ kind: 'ladder', roles: 'ttt' }, ONE, ZERO, [20, 40])).toEqual([]);
  });
});

describe('a voided market', () => {
  it('takes half of what a rung pays, unless the relation is void-safe', () => {
    const rungs: Quoted[] = [
      [40, 50],
      [30, 37],
    ];
    const ladder = { kind: 'ladder', roles: 'tt' } as const;
    expect(basketsOf({ ...ladder, isVoidSafe: false }, ...rungs)).toMatchObject([{ cents: [97, 100, 50] }]);
    expect(basketsOf({ ...ladder, isVoidSafe: true }, ...rungs)).toMatchObject([{ cents: [97, 100, 100] }]);
  });

  it('may be all of them at once, half a dollar for each leg', () => {
    const asked = { kind: 'at_most_one', roles: 'ooooo', isVoidSafe: false } as const;
    const bids: Quoted[] = Array.from({ length: 5 }, (): Quoted => [22, 30]);
    expect(basketsOf(asked, ...bids)).toMatchObject([{ cents: [390, 400, 250] }]);
  });
});

describe('an event of 300 members', () => {
  const many = (reported: Quoted): Quoted[] => Array.from({ length: 300 }, () => reported);

  it('is bought no wider than an opportunity may be', () => {
    const quotes = many([1, 2]).with(200, [70, 80]);
    const [basket, ...others] = basketsOf({ kind: 'exactly_one', roles: 'o'.repeat(300) }, ...quotes);
    expect(others).toEqual([]);
    expect(basket?.legs.split(', ')).toHaveLength(BASKET_LEGS_MAX);
    expect(basket?.legs).toContain('no 201');
    // 49 at 99 cents and one at 30; whatever comes true, all others pay.
    expect(basket?.cents).toEqual([4881, 4900, 4900]);
  });

  it('has segments that are narrow enough beside those that are not', () => {
    const roles = `${'b'.repeat(120)}tbt${'b'.repeat(177)}`;
    const quotes = many([null, 1]).with(120, [null, 20]).with(121, [5, 10]).with(122, [35, 40]);
    expect(basketsOf({ kind: 'buckets', roles, isComplete: true }, ...quotes)).toMatchObject([
      { direction: 'yes', legs: 'yes 121, yes 122, no 123', cents: [95, 100, 100] },
      { direction: 'no' },
    ]);
  });
});
