import { assess, sentences } from '@dutchbook/engine/desk/assess.ts';
import type { FoundRules, Soundness } from '@dutchbook/engine/risk/context.ts';
import type { Quotes } from '../../../market/markets/live-quotes.ts';
import { readOpportunity } from '../../../market/opportunities/store.ts';
import { deskSettings } from '../../../people/system-settings/in-units.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { type BatchState, positionsOf } from '../../orders/batch-state.ts';
import { type Desks, refreshCash } from '../../venue-desk/desks.ts';
import { readInputs } from '../placing/inputs.ts';

type ReassessParts = {
  runtime: Runtime;
  quotes: Quotes;
  desks: Desks;
  found: () => FoundRules;
  soundness: () => Soundness;
};

/**
 * Why a batch that was decided a while ago may not be sent any more, in sentences; empty when it still may. An
 * opportunity that was deleted meanwhile is not bought.
 */
export async function reassess(parts: ReassessParts, { batch, ...state }: BatchState): Promise<string[]> {
  const { runtime, quotes, desks } = parts;
  const opportunity = await readOpportunity(runtime.db, batch.opportunityId);
  if (opportunity === null) return ['The opportunity was deleted.'];
  const positions = positionsOf({ batch, ...state });
  await refreshCash(desks, positions, 'trading');
  const readiness = () => ({
    ...{ reconciled: true, ...parts.found(), placesFound: true },
    ...parts.soundness(),
  });
  const inputs = await readInputs({ ...parts, readiness }, { practice: batch.simulated, ownBatchId: batch.id });
  const { blockers } = assess({
    opportunity,
    quotes: await quotes.fresh(positions),
    size: batch.orderSize,
    quotedPrice: batch.quotedPrice,
    automatic: batch.automatic,
    settings: deskSettings(batch.settings),
    now: runtime.clock.now(),
    activeBatchId: null,
    ...inputs.account,
  });
  return sentences(blockers);
}
