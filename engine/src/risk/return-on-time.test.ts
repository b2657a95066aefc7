import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { describe, expect, it } from 'vitest';
import { type Changes, contextOf, settings } from './context.fixture.ts';
import { evaluateGates } from './gates.ts';

describe('the gate of the return on time', () => {
  const DAY_MS = 86_400_000;
  const asked = (untilCashMs: number | null, changes: Changes = {}) =>
    evaluateGates(
      contextOf({ settings: { ...settings, minAnnualised: percentFromNumber(10) }, untilCashMs, ...changes }),
    );

  it('lets pass what earns as much on the days until its cash is back, and refuses less', () => {
    // Five cents on 95 are 5.263157 % of what is bound.
    const days = 365 * 0.5263157;
    expect(asked(Math.floor(days * DAY_MS))).toEqual([]);
    expect(asked(2 * days * DAY_MS)).toEqual([
      {
        gate: 'return-on-time',
        message: 'net 5.00% a year, as the cash is back in 384.2 days, MIN_ANNUALISED_RETURN is 10.00%',
        actual: expect.closeTo(5, 4),
        required: 10,
      },
    ]);
    expect(asked(Math.ceil(days * DAY_MS) + 100)).toMatchObject([{ gate: 'return-on-time' }]);
  });

  it('refuses what is not known to come back at some time, and nothing where it is off or where sets are completed', () => {
    expect(asked(null)).toEqual([
      {
        gate: 'return-on-time',
        message: 'when the cash is back is not known, MIN_ANNUALISED_RETURN is 10%',
        actual: null,
        required: 10,
      },
    ]);
    expect(asked(null, { completes: true })).toEqual([]);
    expect(evaluateGates(contextOf({ untilCashMs: null }))).toEqual([]);
  });
});
