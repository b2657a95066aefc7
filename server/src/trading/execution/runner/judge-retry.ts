/** Buying what a batch lacks: judged like any other order, by what the missing positions cost now and the sets they complete. */

import { isActive } from '@dutchbook/engine/batch/life.ts';
import { planRemainder, remainderGateInputs } from '@dutchbook/engine/batch/remainder.ts';
import { bandOfFound, sentences } from '@dutchbook/engine/desk/assess.ts';
import { valueOpportunity } from '@dutchbook/engine/opportunity/value.ts';
import { standingFills } from '@dutchbook/engine/order/fill.ts';
import type { PlacementPlan } from '@dutchbook/engine/order/plan.ts';
import type { CashReading } from '@dutchbook/engine/risk/allowance.ts';
import type {
  FoundRules,
  GateContext,
  OrderSpending,
  Soundness,
  TradingLimits,
} from '@dutchbook/engine/risk/context.ts';
import { evaluateGates, limitBlockers, signOffBlockers } from '@dutchbook/engine/risk/gates.ts';
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { type Instant, startOfUtcDay } from '@dutchbook/units/instant.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { LiveQuote, Quotes } from '../../../market/markets/live-quotes.ts';
import { readOpportunity, standingIn, standingUntilEnd } from '../../../market/opportunities/store.ts';
import { gateSettings, pricingSettings } from '../../../people/system-settings/in-units.ts';
import type { SystemSettings } from '../../../people/system-settings/watched-settings.ts';
import { lock } from '../../../platform/database/locks.ts';
import { executeNamed } from '../../../platform/database/named.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { type BatchState, orderOf, orderState, positionsOf, salesOf } from '../../orders/batch-state.ts';
import { askedLately } from '../../orders/limit-use.ts';
import { SPENT_MEANWHILE } from '../../orders/spendable.ts';
import { asPracticeLeavesThem } from '../../practice/taken.ts';
import { controlsUntilEnd } from '../../trading-controls/store.ts';
import type { TradingControls } from '../../trading-controls/trading-controls.ts';
import { type Account, CASH_MAX_AGE_MS } from '../account.ts';
import { type Means, meansOf } from '../means.ts';
import { signOffAboveOf } from '../signed-off-batches.ts';
import type { Terms } from './venue-steps.ts';

type RetryParts = {
  runtime: Runtime;
  quotes: Quotes;
  account: Account;
  controls: TradingControls;
  settings: SystemSettings;
  found: () => FoundRules;
  soundness: () => Soundness;
};

const DELETED = 'The opportunity was deleted.';
/** A batch goes by the settings it began with; that more is bought for one that has ended is decided now. */
const ONLY_SIMULATED = 'Orders are only simulated now, and those of this batch are not.';

/**
 * `refusedMeanwhile`: what other batches, or a person, have changed since, in sentences; nothing more changes while `tx`
 * lasts, in which it comes before the batch is locked.
 */
export type RetryVerdict =
  | { kind: 'buy'; terms: Terms[]; refusedMeanwhile: (tx: Db) => Promise<string[]> }
  | { kind: 'refused'; reasons: string[] };

/** What a batch shows that was not retried. */
export function refusalOfRetry(reasons: readonly string[]): string {
  return `Not retried: ${reasons.join(' ')}`;
}

/**
 * What a retry would send now, or why it may not, in sentences. Attempts that were committed and have not left are what
 * it judges, so they do not count as standing. Throws VenueUnavailable.
 */
export async function judgeRetry(parts: RetryParts, state: BatchState): Promise<RetryVerdict> {
  const { runtime, quotes, account, controls } = parts;
  const { batch } = state;
  const isMidway = isActive(batch.status) && batch.retryRequestedAt === null;
  if (!batch.simulated && !isMidway && parts.settings.current().ORDER_SIMULATION_ENABLED)
    return { kind: 'refused', reasons: [ONLY_SIMULATED] };
  const opportunity = await readOpportunity(runtime.db, batch.opportunityId);
  if (opportunity === null) return { kind: 'refused', reasons: [DELETED] };
  const fresh = await quotes.fresh(positionsOf(state));
  const remainder = remainderOf(state, batch.simulated ? await asPracticeLeavesThem(runtime.db, fresh) : fresh);
  if (remainder.kind === 'refused') return { kind: 'refused', reasons: [`${remainder.reason}.`] };

  const { plan, quotes: missing } = remainder;
  const { settings } = batch;
  const value = valueOpportunity(missing, batch.targetPrice, pricingSettings(settings));
  const reading = batch.simulated ? null : await account.refresh(CASH_MAX_AGE_MS.trading);
  const means = await meansBeside(runtime.db, parts, state, { reading, limits: controls.current().limits });
  const { signOffAbove = null, ...soundness } = parts.soundness();
  const found = parts.found();
  const context: GateContext = {
    automatic: isDecidedAlone(state),
    practice: batch.simulated,
    now: runtime.clock.now(),
    active: opportunity.active,
    // What is half bought is completed.
    isHeldBack:
      isDecidedAlone(state) && isNothingBought(state) && opportunity.relationId !== null && !found.placesFound,
    quotes: missing,
    ...remainderGateInputs(value, remainder, fractionFromNumber(settings.MIN_PROFIT_RETRY_THRESHOLD)),
    quotedPrice: null,
    balance: means.cash,
    allowances: means.allowances,
    activeBatchId: null,
    armed: controls.current().armed,
    reconciled: true,
    ...soundness,
    signOffAbove: signOffAboveOf(signOffAbove, batch.signedOff),
    askedLately: signOffAbove === null ? USD_ZERO : await askedBefore(runtime.db, batch),
    settings: { ...gateSettings(settings), ...bandOfFound(opportunity, found) },
    ...means.limitState,
  };
  // A retry by hand was signed off before; a higher cost since then needs a sign-off again.
  const blockers = [...evaluateGates(context), ...(context.automatic ? [] : signOffBlockers(context))];
  if (blockers.length > 0) return { kind: 'refused', reasons: sentences(blockers) };
  const refusedMeanwhile = async (tx: Db) => {
    const standing = standingIn(await executeNamed(tx, standingUntilEnd(batch.opportunityId)));
    await lock(tx, 'spending');
    const { armed, limits } = await controlsUntilEnd(tx, runtime.config.venueMode);
    if (standing === null) return [DELETED];
    if (!standing.active) return ['The opportunity is not active.'];
    if (!armed) return ['Trading is disarmed.'];
    const { cash, limitState } = await meansBeside(tx, parts, state, { reading: account.reading(), limits });
    if (cash === null || cash < plan.totalReserve) return [SPENT_MEANWHILE];
    return sentences(limitBlockers({ plan, ...limitState }));
  };
  return { kind: 'buy', terms: termsOf(state, plan), refusedMeanwhile };
}

