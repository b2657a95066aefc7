import { instantFromMs } from '@dutchbook/units/instant.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromNumber } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byModel, compareRuns, courseOf, figuresOf, MODELS, type RunTrigger } from './compare.ts';

function trigger(opportunityId: string, at: number, changes: Partial<RunTrigger> = {}): RunTrigger {
  return {
    ...{ opportunityId, at: instantFromMs(at), currentPrice: priceFromNumber(0.97), profitPct: percentFromNumber(3) },
    ...{ size: sharesFromNumber(5), gates: [], refusals: [], outcomes: null, words: 'same' },
    ...{ clip: 1, atRisk: usdFromNumber(0), until: instantFromMs(at + 1) },
    ...changes,
  };
}

const outcome = (kind: 'completed' | 'unwound' | 'unfilled', profit: number) =>
  byModel(() => ({ kind, profit: usdFromNumber(profit) }));

const anyTriggers = fc
  .array(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      at: fc.integer({ min: 1, max: 20 }),
      profit: fc.option(fc.integer({ min: -50, max: 50 })),
      words: fc.constantFrom('bought', 'refused'),
    }),
    { maxLength: 20 },
  )
  .map((all) =>
    all
      .toSorted((one, other) => one.at - other.at)
      .map(({ id, at, profit, words }) =>
        trigger(id, at, { words, outcomes: profit === null ? null : outcome('completed', profit) }),
      ),
  );

describe('the figures of a run', () => {
  it('count what was decided and what came of it', () => {
    const figures = figuresOf([
      trigger('a', 1, { outcomes: outcome('completed', 2) }),
      trigger('a', 2, { outcomes: outcome('unwound', -3) }),
      trigger('b', 3, { outcomes: outcome('unwound', -1) }),
      trigger('b', 4, { gates: ['balance', 'limit-per-day'], refusals: ['x', 'y'] }),
      trigger('b', 5, { gates: ['limit-per-day'], refusals: ['y'] }),
      trigger('c', 6, { gates: null, refusals: null }),
    ]);
    expect(figures).toMatchObject({
      ...{ triggers: 6, batches: 3, refused: 2, limitHits: 2 },
      refusals: { balance: 1, 'limit-per-day': 2 },
    });
    const each = { profit: usdFromNumber(-2), completed: 1, unwound: 2, unfilled: 0, worstBatch: usdFromNumber(-3) };
    expect(figures.models).toEqual(byModel(() => each));
  });

  it('know no worst batch where none has lost', () => {
    expect(figuresOf([trigger('a', 1, { outcomes: outcome('completed', 0) })]).models.touch.worstBatch).toBeNull();
  });
});

describe('two runs', () => {
  it('are the same where both have decided the same', () => {
    fc.assert(fc.property(anyTriggers, (run) => void expect(compareRuns(run, run, 20)).toEqual([])));
  });

  it('differ by what adds up to the difference of their figures', () => {
    fc.assert(
      fc.property(anyTriggers, anyTriggers, (present, proposed) => {
        const differences = compareRuns(present, proposed, 3);
        const [before, after] = [figuresOf(present), figuresOf(proposed)];
        for (const model of MODELS) {
          const sum = differences.reduce((total, { profit }) => total + profit[model], 0);
          expect(sum).toBe(after.models[model].profit - before.models[model].profit);
        }
        for (const { moments } of differences) {
          expect(moments.length).toBeLessThanOrEqual(3);
          expect(moments.every(({ present: one, proposed: other }) => one?.words !== other?.words)).toBe(true);
        }
        const more = differences.reduce((sum, each) => sum + each.proposedTriggers - each.presentTriggers, 0);
        expect(Math.abs(more)).toBe(Math.abs(proposed.length - present.length));
        const weights = differences.map(({ profit }) => Math.max(...Object.values(profit).map(Math.abs)));
        expect(weights).toEqual(weights.toSorted((one, other) => other - one));
      }),
    );
  });

  it('are shown at the moments at which only one has triggered, or each has decided something else', () => {
    const present = [trigger('a', 1), trigger('a', 2), trigger('a', 4)];
    const proposed = [trigger('a', 1), trigger('a', 3), trigger('a', 4, { words: 'other' })];
    const [difference, ...others] = compareRuns(present, proposed, 20);
    expect(others).toEqual([]);
    expect(
      difference?.moments.map(({ at, present: one, proposed: other }) => [at, one !== null, other !== null]),
    ).toEqual([
      [2, true, false],
      [3, false, true],
      [4, true, true],
    ]);
    expect(difference?.profit).toEqual(byModel(() => 0 as Usd));
  });
});

it('counts clips as batches that nothing triggered, and what was at risk in batches at one moment together', () => {
  const bought = (at: number, until: number, dollars: number, clip: number) =>
    trigger('a', at, {
      ...{ outcomes: outcome('completed', 1), clip, atRisk: usdFromNumber(dollars), until: instantFromMs(until) },
    });
  const figures = figuresOf([bought(1, 5, 10, 1), bought(5, 9, 20, 2), bought(6, 8, 4, 1), trigger('b', 7)]);
  expect(figures).toMatchObject({ triggers: 3, batches: 3, clips: 1, worstAtRisk: usdFromNumber(24) });
});

it('says what had been made by the end of each part of a span', () => {
  const made = (at: number, profit: number) => trigger('a', at, { outcomes: outcome('completed', profit) });
  const span = { from: instantFromMs(0), until: instantFromMs(30), parts: 3 };
  expect(courseOf([made(4, 1), made(20, 2), trigger('b', 25)], span)).toEqual([
    { at: 10, profit: usdFromNumber(1) },
    { at: 20, profit: usdFromNumber(3) },
    { at: 30, profit: usdFromNumber(3) },
  ]);
});
