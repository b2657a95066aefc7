import type { HistoryPoint } from '@dutchbook/contract/valuation.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { expect, it } from 'vitest';
import { evenly } from './evenly.ts';
import { historyDrawing, historySummary, holdsUntilNow, withLive } from './price-history-drawing.ts';

const point = (atMs: number, current: number | null, triggered = false): HistoryPoint => ({
  at: instantFromMs(atMs),
  current_price: current === null ? null : setPriceFromNumber(current),
  target_price: setPriceFromNumber(1),
  profit_percentage: null,
  triggered,
});

const HOUR = { spanMs: 3_600_000, nowMs: 4_000_000, holds: true };

it('holds a price until the next, lets a gap begin where it could not be priced, and ends now', () => {
  const { x, lines, xRange } = historyDrawing(
    [point(1_000_000, 0.9), point(2_000_000, null), point(3_000_000, 0.8)],
    HOUR,
  );
  expect(x).toEqual([1_000_000, 1_999_999, 2_000_000, 3_000_000, 4_000_000]);
  expect(lines[0]?.values).toEqual([0.9, 0.9, null, 0.8, 0.8]);
  expect(lines[1]?.values).toEqual([1, 1, 1, 1, 1]);
  expect(xRange).toEqual([400_000, 4_000_000]);
});

it('does not draw a price on to the present that is not known to hold', () => {
  const { x } = historyDrawing([point(1_000_000, 0.9)], { ...HOUR, holds: false });
  expect(x).toEqual([1_000_000]);
});

it.each([
  [['live', 'verified', 'polled'], null, true],
  [['live', 'stale'], null, false],
  [['verified'], 'Leg 1: no order book', false],
  [['verified'], 'Not enough balance', true],
] as const)('draws the price of books %j beside the error %j on to the present: %s', (feeds, last_error, holds) => {
  expect(holdsUntilNow({ last_error, positions: feeds.map((feed) => ({ feed })) })).toBe(holds);
});

it('leaves room for the prices of the range alone, the one that stood when it began among them', () => {
  const { left } = historyDrawing([point(100, 0.1), point(200, 0.9), point(3_900_000, 0.95)], HOUR);
  expect(left.range[0]).toBeGreaterThan(0.85);
  expect(left.range[1]).toBeLessThan(1.1);
});

it('marks where it began to trigger within the range, not where it went on', () => {
  const points = [
    point(100, 0.9, true),
    point(1_000_000, 0.95),
    point(2_000_000, 0.9, true),
    point(3_000_000, 0.8, true),
  ];
  expect(historyDrawing(points, HOUR).dots).toMatchObject([{ x: 2_000_000, y: 0.9 }]);
});

it('appends what came over the stream after the last recorded point', () => {
  const merged = withLive([point(1, 0.9), point(5, 0.8)], [point(4, 0.7), point(5, 0.7), point(6, 0.6)]);
  expect(merged.map(({ at }) => at)).toEqual([1, 5, 6]);
});

it('says what the picture shows', () => {
  const points = [point(1_000_000, 0.9), point(2_000_000, 0.8, true), point(3_000_000, null)];
  expect(historySummary(points, 'hour', 400_000)).toBe(
    'In the last hour the current price moved between 0.8000 and 0.9000, against a target of 1.0000. It triggered once. It could not be priced once.',
  );
  expect(historySummary([point(1_000_000, null)], 'hour', 400_000)).toBe('It could not be priced in the last hour.');
});

it('takes an even sample with both ends', () => {
  expect(evenly([1, 2, 3, 4, 5, 6, 7], 3)).toEqual([1, 4, 7]);
  expect(evenly([1, 2], 3)).toEqual([1, 2]);
});
