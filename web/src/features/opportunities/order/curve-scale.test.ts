import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { curveWithin, sizeScale } from './curve-scale.ts';

const point = (size: number, profit: number) => ({ size: sharesFromNumber(size), profit: usdFromNumber(profit) });
const shares = sharesFromNumber;

it.each([
  ['the books offer more', [point(695, 17.6), point(5_000, -40)], { from: 5, most: 1_043 }],
  ['the books end before', [point(695, 17.6), point(840.5, 17)], { from: 5, most: 840 }],
  ['the books end at the best size', [point(695, 17.6)], { from: 5, most: 695 }],
  ['the books are not read', [], { from: 5, most: 1_043 }],
])('the scale ends beyond the best size, or where %s', (_where, curve, scale) => {
  expect(sizeScale(shares(5), shares(695), curve)).toEqual(scale);
});

it('the curve runs from one end of the scale to the other', () => {
  const curve = [point(10, 1), point(20, 3), point(40, 1)];
  expect(curveWithin(curve, 5, 30)).toEqual([
    { sets: 5, dollars: 0.5 },
    { sets: 10, dollars: 1 },
    { sets: 20, dollars: 3 },
    { sets: 30, dollars: 2 },
  ]);
});
