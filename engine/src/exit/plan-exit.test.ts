import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { holdingOf, NO_COSTS } from './event-holding.fixture.ts';
import { planExit } from './plan-exit.ts';

const NONE = { shares: 0 };

describe('what is held of an event', () => {
  it('is converted into dollars where a dollar is more than the bids less fees, and sold where it is less', () => {
    const pair = (yes: number, no: number) =>
      planExit(
        holdingOf({ kind: 'markets' }, [
          [
            { shares: 10, bids: [[yes, 100]] },
            { shares: 10, bids: [[no, 100]] },
          ],
        ]),
        NO_COSTS,
      ).best;
    expect(pair(0.48, 0.5)).toMatchObject({ net: 10_000_000, submissions: 1, steps: [{ kind: 'merge' }] });
    expect(pair(0.5, 0.5).steps.map(({ kind }) => kind)).toEqual(['merge']);
    expect(pair(0.52, 0.51).steps.map(({ kind }) => kind)).toEqual(['sell', 'sell']);
  });

  it('shows each way out by itself: what it brings, when, and with what risk', () => {
    const plan = planExit(
      holdingOf({ kind: 'markets' }, [
        [
          { shares: 10, bids: [[0.4, 100]] },
          { shares: 12, bids: [[0.5, 5]] },
        ],
      ]),
      NO_COSTS,
    );
    expect(plan.sell.steps).toMatchObject([
      { kind: 'sell', shares: 10_000_000, limit: 400_000, dollars: 3_904_000, when: 'after_settlement', risk: 'price' },
      { kind: 'sell', shares: 5_000_000, limit: 500_000, dollars: 2_450_000 },
      { kind: 'hold', shares: 7_000_000, dollars: 0, when: 'at_resolution', risk: 'outcome' },
    ]);
    expect(plan.cashNow).toMatchObject({ net: 10_000_000, atResolution: 0, most: 2_000_000 });
    expect(plan.cashNow.steps[0]).toMatchObject({ kind: 'merge', when: 'after_confirmation', risk: 'chain' });
    expect(plan.hold).toMatchObject({ net: 0, atResolution: 10_000_000, most: 12_000_000, submissions: 0 });
    expect(plan.best.steps.map(({ kind }) => kind)).toEqual(['merge', 'sell']);
    expect(plan.best.net).toBe(10_000_000 + 980_000);
  });

  it('says of what is held what it pays where the venue calls a market off', () => {
    const held = holdingOf({ kind: 'markets' }, [[{ shares: 10 }, { shares: 10 }]]);
    const of = (changes: object) =>
      planExit(
        { ...held, members: held.members.map((member) => ({ ...member, market: { ...member.market, ...changes } })) },
        NO_COSTS,
      ).hold.steps[0]?.why;
    expect(of({ calledOffPays: 'half' })).toMatch(/A market that is voided pays half a dollar a share instead\.$/);
    expect(of({ calledOffPays: 'as_promised' })).toMatch(/once that has resolved\.$/);
    expect(of({ calledOffPays: 'price_of_venue' })).toMatch(
      /pays a price that its venue sets instead, often the last one traded\.$/,
    );
  });

  it('converts NO of several outcomes into dollars, the fee taken of dollars and of the shares handed out', () => {
    const basket = holdingOf({ kind: 'negative_risk', feeBips: 100, isComplete: true }, [
      [NONE, { shares: 10 }],
      [NONE, { shares: 10 }],
      [{ shares: 0, bids: [[0.3, 100]] }, NONE],
    ]);
    const { cashNow, best } = planExit(basket, { ...NO_COSTS, heldValue: fractionFromNumber(0.5) });
    // Converted one outcome at a time, what each hands out of the other is merged: the fee is due on less than at once.
    const each = 10_000_000 / 1.99;
    expect(Math.abs(cashNow.net - 2 * 0.99 * each)).toBeLessThanOrEqual(1);
    expect(new Set(best.steps.map(({ kind }) => kind))).toEqual(new Set(['convert', 'merge', 'sell', 'hold']));
    expect(best.net).toBeGreaterThan(cashNow.net + 2_800_000);
  });

  it('converts 32 outcomes in one submission', () => {
    const sides = Array.from({ length: 32 }, () => [NONE, { shares: 10, bids: [[0.9, 100]] }] as const);
    const { best } = planExit(holdingOf({ kind: 'negative_risk', feeBips: 0, isComplete: true }, sides), NO_COSTS);
    expect(best).toMatchObject({ net: 310_000_000, submissions: 1 });
    expect(best.left.every((micro) => micro === 0)).toBe(true);
    // Where each outcome has a pair of its own: one becomes the others, which merge.
    const { cashNow } = planExit(holdingOf({ kind: 'whole_event' }, sides), NO_COSTS);
    expect(cashNow).toMatchObject({ net: 310_000_000, submissions: 1 });
    expect(cashNow.steps.map(({ kind }) => kind)).toEqual(['convert', ...Array<string>(31).fill('merge')]);
  });

  it('merges a whole event, and above a line with below a higher one', () => {
    const whole = Array.from({ length: 3 }, () => [{ shares: 10, bids: [[0.2, 100]] }, NONE] as const);
    expect(planExit(holdingOf({ kind: 'whole_event' }, whole), NO_COSTS).best).toMatchObject({
      net: 10_000_000,
      steps: [{ kind: 'horizontal_merge', marketIds: ['m1', 'm2', 'm3'] }],
    });
    const lines = holdingOf({ kind: 'thresholds', lines: [1, 2] }, [
      [{ shares: 10 }, NONE],
      [NONE, { shares: 10 }],
      [NONE, NONE],
      [{ shares: 0, bids: [[0.5, 100]] }, NONE],
      [NONE, NONE],
    ]);
    expect(planExit(lines, NO_COSTS).best.steps).toMatchObject([
      { kind: 'directional_merge', marketIds: ['m1', 'm2'], dollars: 10_000_000 },
      { kind: 'sell', marketIds: ['m4'], shares: 10_000_000 },
    ]);
  });

  it('merges lines between which others are not listed, with every range between, and counts on nothing where it is voided', () => {
    const sides = [[{ shares: 10 }, NONE] as const, [NONE, { shares: 10 }] as const];
    const ranges = Array.from({ length: 5 }, () => [NONE, NONE] as const);
    const plan = planExit(holdingOf({ kind: 'thresholds', lines: [1, 4] }, [...sides, ...ranges]), NO_COSTS);
    expect(plan.cashNow.steps[0]?.changes).toEqual([
      { tokenId: 'm1-yes', micro: -10_000_000 },
      { tokenId: 'm2-no', micro: -10_000_000 },
      ...['m4', 'm5', 'm6'].map((name) => ({ tokenId: `${name}-yes`, micro: 10_000_000 })),
    ]);
    expect(plan.hold).toMatchObject({ atResolution: 10_000_000, most: 20_000_000 });
    const allRanges = [[NONE, NONE] as const, ...ranges.map(() => [{ shares: 10 }, NONE] as const)];
    const { hold } = planExit(holdingOf({ kind: 'thresholds', lines: [1] }, allRanges), NO_COSTS);
    expect(hold).toMatchObject({ atResolution: 0, most: 10_000_000 });
  });

  it('merges lines of a variable also where too much is held of it to mix every way', () => {
    const ranges = Array.from({ length: 26 }, () => [{ shares: 1 }, NONE] as const);
    const sides = [[{ shares: 10 }, NONE] as const, [NONE, { shares: 8 }] as const, ...ranges];
    const { cashNow } = planExit(holdingOf({ kind: 'thresholds', lines: [3, 20] }, sides), NO_COSTS);
    expect(cashNow).toMatchObject({ net: 8_000_000, steps: [{ kind: 'directional_merge' }, { kind: 'hold' }] });
  });

  it('is left alone where what could be converted is dust, costs more gas than it brings, or the quota is used up', () => {
    const pair = holdingOf({ kind: 'markets' }, [[{ shares: 0.5 }, { shares: 0.5 }]]);
    const waiting = { ...NO_COSTS, heldValue: fractionFromNumber(0.9) };
    expect(planExit(pair, waiting).best.submissions).toBe(1);
    expect(planExit(pair, { ...waiting, leastConversion: usdFromNumber(1) }).best.submissions).toBe(0);
    expect(planExit(pair, { ...waiting, submissionCost: usdFromNumber(0.06) }).best.submissions).toBe(0);
    expect(planExit(pair, { ...waiting, submissionsLeft: 0 }).best.steps).toMatchObject([
      { kind: 'hold', risk: 'time' },
    ]);
  });
});
