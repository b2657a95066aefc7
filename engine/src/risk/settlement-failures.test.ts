import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { expect, it } from 'vitest';
import { contextOf } from './context.fixture.ts';
import { evaluateGates } from './gates.ts';

const refusals = (failed: number, confirmed: number, pauseAbove = '0.05') =>
  evaluateGates(contextOf({ settlements: { failed, confirmed, pauseAbove: fractionFromText(pauseAbove) } }));

it('refuses to buy while more settlements failed than is allowed, with both shares', () => {
  expect(refusals(3, 27)).toEqual([
    {
      gate: 'settlement-failures',
      message: '3 of 30 settlements of the last 24 hours failed, 10.00%, and buying pauses above 5.00%',
      actual: 10,
      required: 5,
    },
  ]);
  expect(refusals(50_001, 949_999)).toMatchObject([
    {
      message: '50001 of 1000000 settlements of the last 24 hours failed, 5.000100%, and buying pauses above 5.000000%',
    },
  ]);
});

it('lets pass what is exactly allowed, fewer than ten, and everything where it is off', () => {
  expect(refusals(1, 19)).toEqual([]);
  expect([refusals(9, 0), refusals(1, 8, '0')]).toEqual([[], []]);
  expect([refusals(10, 0), refusals(1, 9, '0')]).toMatchObject([[{ actual: 100 }], [{ required: 0 }]]);
  expect(evaluateGates(contextOf({ settlements: null }))).toEqual([]);
});
