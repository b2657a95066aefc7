import { describe, expect, it } from 'vitest';
import {
  type BoughtBatch,
  groupedReasons,
  judgeWindows,
  type Observed,
  type Rules,
  reachableUsd,
} from './match-windows.ts';
import { eventOf } from './planted.fixture.ts';

const RULES: Rules = { fromMs: 1000, toMs: 100_000, latencyMs: 50, minProfitUsd: 0.01 };

function batchAt(createdAtMs: number, changed: Partial<BoughtBatch> = {}): BoughtBatch {
  return {
    id: `batch ${createdAtMs}`,
    eventId: 'cup',
    createdAtMs,
    status: 'completed',
    profitUsd: 5,
    boundedBy: null,
    lastError: null,
    ...changed,
  };
}

function observedOf(changed: Partial<Observed> = {}): Observed {
  const state = { relations: 1, mayTrade: 1, hits: 1, opportunities: 1 };
  return { batches: [], triggers: [], states: new Map([['cup', state]]), ...changed };
}

describe('the windows of a span', () => {
  it('are counted where they begin and end in it, and never those of a decoy', () => {
    const early = eventOf([[500, 2000]]);
    const open = eventOf([[2000, null]]);
    const late = eventOf([[99_000, 100_001]]);
    const decoy = eventOf([[2000, 3000]], { is_decoy: true });
    const whole = eventOf([
      [2000, 3000],
      [5000, 6000],
    ]);
    const judged = judgeWindows([early, open, late, decoy, whole], observedOf(), RULES);
    expect(judged.map(({ fromMs }) => fromMs)).toEqual([2000, 5000]);
  });

  it('are worth all that is in them to who knows of them', () => {
    expect(judgeWindows([eventOf([[2000, 3000]])], observedOf(), RULES)).toMatchObject([{ clairvoyantUsd: 5 }]);
  });
});

describe('a batch', () => {
  it('is of the last window that began before it, and of no other at the same time', () => {
    const cup = eventOf([
      [2000, 3000],
      [5000, 6000],
    ]);
    const league = eventOf([[2000, 3000]], { event_ids: ['league', 'league again'] });
    const batches = [batchAt(3010), batchAt(5100), batchAt(2100, { eventId: 'league again' })];
    const judged = judgeWindows([cup, league], observedOf({ batches }), RULES);
    expect(judged.map(({ batches: own }) => own.map(({ createdAtMs }) => createdAtMs))).toEqual([
      [3010],
      [5100],
      [2100],
    ]);
    expect(judged.map(({ takenUsd }) => takenUsd)).toEqual([5, 5, 5]);
    expect(groupedReasons(judged)).toEqual([]);
  });

  it('takes no more of a window than there was, however often it was bought, and less where one lost', () => {
    const twice = observedOf({ batches: [batchAt(2100), batchAt(2500)] });
    expect(judgeWindows([eventOf([[2000, 3000]])], twice, RULES)).toMatchObject([{ takenUsd: 5, reason: null }]);
    const part = observedOf({
      batches: [batchAt(2100, { profitUsd: 2, boundedBy: 'clip' }), batchAt(2500, { profitUsd: 1, boundedBy: 'cash' })],
    });
    expect(judgeWindows([eventOf([[2000, 3000]])], part, RULES)).toMatchObject([
      { takenUsd: 3, reason: 'last batch completed, bounded by cash' },
    ]);
    const lost = { status: 'partial_completed', profitUsd: -4, lastError: 'Leg 2 was not filled' };
    const half = observedOf({ batches: [batchAt(2100, lost)] });
    expect(judgeWindows([eventOf([[2000, 3000]])], half, RULES)).toMatchObject([
      { takenUsd: -4, reason: 'last batch partial_completed: Leg 2 was not filled' },
    ]);
  });
});

describe('what clips can reach of a window', () => {
  const window = { clairvoyantUsd: 5, lengthMs: 1000, batches: [batchAt(2100, { profitUsd: 1.5 })] };

  it.each([
    { clipMs: 1000, reached: 1.5, how: 'one clip' },
    { clipMs: 400, reached: 4.5, how: 'three, the last of which begins before the window ends' },
    { clipMs: 100, reached: 5, how: 'all that is in it' },
  ])('is $how where one takes $clipMs ms', ({ clipMs, reached }) => {
    expect(reachableUsd(window, { latencyMs: 200, clipMs })).toBe(reached);
  });

  it('is all of it where nothing was bought, or with a loss', () => {
    for (const batches of [[], [batchAt(2100, { profitUsd: -4 })]])
      expect(reachableUsd({ ...window, batches }, { latencyMs: 200, clipMs: 1000 })).toBe(5);
  });
});

describe('what was missed', () => {
  const reasonOf = (observed: Observed, rules: Partial<Rules> = {}) =>
    judgeWindows([eventOf([[2000, 3000]])], observed, { ...RULES, ...rules })[0]?.reason;
  const stateOf = (changed: object) =>
    new Map([['cup', { relations: 1, mayTrade: 1, hits: 1, opportunities: 1, ...changed }]]);

  it('has the reason that the product reported', () => {
    const refusal = 'Leg 1 is short of 5.00 shares.';
    const reported = { eventId: 'cup', atMs: 2100, refusal };
    expect(reasonOf(observedOf({ triggers: [reported] }))).toBe(`refused: ${refusal}`);
    expect(reasonOf(observedOf({ triggers: [{ ...reported, atMs: 3100 }] }))).toBe(
      `refused after it had ended: ${refusal}`,
    );
    expect(reasonOf(observedOf({ triggers: [{ ...reported, atMs: 1900 }] }))).toBe(
      'an opportunity, which did not trigger',
    );
    expect(reasonOf(observedOf({ triggers: [{ ...reported, eventId: 'another' }] }))).toBe(
      'an opportunity, which did not trigger',
    );
  });

  it('has the first step that was not taken', () => {
    expect(reasonOf(observedOf(), { latencyMs: 1001 })).toBe('shorter than the latency');
    expect(reasonOf(observedOf(), { minProfitUsd: 6 })).toBe('makes less than the least profit');
    expect(reasonOf(observedOf({ states: new Map() }))).toBe('no relation was read');
    expect(reasonOf(observedOf({ states: stateOf({ mayTrade: 0 }) }))).toBe('no relation of it may trade');
    expect(reasonOf(observedOf({ states: stateOf({ hits: 0 }) }))).toBe('no relation of it ever paid');
    expect(reasonOf(observedOf({ states: stateOf({ opportunities: 0 }) }))).toBe('paid, and became no opportunity');
  });

  it('counts nothing against the desk where a clairvoyant would come too late as well', () => {
    expect(judgeWindows([eventOf([[2000, 2040]])], observedOf(), RULES)).toMatchObject([
      { clairvoyantUsd: 0, takenUsd: 0, reason: 'shorter than the latency' },
    ]);
  });

  it('is grouped whatever figures and ids stand in the reasons, the dearest first', () => {
    const cup = eventOf([
      [2000, 3000],
      [5000, 6000],
      [8000, 8010],
    ]);
    const triggers = [
      { eventId: 'cup', atMs: 2100, refusal: 'Book is 48 s old.' },
      { eventId: 'cup', atMs: 5100, refusal: 'Book is 3.5 s old.' },
    ];
    const groups = groupedReasons(judgeWindows([cup], observedOf({ triggers }), RULES));
    expect(groups).toMatchObject([
      { reason: 'exactly_one: refused: Book is # s old.', windows: 2, usd: 10 },
      { reason: 'exactly_one: shorter than the latency', windows: 1, usd: 0 },
    ]);
  });
});
