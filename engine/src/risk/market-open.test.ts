import { instantFromIso, instantFromMs } from '@dutchbook/units/instant.ts';
import { expect, it } from 'vitest';
import { contextOf, withMarket } from './context.fixture.ts';
import { evaluateGates, warningsOf } from './gates.ts';

it('no order is refused for a pause two minutes ahead or begun, of which a person is warned from an hour before', () => {
  const told = (minutes: number) => {
    const from = instantFromMs(instantFromIso('2026-06-01T12:00:00Z') + minutes * 60_000);
    const context = contextOf({
      quotes: withMarket({ nextPause: { from, until: instantFromMs(from + 7_200_000) } }),
    });
    return [evaluateGates(context), warningsOf(context)].map((all) => all.map(({ message }) => message));
  };
  const warning = 'leg 2: the venue takes no orders from 2026-06-01T12:02:00.000Z to 2026-06-01T14:02:00.000Z';
  expect(told(2)).toEqual([[], [warning]]);
  expect(told(1.5)[0]).toEqual(['leg 2: the venue of "Will m2 happen?" pauses in 90 s, a batch needs 120 s']);
  expect([told(60), told(-1)]).toEqual([
    [[], []],
    [[], []],
  ]);
});
