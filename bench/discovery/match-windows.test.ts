import { expect, it } from 'vitest';
import { type BoughtBatch, judgeWindows, type PlantedEvent, type Rules } from './match-windows.ts';

const RULES: Rules = { fromMs: 1000, toMs: 100_000, latencyMs: 50 };

/** In each of its windows 200 sets make 2.5 cents each. */
function eventOf(windows: [fromMs: number, untilMs: number | null][], changed: Partial<PlantedEvent> = {}) {
  const all = windows.map(([from, until]) => ({ from_ms: from, until_ms: until, edge_usd: '0.025', size: '200' }));
  return { event_ids: ['cup'], is_decoy: false, windows: all, ...changed };
}

function batchAt(createdAtMs: number, changed: Partial<BoughtBatch> = {}): BoughtBatch {
  return { eventId: 'cup', createdAtMs, startedAtMs: createdAtMs, profitUsd: 5, ...changed };
}

it('counts windows that begin and end in the span, and never those of a decoy', () => {
  const early = eventOf([[500, 2000]]);
  const open = eventOf([[2000, null]]);
  const late = eventOf([[99_000, 100_001]]);
  const decoy = eventOf([[2000, 3000]], { is_decoy: true });
  const whole = eventOf([
    [2000, 3000],
    [5000, 6000],
  ]);
  const judged = judgeWindows([early, open, late, decoy, whole], [], RULES);
  expect(judged).toMatchObject([
    { fromMs: 2000, clairvoyantUsd: 5, takenUsd: 0 },
    { fromMs: 5000, clairvoyantUsd: 5, takenUsd: 0 },
  ]);
});

it('gives a batch to the last window of its event that began before it, and to no other at that time', () => {
  const cup = eventOf([
    [2000, 3000],
    [5000, 6000],
  ]);
  const league = eventOf([[2000, 3000]], { event_ids: ['league', 'league again'] });
  const batches = [batchAt(3010), batchAt(5100), batchAt(2100, { eventId: 'league again' })];
  const judged = judgeWindows([cup, league], batches, RULES);
  expect(judged.map(({ batches: own }) => own)).toEqual(batches.map((batch) => [batch]));
  expect(judged.map(({ takenUsd }) => takenUsd)).toEqual([5, 5, 5]);
});

it.each([
  { how: 'no more than there was, however often it was bought', profits: [5, 5], taken: 5 },
  { how: 'a part', profits: [2, 1], taken: 3 },
  { how: 'less than nothing where a batch lost', profits: [-4], taken: -4 },
])('takes $how', ({ profits, taken }) => {
  const batches = profits.map((profitUsd, nth) => batchAt(2100 + nth, { profitUsd }));
  expect(judgeWindows([eventOf([[2000, 3000]])], batches, RULES)).toMatchObject([{ takenUsd: taken }]);
});

it('counts nothing against the desk where a clairvoyant would come too late as well', () => {
  expect(judgeWindows([eventOf([[2000, 2040]])], [], RULES)).toMatchObject([{ clairvoyantUsd: 0, takenUsd: 0 }]);
});
