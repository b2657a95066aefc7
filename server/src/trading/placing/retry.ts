/** Buying what a batch lacks: judged like any other order, by what the missing positions cost now and the sets they complete. */
import { planRemainder, remainderGateInputs } from '@dutchbook/engine/batch/remainder.ts';
import { valueOpportunity } from '@dutchbook/engine/opportunity/value.ts';
import type { PlacementPlan } from '@dutchbook/engine/order/plan.ts';
import type { Soundness } from '@dutchbook/engine/risk/context.ts';
import { evaluateGates } from '@dutchbook/engine/risk/gates.ts';
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { readOpportunity } from '../../opportunities/store.ts';
import type { Quotes, TradingControls } from '../../parts.ts';
import { gateSettings, pricingSettings } from '../../system-settings/in-units.ts';
import type { World } from '../../world/world.ts';
import type { Account } from '../account.ts';
import { sentences } from '../assess.ts';
import { type BatchState, orderFacts, positionsOf, salesOf } from './batch-state.ts';
import { limitState } from './limit-use.ts';
import type { Terms } from './placing-steps.ts';
import { spendableCash } from './spendable.ts';

type RetryParts = {
  world: World;
  quotes: Quotes;
  account: Account;
  controls: TradingControls;
  soundness: () => Soundness;
};

export type RetryVerdict = { kind: 'buy'; terms: Terms[] } | { kind: 'refused'; reasons: string[] };

/**
 * What a retry would send now, or why it may not, in sentences. Attempts that were committed and have not left are what
 * it judges, so they do not count as standing. Throws VenueUnavailable.
 */
export async function judgeRetry(parts: RetryParts, state: BatchState): Promise<RetryVerdict> {
  const { world, quotes, account, controls } = parts;
  const { batch } = state;
  const opportunity = await readOpportunity(world.db, batch.opportunityId);
  if (opportunity === null) return { kind: 'refused', reasons: ['The opportunity was deleted.'] };
  const quoted = await quotes.fresh(positionsOf(state));
  const orders = state.orders.map((order, index) => {
    const quote = quoted[index];
    if (quote === undefined) throw new Error('a quote is missing of those that were asked for');
    const facts = orderFacts(state, order);
    const attempts = facts.attempts.filter(({ status }) => status !== 'prepared');
    return { ...order, ...facts, attempts, sales: salesOf(state, order.id), quote };
  });
  const remainder = planRemainder(orders, batch.targetPrice);
  if (remainder.kind === 'refused') return { kind: 'refused', reasons: [`${remainder.reason}.`] };

  const { plan, quotes: missing } = remainder;
  const { settings } = batch;
  const value = valueOpportunity(missing, batch.targetPrice, pricingSettings(settings));
  const blockers = evaluateGates({
    automatic: batch.automatic,
    now: world.clock.now(),
    active: opportunity.active,
    quotes: missing,
    ...remainderGateInputs(value, plan, fractionFromNumber(settings.MIN_PROFIT_RETRY_THRESHOLD)),
    quotedPrice: null,
    balance: await spendableCash(world.db, await account.refresh(), batch.id),
    activeBatchId: null,
    armed: controls.current().armed,
    reconciled: true,
    ...parts.soundness(),
    settings: gateSettings(settings),
    ...(await limitState(world.db, parts, batch.id)),
  });
  if (blockers.length > 0) return { kind: 'refused', reasons: sentences(blockers) };
  return { kind: 'buy', terms: termsOf(state, plan) };
}

function termsOf(state: BatchState, plan: PlacementPlan): Terms[] {
  return plan.orders.map(({ leg, tokenId, size, limitPrice }) => {
    const order = state.orders.find((each) => each.leg === leg && each.tokenId === tokenId);
    if (order === undefined)
      throw new Error(`the remainder buys token ${tokenId}, which is not of batch ${state.batch.id}`);
    return { orderId: order.id, size, price: limitPrice };
  });
}
