import { describe, expect, it } from 'vitest';
import { compared, type UnitReading } from './comparison.ts';

function reading(venue: number, ledger: number, given: Partial<UnitReading> = {}): UnitReading {
  return { unit: 'usd', venue, ledger, least: 0, most: 0, isListed: true, ...given };
}

const MINUTE = 60_000;

describe('comparing the ledger with the venue', () => {
  it('finds nothing where they agree', () => {
    expect(compared([reading(5, 5)], [], 0)).toEqual({ differences: [], due: [] });
  });

  it('notifies once of what stands the same at two comparisons', () => {
    const first = compared([reading(7, 5)], [], 0);
    expect(first).toEqual({ differences: [{ unit: 'usd', amount: 2, since: 0, isNotified: false }], due: [] });
    const second = compared([reading(7, 5)], first.differences, MINUTE);
    expect(second.due).toEqual([{ unit: 'usd', amount: 2, since: 0, isNotified: false }]);
    const reported = second.differences.map((difference) => ({ ...difference, isNotified: true }));
    expect(compared([reading(9, 7)], reported, 2 * MINUTE)).toEqual({ differences: reported, due: [] });
    expect(compared([reading(7, 7)], reported, 2 * MINUTE).differences).toEqual([]);
  });

  it('begins anew where it has become another', () => {
    const before = [{ unit: 'usd', amount: 2, since: 0, isNotified: true }];
    expect(compared([reading(8, 5)], before, MINUTE)).toEqual({
      differences: [{ unit: 'usd', amount: 3, since: MINUTE, isNotified: false }],
      due: [],
    });
  });

  it.each([
    [reading(3, 5, { least: -2 }), 0],
    [reading(2, 5, { least: -2 }), 1],
    [reading(7, 5, { most: 2 }), 0],
    [reading(8, 5, { most: 2 }), 1],
  ])('lets what is under way explain no more than it may: %o', (each, count) => {
    expect(compared([each], [], 0).differences).toHaveLength(count);
  });

  it('does not end because it could be explained for a while', () => {
    const before = [{ unit: 'usd', amount: 2, since: 0, isNotified: true }];
    expect(compared([reading(7, 5, { most: 9 })], before, MINUTE).differences).toEqual(before);
  });

  it('takes less than a tenth of a share for what the venue need not list', () => {
    const of = (ledger: number, given: Partial<UnitReading> = {}) =>
      compared([reading(0, ledger, { unit: '71', isListed: false, ...given })], [], 0).differences.length;
    expect(of(99_999)).toBe(0);
    expect(of(100_000)).toBe(1);
    expect(of(100_000, { least: -1 })).toBe(0);
    expect(of(-1)).toBe(1);
  });
});
