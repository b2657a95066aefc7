import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { hourDrawing, hourSummary } from './hour-drawing.ts';

function hour(key: string, slippage: number, ordered: number, filled: number) {
  const [orderedShares, filledShares] = [ordered, filled].map(sharesFromNumber);
  return { key, slippage_usd: usdFromNumber(slippage), ordered: orderedShares, filled: filledShares } as Parameters<
    typeof hourSummary
  >[0][number];
}

it('draws each hour over its own part of the axis, with gaps where nothing was ordered', () => {
  const { x, lines } = hourDrawing([hour('14', 0.15, 10, 5), hour('9', -0.01, 4, 4)]);
  expect(x).toEqual([9, 9.98, 9.99, 14, 14.98, 14.99]);
  expect(lines.map(({ values }) => values)).toEqual([
    [-0.01, -0.01, null, 0.15, 0.15, null],
    [100, 100, null, 50, 50, null],
  ]);
});

it('names the hour that cost most', () => {
  expect(hourSummary([hour('9', -0.01, 4, 4), hour('14', 0.15, 10, 5)])).toMatch('at 14:00, $0.15');
  expect(hourSummary([hour('9', 0, 4, 4)])).toBe('Nothing was lost to slippage in any hour.');
  expect(hourSummary([hour('9', 0, 4, 4), hour('14', -0.9, 4, 4)])).toBe(
    'Nothing was lost to slippage in any hour; most was gained at 14:00, $0.90.',
  );
  const small = [hour('9', 0.004, 4, 4), hour('22', -0.004, 4, 4)];
  expect(hourSummary(small)).toBe('Nothing was lost to slippage in any hour.');
  expect(hourSummary([])).toBe('Nothing has been ordered.');
});
