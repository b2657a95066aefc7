/** Buying what a batch lacks: judged like any other order, by what the missing positions cost now and the sets they complete. */

import { finishRefusal, planFinish } from '@dutchbook/engine/batch/finish.ts';
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { planRemainder } from '@dutchbook/engine/batch/remainder.ts';
import { assess, type Readiness, sentences } from '@dutchbook/engine/desk/assess.ts';
import { standingFills } from '@dutchbook/engine/order/fill.ts';
import type { PlacementPlan } from '@dutchbook/engine/order/plan.ts';
import type { AccountState, FoundRules, Holdings, OrderSpending, Soundness } from '@dutchbook/engine/risk/context.ts';
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { type Instant, startOfUtcDay } from '@dutchbook/units/instant.ts';
import { addUsd, formatUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { LiveQuote, Quotes } from '../../../market/markets/live-quotes.ts';
import { readOpportunity, type StoredOpportunity } from '../../../market/opportunities/store.ts';
import { deskSettings } from '../../../people/system-settings/in-units.ts';
import type { SystemSettings } from '../../../people/system-settings/watched-settings.ts';
import { inOrder } from '../../../platform/database/pipelined.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { type BatchState, orderOf, positionsOf } from '../../orders/batch-state.ts';
import { remainderOrders, waysOutAt } from '../../orders/ways-out.ts';
import { leftOf, tokensOf } from '../../practice/taken.ts';
import { type Desks, refreshCash } from '../../venue-desk/desks.ts';
import type { Terms } from '../runner/venue-steps.ts';
import { signOffAboveOf } from '../signed-off-batches.ts';
import { askInputs, type PlacingInputs, readInputs, type Wanted } from './inputs.ts';

type RetryParts = {
  runtime: Runtime;
  quotes: Quotes;
  desks: Desks;
  settings: SystemSettings;
  found: () => FoundRules;
  soundness: () => Soundness;
};

const DELETED = 'The opportunity was deleted.';
/** A batch goes by the settings it began with; that more is bought for one that has ended is decided now. */
const ONLY_SIMULATED = 'Orders are only simulated now, and those of this batch are not.';

/**
 * Asks every gate again under the locks of placing, which it holds until `tx` ends. It comes before the batch is locked. Answers what
 * refuses the retry by then, in sentences.
 */
export type JudgeAgain = (tx: Db) => Promise<string[]>;

/** The decision no longer holds in the transaction that records it: nothing is recorded. `reasons` are sentences. */
export class RefusedMeanwhile extends Error {
  override readonly name = 'RefusedMeanwhile';
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(reasons.join(' '));
    this.reasons = reasons;
  }
}

export type RetryVerdict =
  | { kind: 'buy'; terms: Terms[]; judgeAgain: JudgeAgain }
  | { kind: 'refused'; reasons: string[] };

/** The text that a batch shows when it was not retried. */
export function refusalOfRetry(reasons: readonly string[]): string {
  return `Not retried: ${reasons.join(' ')}`;
}

/**
 * What a retry would send now, or why it may not, in sentences. Attempts that were committed and have not left are what
 * it judges, so they do not count as standing. Throws VenueUnavailable.
 */
export async function judgeRetry(parts: RetryParts, state: BatchState): Promise<RetryVerdict> {
  const { runtime, quotes, desks } = parts;
  const { batch } = state;
  if (isOnlySimulated(parts, state)) return { kind: 'refused', reasons: [ONLY_SIMULATED] };
  const opportunity = await readOpportunity(runtime.db, batch.opportunityId);
  if (opportunity === null) return { kind: 'refused', reasons: [DELETED] };
  const quoted = await quotes.fresh(positionsOf(state));
  if (!batch.simulated) await refreshCash(desks, quoted, 'trading');
  const retry = { state, opportunity, quoted };
  const inputParts = { ...parts, readiness: () => readinessOf(parts) };
  const wanted = wantedFor(state, quoted);
  const judged = judge(parts, retry, await readInputs(inputParts, wanted));
  if (judged.kind === 'refused') return judged;
  const judgeAgain = async (tx: Db) => {
    const inputs = await askInputs(inOrder(tx), inputParts, { ...wanted, locks: 'opportunity' })();
    const standing = inputs.standing?.opportunity ?? null;
    if (standing === null) return [DELETED];
    const again = judge(parts, { ...retry, opportunity: { ...opportunity, active: standing.active } }, inputs);
    return again.kind === 'refused' ? again.reasons : [];
  };
  return { kind: 'buy', terms: termsOf(state, judged.plan), judgeAgain };
}

/** `isSwitched`: the database says so. */
function isOnlySimulated({ settings }: RetryParts, { batch }: BatchState, isSwitched = false): boolean {
  const isMidway = isActive(batch.status) && batch.retryRequestedAt === null;
  return !batch.simulated && !isMidway && (isSwitched || settings.current().ORDER_SIMULATION_ENABLED);
}

function readinessOf({ found, soundness }: RetryParts): Readiness {
  return { reconciled: true, ...found(), ...soundness() };
}

