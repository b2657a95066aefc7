import type { ProfitPoint } from '@dutchbook/contract/valuation.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { withZeroAligned } from '../../ui/chart-drawing.ts';
import { profitAt, profitDrawing, profitSummary } from './profit-curve-drawing.ts';

const point = (size: number, cost: number, profit: number): ProfitPoint => ({
  size: sharesFromNumber(size),
  cost: usdFromNumber(cost),
  fees: usdFromNumber(0),
  profit: usdFromNumber(profit),
  profit_percentage: percentFromNumber((profit / cost) * 100),
});

const CURVE = [point(100, 90, 10), point(200, 200, 0), point(1_000, 1_400, -400)];
const best = sharesFromNumber(100);
const standard = sharesFromNumber(5);

describe('the curve of profit by size', () => {
  it('starts at nothing, passes through every point and marks the two sizes', () => {
    const drawing = profitDrawing(CURVE, { best, standard });
    const at = (size: number) => drawing?.x.indexOf(size) ?? -1;
    const [dollars, percents] = drawing?.lines ?? [];
    expect([dollars?.values[0], dollars?.values[at(100)], dollars?.values[at(200)]]).toEqual([0, 10, 0]);
    expect(percents?.values[0]).toBeCloseTo(11.111, 2);
    expect(drawing?.verticals?.map(({ x }) => x)).toEqual([100, 5]);
    expect(drawing?.x[drawing.restsAt]).toBe(100);
  });

  it('ends a little beyond the best size, so that a long loss does not flatten the profit', () => {
    expect(profitDrawing(CURVE, { best, standard })?.xRange).toEqual([0, 200]);
    expect(profitDrawing(CURVE, { best: null, standard: null })?.xRange).toEqual([0, 1_000]);
  });

  it('is nothing where nothing can be bought', () => {
    expect(profitDrawing([], { best: null, standard })).toBeNull();
  });

  it('tells the profit of a size between two points', () => {
    expect(profitAt(CURVE, sharesFromNumber(150))).toEqual({ profit: '$5.00', percent: '3.45%' });
    expect(profitAt(CURVE, sharesFromNumber(1_001))).toBeUndefined();
  });

  it('says what the picture shows', () => {
    expect(profitSummary(CURVE, { best, standard })).toBe(
      'Profit is largest at 100.00 shares of each position: $10.00, a return of 11.11% on what those cost. The default order of 5.00 shares would leave $0.50, a return of 11.11%.',
    );
    expect(profitSummary(CURVE, { best: null, standard: null })).toBe('No size is profitable at these books.');
  });
});

describe('two axes with one zero', () => {
  it('stand at the same height, whatever their ranges', () => {
    const [dollars = [0, 0], percents = [0, 0]] = withZeroAligned([
      [-10, 5],
      [1, 4],
    ]);
    const below = ([low, high]: readonly [number, number]) => -low / (high - low);
    expect(below(percents)).toBeCloseTo(below(dollars));
    expect(dollars).toEqual([-10, 5]);
  });

  it('leave room above when everything is lost', () => {
    const [only = [0, 0]] = withZeroAligned([[-10, -2]]);
    expect(only[1]).toBeGreaterThan(0);
  });
});
