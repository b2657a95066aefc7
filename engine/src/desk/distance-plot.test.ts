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

it('draws no end of one direction while the other pays, and one where the other begins in that moment', () => {
  const points = [point(0, 0.02), point(60, -0.03), point(180, 0.04)];
  const both = (...other: Parameters<typeof span>) => drawn(points, [span(70, 100, 0.03), span(...other)]);
  const begun = [
    [0, 0.02],
    [70, -0.03],
  ];
  expect(both(80, 120, 0.01)).toEqual([...begun, [80, -0.01], [120, 0.04], [180, 0.04]]);
  expect(both(80, null, 0.01)).toEqual([...begun, [80, -0.01], [180, 0.04]]);
  expect(both(100, 120, 0.01)).toEqual([...begun, [100, 0.04], [100, -0.01], [120, 0.04], [180, 0.04]]);
});

it('takes a point for the time in whose minute it stands, and for none that ended before or began after', () => {
  const points = [point(0, 0.02), point(60, -0.03)];
  expect(drawn(points, [span(70, null, 0.03)])).toEqual([
    [0, 0.02],
    [70, -0.03],
  ]);
  const unmoved = (...other: Parameters<typeof span>) => drawn(points, [span(...other)]).filter(([at]) => at === 60);
  expect(unmoved(120, null, 0.03)).toEqual([[60, -0.03]]);
  expect(unmoved(400, 410, 0.03)).toEqual([[60, -0.03]]);
  expect(unmoved(30, 60, 0.01)).toEqual([
    [60, 0.02],
    [60, -0.03],
  ]);
});

it('does not take a set that costs what it pays for one that pays', () => {
  expect(drawn([point(0, 0.02), point(60, 0)], [span(75, 85, 0.01)])).toEqual([
    [0, 0.02],
    [60, 0],
    [75, -0.01],
    [85, 0],
  ]);
});

it('ends as it stood next after the end', () => {
  const points = [point(0, 0.02), point(60, -0.01), point(120, 0.03), point(180, 0.05)];
  const endAt = (until: number) => drawn(points, [span(75, until, 0.01)]).find(([at]) => at === until);
  expect(endAt(85)).toEqual([85, 0.03]);
  expect(endAt(120)).toEqual([120, 0.03]);
  expect(endAt(130)).toEqual([130, 0.05]);
});
