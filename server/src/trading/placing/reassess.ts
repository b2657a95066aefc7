import type { Soundness } from '@dutchbook/engine/risk/context.ts';
import { readOpportunity } from '../../opportunities/store.ts';
import type { Quotes, TradingControls } from '../../parts.ts';
import type { World } from '../../world/world.ts';
import type { Account } from '../account.ts';
import { assess, sentences } from '../assess.ts';
import { type BatchState, positionsOf } from './batch-state.ts';
import { limitState } from './limit-use.ts';
import { spendableCash } from './spendable.ts';

/**
 * Why a batch that was decided a while ago may not be sent any more, in sentences; empty when it still may. An
 * opportunity that was deleted meanwhile is not bought.
 */
export async function reassess(
  parts: { world: World; quotes: Quotes; account: Account; controls: TradingControls; soundness: () => Soundness },
  { batch, ...state }: BatchState,
): Promise<string[]> {
  const { world, quotes, account, controls } = parts;
  const opportunity = await readOpportunity(world.db, batch.opportunityId);
  if (opportunity === null) return ['The opportunity was deleted.'];
  const { blockers } = assess({
    opportunity,
    quotes: await quotes.fresh(positionsOf({ batch, ...state })),
    size: batch.orderSize,
    quotedPrice: batch.quotedPrice,
    automatic: batch.automatic,
    settings: batch.settings,
    now: world.clock.now(),
    cash: await spendableCash(world.db, await account.refresh(), batch.id),
    activeBatchId: null,
    readiness: { armed: controls.current().armed, reconciled: true, ...parts.soundness() },
    limitState: await limitState(world.db, parts, batch.id),
  });
  return sentences(blockers);
}
