import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { mayWait, nextPoint } from './followed.ts';

/** What is added to the plot of a set as its distance moves. */
function plotOf(moves: readonly (readonly [minute: number, distance: number])[]): unknown[] {
  const one: Parameters<typeof nextPoint>[0] = {
    row: { id: 'cup', kind: 'exactly_one', distance: null, profit: 0 as Usd },
    point: null,
  };
  return moves.flatMap(([minute, distance]) => {
    one.row = { ...one.row, distance: distance as Usd };
    const at: Instant = instantFromMs(minute * 60_000 + 1_000);
    return nextPoint(one, at).map((point) => [point.at / 60_000, point.distance]);
  });
}

it('the plot of a set goes on without points nearer than a tick, and has one where it begins to pay and where it ends to', () => {
  const plot = plotOf([
    [0, 5_000],
    [1, 5_900],
    [2, 600],
    [3, -300],
    [4, 200],
    [5, 900],
    [63, 900],
    [64, 900],
  ]);
  expect(plot).toEqual([
    [0, 5_000],
    [2, 600],
    [3, -300],
    [4, 200],
    [64, 900],
  ]);
});

it.each([
  ['pair', 0, 0, 60],
  ['pair', 999, 0, 60],
  ['pair', 1_000, 0, 5],
  ['pair', null, 0, 5],
  ['pair', 1_000, 2, 0],
  ['exactly_one', 999, 0, 5],
  ['exactly_one', 1_000, 0, 0],
] as const)(
  'a %s whose distance has moved by %s, and which made %s, is stored within %s minutes',
  (kind, moved, made, minutes) => {
    const at = instantFromMs(0);
    const distance = moved === null ? null : ((5_000 + moved) as Usd);
    const written = { at, distance: 5_000 as Usd, profit: made as Usd };
    const waits = (minute: number) =>
      mayWait({ row: { kind, distance }, written, isPaying: false }, instantFromMs(minute * 60_000));
    expect([waits(minutes), minutes === 0 || waits(minutes - 1)]).toEqual([false, true]);
  },
);