/** A retry of a batch that was signed off needs no second sign-off. */
function wantedFor({ batch }: BatchState, quoted: readonly LiveQuote[]): Wanted {
  const { id, opportunityId, retriedByHand, retriedBy: userId, retryRequestedAt: at, signedOff } = batch;
  const isAsked = retriedByHand && userId !== null && at !== null && signedOff === null;
  return {
    ...{ practice: batch.simulated, opportunityId, tokenIds: tokensOf(quoted), ownBatchId: id },
    askedBy: isAsked ? { userId, at, exceptBatchId: id } : null,
  };
}

type Retry = { state: BatchState; opportunity: StoredOpportunity; quoted: readonly LiveQuote[] };
type Judged = { kind: 'buy'; plan: PlacementPlan } | { kind: 'refused'; reasons: string[] };

function judge(parts: RetryParts, { state, opportunity, quoted }: Retry, inputs: PlacingInputs): Judged {
  const { batch } = state;
  const { settings } = batch;
  if (isOnlySimulated(parts, state, inputs.isSwitched)) return { kind: 'refused', reasons: [ONLY_SIMULATED] };
  const left = leftOf(quoted, inputs.taken);
  const remainder = remainderOf(state, left);
  if (remainder.kind === 'refused') return { kind: 'refused', reasons: [`${remainder.reason}.`] };
  const { plan, quotes: missing, completes } = remainder;
  const { readiness, ...holdings } = inputs.account;
  const { blockers, unsigned } = assess({
    opportunity: { ...opportunity, targetPrice: batch.targetPrice },
    ...{ quotes: missing, size: null, quotedPrice: null, activeBatchId: null },
    retry: {
      plan,
      completes,
      minProfit: fractionFromNumber(settings.MIN_PROFIT_RETRY_THRESHOLD),
      mayLose: batch.finishUpTo !== null,
    },
    automatic: isDecidedAlone(state),
    settings: { ...deskSettings(settings), practice: batch.simulated },
    now: parts.runtime.clock.now(),
    ...besideOwn(parts, state, holdings),
    readiness: { ...readiness, signOffAbove: signOffAboveOf(readiness.signOffAbove ?? null, batch.signedOff) },
    askedLately: inputs.askedLately,
  });
  // A retry by hand was signed off before; a higher cost since then needs a sign-off again.
  const reasons = [
    ...sentences([...blockers, ...unsigned]),
    ...dearerThanUnwinding(state, left),
    ...beyondConfirmed(state, plan),
  ];
  return reasons.length > 0 ? { kind: 'refused', reasons } : { kind: 'buy', plan };
}

/** A set is finished for no more than a person has confirmed: a sentence. */
function beyondConfirmed({ batch: { finishUpTo } }: BatchState, { totalReserve }: PlacementPlan): string[] {
  if (finishUpTo === null || totalReserve <= finishUpTo) return [];
  return [
    `Finishing the set takes up to ${formatUsd(totalReserve)} now, and up to ${formatUsd(finishUpTo)} was confirmed.`,
  ];
}

/** Refuses to complete sets where selling the held shares loses less: a sentence. */
function dearerThanUnwinding(state: BatchState, quoted: readonly LiveQuote[]): string[] {
  if (state.batch.unhedged === null) return [];
  const { finish, unwindCost } = waysOutAt(state, quoted);
  const refusal = finishRefusal(finish, unwindCost);
  return refusal === null ? [] : [`${refusal}.`];
}

/** What a batch lacks, at these prices of its positions. */
function remainderOf(state: BatchState, quoted: readonly LiveQuote[]) {
  const { targetPrice, finishUpTo } = state.batch;
  const orders = remainderOrders(state, quoted);
  if (finishUpTo === null) return planRemainder(orders, targetPrice);
  const finish = planFinish(orders, targetPrice);
  return finish.kind === 'refused' ? finish : { ...finish, completes: true };
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

/** Dollars that the batch's earlier attempts have spent, by order. */
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

/** Adds the batch's own spending to the holdings: a retry buys on top of it, and all earlier attempts have ended. */
function besideOwn({ runtime }: RetryParts, state: BatchState, holdings: Holdings): Holdings {
  const before = spentBefore(state);
  // Practice counts its spending by fills, those of this batch too.
  if (state.batch.simulated) return { ...holdings, spentBefore: before };
  const since = startOfUtcDay(runtime.clock.now());
  const withOwn = (venue: VenueName, { placedToday, openExposure, ...account }: AccountState): AccountState => ({
    ...account,
    placedToday: addUsd(placedToday, spentSince(state, venue, since)),
    openExposure: before
      .filter(({ tokenId }) => venueOf(tokenId) === venue)
      .reduce((sum, { spent }) => addUsd(sum, spent), openExposure),
  });
  const accounts = new Map([...holdings.accounts].map(([venue, account]) => [venue, withOwn(venue, account)]));
  return { ...holdings, accounts, spentBefore: before };
}

/** Dollars that buy attempts sent to a venue since then have taken. */
function spentSince(state: BatchState, venue: VenueName, since: Instant): Usd {
  return state.attempts
    .filter(({ orderId, sentAt }) => {
      const { side, tokenId } = orderOf(state, orderId);
      return side === 'buy' && venueOf(tokenId) === venue && sentAt !== null && sentAt >= since;
    })
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
