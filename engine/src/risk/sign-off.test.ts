import { addUsd, USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { contextOf } from './context.fixture.ts';
import { evaluateGates, signOffBlockers, warningsOf } from './gates.ts';

/** The batch of `contextOf` may take as much. */
const TAKES = usdFromNumber(9.5);

describe('a batch that takes more than one person may spend', () => {
  const blocker = {
    gate: 'sign-off',
    message: 'the batch takes up to $9.50, and needs a second person above $9.00',
    actual: 9.5,
    required: 9,
  };

  it('is never placed automatically, and a person has a second one asked', () => {
    const context = contextOf({ signOffAbove: usdFromNumber(9) });
    expect(evaluateGates({ ...context, automatic: true })).toEqual([blocker]);
    expect(evaluateGates(context)).toEqual([]);
    expect(warningsOf(context)).toEqual([]);
    expect(signOffBlockers(context)).toEqual([blocker]);
  });

  it('differs from one that takes exactly as much', () => {
    expect(signOffBlockers(contextOf({ signOffAbove: TAKES }))).toEqual([]);
    const [refused] = signOffBlockers(contextOf({ signOffAbove: addUsd(TAKES, -1 as typeof TAKES) }));
    expect(refused?.message).toBe('the batch takes up to $9.500000, and needs a second person above $9.499999');
  });

  it('has what its earlier attempts took counted', () => {
    const spentBefore = [
      { leg: 1, tokenId: 'a', spent: usdFromNumber(3) },
      { leg: 2, tokenId: 'b', spent: usdFromNumber(0.25) },
    ];
    const context = contextOf({ signOffAbove: usdFromNumber(12.75), spentBefore });
    expect(signOffBlockers(context)).toEqual([]);
    expect(signOffBlockers({ ...context, signOffAbove: usdFromNumber(12.74) })).toMatchObject([{ actual: 12.75 }]);
  });

  it('has what the same person asked for lately counted', () => {
    const context = contextOf({ signOffAbove: usdFromNumber(20), askedLately: usdFromNumber(10.5) });
    expect(signOffBlockers(context)).toEqual([]);
    expect(signOffBlockers({ ...context, askedLately: usdFromNumber(10.51) })).toEqual([
      {
        gate: 'sign-off',
        message:
          'the batch, with what the same person asked for within 15 minutes, takes up to $20.01, and needs a second person above $20.00',
        actual: 20.01,
        required: 20,
      },
    ]);
  });

  it('is there only where a superuser has set how much that is', () => {
    expect(signOffBlockers(contextOf({ signOffAbove: null }))).toEqual([]);
    expect(signOffBlockers(contextOf())).toEqual([]);
    expect(signOffBlockers(contextOf({ signOffAbove: USD_ZERO }))).toHaveLength(1);
  });
});
