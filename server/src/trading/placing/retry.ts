/** Buying what a batch lacks: judged like any other order, by what the missing positions cost now and the sets they complete. */
import { planRemainder, remainderGateInputs } from '@dutchbook/engine/batch/remainder.ts';
import { valueOpportunity } from '@dutchbook/engine/opportunity/value.ts';
import type { PlacementPlan } from '@dutchbook/engine/order/plan.ts';
import type { LimitState, Soundness } from '@dutchbook/engine/risk/context.ts';
import { evaluateGates, limitBlockers } from '@dutchbook/engine/risk/gates.ts';
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { startOfUtcDay } from '@dutchbook/units/instant.ts';
import { addUsd, USD_ZERO } from '@dutchbook/units/usd.ts';
import { readOpportunity } from '../../opportunities/store.ts';
import type { Quotes, TradingControls } from '../../parts.ts';
import { gateSettings, pricingSettings } from '../../system-settings/in-units.ts';
import type { Db, World } from '../../world/world.ts';
import type { Account } from '../account.ts';
import { sentences } from '../assess.ts';
import { type BatchState, orderFacts, positionsOf, salesOf } from './batch-state.ts';
import { limitState } from './limit-use.ts';
import type { Terms } from './placing-steps.ts';
import { lockSpending, SPENT_MEANWHILE, spendableCash } from './spendable.ts';

type RetryParts = {
  world: World;
  quotes: Quotes;
  account: Account;
  controls: TradingControls;
  soundness: () => Soundness;
};

/** `refusedMeanwhile`: what other batches have changed since, in sentences; nothing more changes while `tx` lasts. */
export type RetryVerdict =
  | { kind: 'buy'; terms: Terms[]; refusedMeanwhile: (tx: Db) => Promise<string[]> }
  | { kind: 'refused'; reasons: string[] };

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
    automatic: isDecidedAlone(state),
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
    ...(await limitsBeside(world.db, parts, state)),
  });
  if (blockers.length > 0) return { kind: 'refused', reasons: sentences(blockers) };
  const refusedMeanwhile = async (tx: Db) => {
    await lockSpending(tx);
    const cash = await spendableCash(tx, account.reading(), batch.id);
    if (cash === null || cash < plan.totalReserve) return [SPENT_MEANWHILE];
    return sentences(limitBlockers({ plan, ...(await limitsBeside(tx, parts, state)) }));
  };
  return { kind: 'buy', terms: termsOf(state, plan), refusedMeanwhile };
}

/** Nobody has looked: of a batch that a person placed, who wants what was bought completed, only where nothing was. */
function isDecidedAlone({ batch, orders }: BatchState): boolean {
  if (batch.retriedByHand) return false;
  return batch.automatic || orders.every(({ filledSize }) => filledSize === 0);
}

/** What is missing is bought on top of what the batch has taken already. */
async function limitsBeside(db: Db, parts: RetryParts, { batch, orders }: BatchState): Promise<LimitState> {
  const use = await limitState(db, parts, batch.id);
  if (batch.simulated) return use;
  const spent = orders.reduce((sum, { filledCost, fee }) => addUsd(sum, addUsd(filledCost, fee)), USD_ZERO);
  const isOfToday = batch.createdAt >= startOfUtcDay(parts.world.clock.now());
  return {
    ...use,
    placedToday: isOfToday ? addUsd(use.placedToday, spent) : use.placedToday,
    openExposure: addUsd(use.openExposure, spent),
  };
}

function termsOf(state: BatchState, plan: PlacementPlan): Terms[] {
  return plan.orders.map(({ leg, tokenId, size, limitPrice }) => {
    const order = state.orders.find((each) => each.leg === leg && each.tokenId === tokenId);
    if (order === undefined)
      throw new Error(`the remainder buys token ${tokenId}, which is not of batch ${state.batch.id}`);
    return { orderId: order.id, size, price: limitPrice };
  });
}