/** Dollars that the requester of the retry has in other batches; zero when this batch was signed off. */
async function askedBefore(
  db: Db,
  { id, retriedByHand, retriedBy, retryRequestedAt: at, signedOff, simulated }: BatchState['batch'],
): Promise<Usd> {
  if (!retriedByHand || retriedBy === null || at === null || signedOff !== null) return USD_ZERO;
  return await askedLately(db, { at, userId: retriedBy, simulated, exceptBatchId: id });
}

/** What a batch lacks, at these prices of its positions. */
function remainderOf(state: BatchState, quoted: readonly LiveQuote[]) {
  const orders = state.orders.map((order, index) => {
    const quote = quoted[index];
    if (quote === undefined) throw new Error('a quote is missing of those that were asked for');
    const inputs = orderState(state, order);
    const attempts = inputs.attempts.filter(({ status }) => status !== 'prepared');
    return { ...order, ...inputs, attempts, sales: salesOf(state, order.id), quote };
  });
  return planRemainder(orders, state.batch.targetPrice);
}

/** What a retry would buy at these prices, and the result of the batch then; null where it would not be retried. */
export function retryTakes(
  state: BatchState,
  quoted: readonly LiveQuote[],
): { plan: PlacementPlan; total: Usd } | null {
  const remainder = remainderOf(state, quoted);
  if (remainder.kind === 'refused') return null;
  const { plan } = remainder;
  return { plan, total: spentBefore(state).reduce((sum, { spent }) => addUsd(sum, spent), plan.totalReserve) };
}

/** By its earlier attempts. */
function spentBefore({ orders }: BatchState): OrderSpending[] {
  return orders.map(({ leg, tokenId, filledCost, fee }) => ({ leg, tokenId, spent: addUsd(filledCost, fee) }));
}

/** Without a person's look: of a batch placed by hand only where nothing was bought. */
function isDecidedAlone(state: BatchState): boolean {
  const { retriedByHand, automatic } = state.batch;
  return !retriedByHand && (automatic || isNothingBought(state));
}

function isNothingBought({ orders }: BatchState): boolean {
  return orders.every(({ filledSize }) => filledSize === 0);
}

/** What is missing is bought on top of what the batch has taken already: all its earlier attempts have ended. */
async function meansBeside(
  db: Db,
  parts: RetryParts,
  state: BatchState,
  { reading, limits }: { reading: CashReading | null; limits: TradingLimits },
): Promise<Means> {
  const { id, simulated: practice } = state.batch;
  const { limitState: use, ...means } = await meansOf(db, parts, { practice, reading, limits, ownBatchId: id });
  const before = spentBefore(state);
  // What practice has taken is counted by its fills, those of this batch too.
  if (practice) return { ...means, limitState: { ...use, spentBefore: before } };
  const placedToday = addUsd(use.placedToday, spentSince(state, startOfUtcDay(parts.runtime.clock.now())));
  const openExposure = before.reduce((sum, { spent }) => addUsd(sum, spent), use.openExposure);
  return { ...means, limitState: { ...use, spentBefore: before, placedToday, openExposure } };
}

/** What the attempts to buy that were sent since then have taken. */
function spentSince(state: BatchState, since: Instant): Usd {
  return state.attempts
    .filter(({ orderId, sentAt }) => orderOf(state, orderId).side === 'buy' && sentAt !== null && sentAt >= since)
    .map(({ id }) => standingFills(state.fills.filter(({ attemptId }) => attemptId === id)))
    .reduce((sum, fills) => fills.reduce((spent, { cost, fee }) => addUsd(spent, addUsd(cost, fee)), sum), USD_ZERO);
}

function termsOf(state: BatchState, plan: PlacementPlan): Terms[] {
  return plan.orders.map(({ leg, tokenId, size, limitPrice, spends }) => {
    const order = state.orders.find((each) => each.leg === leg && each.tokenId === tokenId);
    if (order === undefined)
      throw new Error(`the remainder buys token ${tokenId}, which is not of batch ${state.batch.id}`);
    return { orderId: order.id, size, price: limitPrice, spends };
  });
}
