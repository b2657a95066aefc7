import { figuresOf, type RunTrigger } from '@dutchbook/engine/rehearsal/compare.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { TakenDecisions } from './run-journal.ts';
import type { RealBatch } from './run-real-batches.ts';
import { UnknownSpans } from './run-unknown.ts';
import type { SharedState } from './shared-state.ts';
import { VirtualAgenda } from './virtual-agenda.ts';
import { VirtualPlacements } from './virtual-placements.ts';

const MEASURED_MS = 300;

function sharedState(): SharedState {
  const [from, until] = [instantFromMs(0), instantFromMs(10_000)];
  return {
    now: from,
    ...{ settings: null, account: null, lostUntil: null, assumePlacing: false, survivalKnown: [] },
    ...{ unknown: new UnknownSpans(from, until), agenda: new VirtualAgenda(), decisions: new TakenDecisions() },
    realBatches: { get: () => null, activeOf: () => null, clipOf: () => null, laterClips: [] },
    latency: { measuredMs: MEASURED_MS, pessimisticMs: 900, isOwn: false },
  };
}

it.each([
  { ended: 'sooner than by the usual latency', beganAfterMs: 100, endedAfterMs: 60, worstUsd: 20 },
  { ended: 'later than by the usual latency', beganAfterMs: 500, endedAfterMs: 700, worstUsd: 40 },
])('what was really placed is at risk until it had ended, $ended', ({ beganAfterMs, endedAfterMs, worstUsd }) => {
  const shared = sharedState();
  const placements = new VirtualPlacements(shared, { limits: {}, placesFound: null, foundPrices: {} });
  const triggers = [0, beganAfterMs].map((atMs, nth): RunTrigger => {
    shared.now = instantFromMs(atMs);
    const trigger: RunTrigger = {
      ...{ opportunityId: 'one', at: shared.now, currentPrice: setPriceFromNumber(0.97) },
      ...{ profitPct: percentFromNumber(3), size: sharesFromNumber(10), gates: [], refusals: [], outcomes: null },
      ...{ words: '', clip: nth + 1, atRisk: usdFromNumber(20), until: instantFromMs(atMs + MEASURED_MS) },
    };
    const real: RealBatch = {
      ...{ id: String(nth), opportunityId: 'one', at: shared.now, spent: usdFromNumber(9.7), parts: [] },
      ...{ until: instantFromMs(atMs + endedAfterMs), clip: null },
      outcome: { kind: 'completed', profit: usdFromNumber(0.3) },
    };
    placements.place(trigger, {} as never, {} as never, { isSimulated: false, real, onEnded: () => {} });
    return trigger;
  });
  expect(figuresOf(triggers).worstAtRisk).toBe(usdFromNumber(worstUsd));
});
