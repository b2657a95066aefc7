import type { DistancePoint } from '@dutchbook/contract/relations.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { USD_ZERO, usdFromNumber, usdToNumber } from '@dutchbook/units/usd.ts';
import { expect, test } from 'vitest';
import { distanceDrawing, distanceSummary, throughNow } from './distance-drawing.ts';

const MINUTE_MS = 60_000;

const points = (...dollars: number[]): DistancePoint[] =>
  dollars.map((distance, nth) => ({
    at: instantFromMs(nth * MINUTE_MS),
    distance: usdFromNumber(distance),
    profit_usd: USD_ZERO,
  }));

test('draws cents with what pays on top, and zero as the line above which it pays', () => {
  const { x, lines, left, xRange } = distanceDrawing(points(0.016, -0.008));
  expect(x).toEqual([0, MINUTE_MS]);
  expect(xRange).toEqual([0, MINUTE_MS]);
  expect(lines.map(({ values }) => values)).toEqual([
    [-1.6, 0.8],
    [0, 0],
  ]);
  expect(lines[0]?.format(0.8)).toBe('paying 0.8 c');
  expect(left.range[0]).toBeLessThan(-1.6);
  expect(left.range[1]).toBeGreaterThan(0.8);
});

test('a single point has room beside it, and zero stays in sight', () => {
  const { xRange, left } = distanceDrawing(points(0.5));
  expect(xRange[1] - xRange[0]).toBe(MINUTE_MS);
  expect(left.range[1]).toBeGreaterThan(0);
});

test.each([
  [[], 'No distance was recorded.'],
  [[0.01, 0.01], 'It stood at 1.0 c away. In this picture it never paid.'],
  [[0.01, -0.02], 'It moved between paying 2.0 c and 1.0 c away. In this picture it began to pay once.'],
  [
    [-0.01, 0.02, -0.01, -0.01],
    'It moved between paying 1.0 c and 2.0 c away. In this picture it began to pay 2 times.',
  ],
])('of %j says “%s”', (dollars, summary) => {
  expect(distanceSummary(points(...dollars))).toBe(summary);
});

const now = (dollars: number, seconds: number, paidUntil: number | null) => ({
  ...{ at: seconds * 1000, distance: usdFromNumber(dollars), profit_usd: USD_ZERO },
  paidUntil: paidUntil === null ? null : instantFromMs(paidUntil * 1000),
});

test.each([
  ['goes on as it stands', [0.01, 0.02], now(0.03, 100, null), [[100, 0.03]]],
  ['goes on paying while it pays', [0.01, -0.02], now(-0.02, 100, 99), [[100, -0.02]]],
  [
    'falls where it ceased to pay',
    [0.01, -0.02],
    now(0.03, 100, 80),
    [
      [80, 0.03],
      [100, 0.03],
    ],
  ],
  [
    'falls at its last point where that is no older',
    [0.01, -0.02],
    now(0.03, 100, 40),
    [
      [60, 0.03],
      [100, 0.03],
    ],
  ],
  ['ends with its last point where that is newer than this clock', [0.01, 0.02], now(0.03, 50, null), [[60, 0.03]]],
  ['ends where it is not priced', [0.01, 0.02], null, []],
] as const)('up to now it %s', (_, dollars, standing, more) => {
  const read = points(...dollars);
  const added = throughNow(read, standing).slice(read.length);
  expect(added.map(({ at, distance }) => [at / 1000, usdToNumber(distance)])).toEqual(more);
});
