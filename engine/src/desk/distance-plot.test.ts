import type { Instant } from '@dutchbook/units/instant.ts';
import { USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { distancePlot } from './distance-plot.ts';

const point = (seconds: number, distance: number) => ({
  at: (seconds * 1000) as Instant,
  distance: usdFromNumber(distance),
  profit: USD_ZERO,
});
const span = (from: number, until: number | null, net: number) => ({
  firstAt: (from * 1000) as Instant,
  endedAt: until === null ? null : ((until * 1000) as Instant),
  net: usdFromNumber(net),
  profit: USD_ZERO,
});
const drawn = (...args: Parameters<typeof distancePlot>) =>
  distancePlot(...args).map(({ at, distance }) => [at / 1000, distance / 1e6]);

it('pays for as long as it paid, not for the minute in which it did', () => {
  const points = [point(0, 0.02), point(60, -0.01), point(120, 0.03)];
  expect(drawn(points, [span(75, 85, 0.01)])).toEqual([
    [0, 0.02],
    [75, -0.01],
    [85, 0.03],
    [120, 0.03],
  ]);
});

it('pays twice in a minute, through several, and until now', () => {
  const points = [point(0, 0.02), point(60, -0.03), point(180, -0.01), point(240, -0.02), point(300, 0.04)];
  expect(drawn(points, [span(70, 80, 0.03), span(90, 95, 0.01), span(190, 250, 0.02), span(400, null, 0.05)])).toEqual([
    [0, 0.02],
    [70, -0.03],
    [80, 0.04],
    [90, -0.01],
    [95, 0.04],
    [190, -0.01],
    [240, -0.02],
    [250, 0.04],
    [300, 0.04],
    [400, -0.05],
  ]);
});

it('leaves a point that paid as it is where the time is not kept, and ends where it stood before without a later one', () => {
  expect(drawn([point(0, 0.02), point(60, -0.01)], [])).toEqual([
    [0, 0.02],
    [60, -0.01],
  ]);
  expect(drawn([point(0, 0.02)], [span(30, 40, 0.01)])).toEqual([
    [0, 0.02],
    [30, -0.01],
    [40, 0.02],
  ]);
  // What it cost afterwards is not made up.
  expect(drawn([], [span(30, 40, 0.01)])).toEqual([[30, -0.01]]);
});
