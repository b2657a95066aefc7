import { assess, sentences } from '@dutchbook/engine/desk/assess.ts';
import type { FoundRules, Soundness } from '@dutchbook/engine/risk/context.ts';
import type { Quotes } from '../../../market/markets/live-quotes.ts';
import { readOpportunity, type StoredOpportunity } from '../../../market/opportunities/store.ts';
import { deskSettings } from '../../../people/system-settings/in-units.ts';
import { inOrder } from '../../../platform/database/pipelined.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { type BatchState, positionsOf } from '../../orders/batch-state.ts';
import { type Desks, refreshCash } from '../../venue-desk/desks.ts';
import { askInputs, type PlacingInputs, readInputs, type Wanted } from '../placing/inputs.ts';
import type { JudgeAgain } from '../placing/retry.ts';

type ReassessParts = {
  runtime: Runtime;
  quotes: Quotes;
  desks: Desks;
  found: () => FoundRules;
  soundness: () => Soundness;
};

const DELETED = 'The opportunity was deleted.';

/** `reasons`: why it may not be sent any more, in sentences; empty when it still may. */
export type Judged = { reasons: string[]; judgeAgain: JudgeAgain };

/** Judges a batch that was decided a while ago. An opportunity that was deleted meanwhile is not bought. */
export async function reassess(parts: ReassessParts, state: BatchState): Promise<Judged> {
  const { runtime, quotes, desks } = parts;
  const { batch } = state;
  const opportunity = await readOpportunity(runtime.db, batch.opportunityId);
  if (opportunity === null) return { reasons: [DELETED], judgeAgain: async () => [DELETED] };
  const positions = positionsOf(state);
  await refreshCash(desks, positions, 'trading');
  const readiness = () => ({
    ...{ reconciled: true, ...parts.found(), placesFound: true },
    ...parts.soundness(),
  });
  const inputParts = { ...parts, readiness };
  const wanted: Wanted = { practice: batch.simulated, ownBatchId: batch.id, opportunityId: opportunity.id };
  const quoted = await quotes.fresh(positions);
  const refusalsBy = ({ account }: PlacingInputs, { active }: Pick<StoredOpportunity, 'active'>) => {
    const { blockers } = assess({
      opportunity: { ...opportunity, active },
      quotes: quoted,
      size: batch.orderSize,
      quotedPrice: batch.quotedPrice,
      automatic: batch.automatic,
      settings: deskSettings(batch.settings),
      now: runtime.clock.now(),
      activeBatchId: null,
      ...account,
    });
    return sentences(blockers);
  };
  return {
    reasons: refusalsBy(await readInputs(inputParts, wanted), opportunity),
    judgeAgain: async (tx) => {
      const inputs = await askInputs(inOrder(tx), inputParts, { ...wanted, locks: 'opportunity' })();
      const standing = inputs.standing?.opportunity ?? null;
      return standing === null ? [DELETED] : refusalsBy(inputs, standing);
    },
  };
}
