/**
 * The steps of the batch runner: each talks to the venue at most once and then writes what it
 * learned. A step that dies anywhere is taken up by the next owner of the batch from what is committed.
 */

import type { Market } from '@dutchbook/engine/market/market.ts';
import { mayPostAgain, updateOfLookup } from '@dutchbook/engine/order/absence.ts';
import { isDecisionOld, mayPost } from '@dutchbook/engine/order/age.ts';
import { firstSentAt } from '@dutchbook/engine/order/attempt.ts';
import type { AttemptUpdate } from '@dutchbook/engine/order/attempt-update.ts';
import { wasAccepted } from '@dutchbook/engine/order/life.ts';
import { updateOfCopy, updateOfPost } from '@dutchbook/engine/order/post-outcome.ts';
import type { MarketId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { PostOutcome, SignedOrder, VenueTrading } from '@dutchbook/venues/venue.ts';
import type { Quotes } from '../../../market/markets/live-quotes.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import {
  type AttemptRecord,
  type BatchState,
  isBuying,
  type OrderRecord,
  orderOf,
  standingAttempts,
} from '../../orders/batch-state.ts';
import type { RoutedTrading } from '../../venue-desk/routed-trading.ts';
import { type JudgeAgain, RefusedMeanwhile } from '../placing/retry.ts';
import type { Lease } from './batch-lease.ts';
import {
  commitAttempts,
  markSent,
  markSentAgain,
  mayStillLeave,
  recordAttemptUpdates,
  recordUnanswered,
  refuseUnsent,
  type SignedAttempt,
} from './batch-writes.ts';
import { bookPricesNow } from './book-prices.ts';
import { attemptsById, readAll } from './read-attempts.ts';
import type { Judged } from './reassess.ts';
import type { VenueLanes } from './venue-lanes.ts';
import { callsOfBatch, mayLeave } from './venue-pace.ts';

/** The outcome of a post that is not answered for this long is shown as unknown. */
const UNANSWERED_AFTER_MS = 900;

const DISARMED = 'Not sent: Trading is disarmed.';

export type StepTools = {
  runtime: Runtime;
  trading: RoutedTrading;
  quotes: Pick<Quotes, 'current'>;
  /** Whether buys may leave for the venues of these orders; sales, reads and cancels are done either way. */
  armed: (orders: readonly { tokenId: string }[]) => boolean;
  /** Whether buys of this batch may leave: not while its end, asked for here, is not stored yet. */
  mayBuy: (batchId: string, orders: readonly { tokenId: string }[]) => boolean;
  /** The markets of these ids, by id; a market that is not known is absent. */
  marketsById: (ids: readonly MarketId[]) => Promise<ReadonlyMap<MarketId, Market>>;
  /** Whether what was decided about this batch a while ago may be sent now. */
  judge: (state: BatchState) => Promise<Judged>;
  /** Whether the venue's stream has reported the cancellation of an attempt. */
  reportedGone: (attemptId: string) => boolean;
  /** Whether an unreadable trade is notified for the first time. */
  isFirstUnreadable: (tradeId: string) => boolean;
  lanes: VenueLanes;
  /** Publishes what the batch looks like now. */
  publish: (batchId: string) => Promise<void>;
};

export type Step = (tools: StepTools, lease: Lease, state: BatchState, ids: readonly string[]) => Promise<BatchState>;

/** The terms to sign for an order: its own, or those of a retry. `spends`: as in the planned order. */
export type Terms = { orderId: string; size: Shares; price: Price; spends?: Usd | null };

export type ToSign = Terms &
  Pick<OrderRecord, 'leg' | 'marketId' | 'outcome' | 'tokenId' | 'side'> & {
    /** True for a sale that rests in the book; absent otherwise. */
    waits?: boolean | undefined;
    waitsUntil?: Instant | null | undefined;
    /** Size of the whole order, of which `size` is signed. */
    orderSize: Shares;
  };

type Signing = { orderIds: readonly string[]; decidedAt: Instant };

/**
 * Signs orders and commits them as attempts, unless what was decided at `decidedAt` does not hold any more. All of a buy or nothing of
 * it; of a sale those of each venue by themselves.
 */
export async function signOrders(
  tools: StepTools,
  lease: Lease,
  state: BatchState,
  { orderIds, decidedAt }: Signing,
): Promise<BatchState> {
  if (isBuying(state)) return await signTogether(tools, lease, state, { orderIds, decidedAt });
  return await tools.lanes.each(
    orderIds,
    (id) => orderOf(state, id).tokenId,
    (some) => signTogether(tools, lease, state, { orderIds: some, decidedAt }),
  );
}

async function signTogether(
  tools: StepTools,
  lease: Lease,
  state: BatchState,
  { orderIds, decidedAt }: Signing,
): Promise<BatchState> {
  const { refused } = await judgedNow(tools, state, decidedAt);
  if (refused !== null) return await refuseUnsent(tools.runtime, lease, orderIds, refused);
  const terms = orderIds.map((id) => orderOf(state, id)).map(({ id, size, price }) => ({ orderId: id, size, price }));
  const signed = await signTerms(tools, state, terms);
  if (typeof signed === 'string') return await refuseUnsent(tools.runtime, lease, orderIds, signed);
  const committed = await commitAttempts(tools.runtime, lease, signed);
  tools.runtime.pass('attempts_committed');
  return committed;
}

/** The signed orders, or why they are not sent. */
export async function signTerms(
  tools: StepTools,
  state: BatchState,
  terms: readonly Terms[],
): Promise<SignedAttempt[] | string> {
  const orders = terms.map(({ orderId }) => orderOf(state, orderId));
  const markets = await tools.marketsById([...new Set(orders.map(({ marketId }) => marketId))]);
  const missing = orders.find(({ marketId }) => !markets.has(marketId));
  if (missing) return `Not sent: the venue does not know "${missing.marketName}" any more.`;
  const { trading, quotes } = tools;
  const signed = await signAll({ signOrder: trading.signOrder, quotes }, toSign(state, terms), markets);
  if (typeof signed !== 'string') tools.runtime.pass('orders_signed');
  return signed;
}

export const sendAttempts: Step = async (tools, lease, before, attemptIds) => {
  const { runtime } = tools;
  const attempts = attemptsById(before, attemptIds);
  const decidedAt = Math.min(...attempts.map(({ createdAt }) => createdAt)) as Instant;
  const state = await withFillsOfOthers(tools, lease, before, decidedAt);
  const { refused, judgeAgain } = await judgedNow(tools, state, decidedAt);
  const orderIds = attempts.map(({ orderId }) => orderId);
  if (refused !== null) return await refuseUnsent(runtime, lease, orderIds, refused);
  const calls = callsOfBatch(state, attemptIds, isBuying(state) ? 'buy' : 'sell');
  if (!mayLeave(tools.trading, calls, runtime.clock)) return state;
  let marked: BatchState;
  try {
    marked = await markSent(runtime, lease, attemptIds, judgeAgain);
  } catch (error) {
    if (!(error instanceof RefusedMeanwhile)) throw error;
    return await refuseUnsent(runtime, lease, orderIds, notSent(error.reasons));
  }
  runtime.pass('marked_sent');
  const sent = attemptsById(marked, attemptIds).filter(({ status }) => status === 'sent');
  return await postUnlessStopped(tools, lease, marked, sent);
};

/** Posts what was just marked as sent. */
export async function postUnlessStopped(
  tools: StepTools,
  lease: Lease,
  marked: BatchState,
  sent: readonly AttemptRecord[],
): Promise<BatchState> {
  if (sent.length === 0) return marked;
  // This process holds the lease and posted nothing: it is known that nothing left.
  const refused =
    isBuying(marked) && !tools.mayBuy(lease.batchId, marked.orders) ? sent : haltedSales(tools, marked, sent);
  const recorded =
    refused.length === 0 ? marked : await recordAttemptUpdates(tools.runtime, lease, refused.map(neverSent));
  const leaving = sent.filter((attempt) => !refused.includes(attempt));
  return leaving.length === 0 ? recorded : await postMarked(tools, lease, leaving);
}

/** Attempts of sales that would rest in the book: none does while trading is disarmed. */
function haltedSales({ armed }: StepTools, state: BatchState, sent: readonly AttemptRecord[]): AttemptRecord[] {
  return sent.filter(({ orderId }) => {
    const order = orderOf(state, orderId);
    return order.waits && !armed([order]);
  });
}

/** Whether what has waited still pays depends on what was bought beside it meanwhile. */
async function withFillsOfOthers(
  tools: StepTools,
  lease: Lease,
  state: BatchState,
  decidedAt: Instant,
): Promise<BatchState> {
  if (!isBuying(state) || !isDecisionOld(decidedAt, tools.runtime.clock.now())) return state;
  const accepted = standingAttempts(state).filter(({ status }) => wasAccepted(status));
  if (accepted.length === 0) return state;
  return await readAll(
    tools,
    lease,
    state,
    accepted.map(({ id }) => id),
    new Map(),
  );
}

/** Posts what this process has just marked as sent; what it marked too long ago has still to be sent. */
export async function postMarked(tools: StepTools, lease: Lease, sent: readonly AttemptRecord[]): Promise<BatchState> {
  const markedAt = Math.min(...sent.map(firstSentAt)) as Instant;
  return mayPost({ leaseExpiresAt: lease.expiresAt, markedAt }, tools.runtime.clock.now())
    ? await tools.lanes.each(sent, hashOf, (some) =>
        post(tools, lease, some, updateOfFirstPost(tools.runtime.clock.now())),
      )
    : await recordAttemptUpdates(tools.runtime, lease, sent.map(notSentYet));
}

/**
 * Asks the venue about attempts whose outcome is unknown. What it says it does not have is posted again, byte for byte,
 * for a while, and not of a batch whose end was asked for.
 */
export const resolveAttempts: Step = (tools, lease, state, attemptIds) =>
  tools.lanes.each(attemptsById(state, attemptIds), hashOf, (some) => resolve(tools, lease, state, idsOf(some)));

const resolve: Step = async (tools, lease, state, attemptIds) => {
  const now = tools.runtime.clock.now();
  const attempts = attemptsById(state, attemptIds);
  const lookups = await Promise.all(
    attempts.map(({ orderHash, orderId }) => tools.trading.lookupOrder(orderHash, orderOf(state, orderId).marketId)),
  );
  const known = await recordAttemptUpdates(
    tools.runtime,
    lease,
    attempts.map((attempt, index) => updateOfLookup(attempt, lookups[index], now)),
  );
  // Read the clock after the lookups, which may take long: how late a copy can arrive depends on it.
  const markedAt = tools.runtime.clock.now();
  const again = attempts.filter((attempt, index) => mayPostAgain(attempt, lookups[index], markedAt));
  if (again.length === 0) return known;
  const marked = await markSentAgain(tools.runtime, lease);
  const isWanted =
    !isBuying(marked) || (tools.mayBuy(lease.batchId, state.orders) && marked.batch.cancelRequestedAt === null);
  const calls = callsOfBatch(marked, attemptIds, isBuying(marked) ? 'buy' : 'sell');
  if (!isWanted || !mayLeave(tools.trading, calls, tools.runtime.clock)) return marked;
  if (!mayPost({ leaseExpiresAt: lease.expiresAt, markedAt }, tools.runtime.clock.now())) return marked;
  const halted = haltedSales(tools, marked, again);
  const wanted = again.filter((attempt) => mayStillLeave(marked, attempt) && !halted.includes(attempt));
  return wanted.length === 0 ? marked : await post(tools, lease, wanted, updateOfCopy);
};

export const readAttempts: Step = (tools, lease, state, attemptIds) =>
  tools.lanes.each(attemptsById(state, attemptIds), hashOf, (some) =>
    readAll(tools, lease, state, idsOf(some), new Map()),
  );

export const cancelAttempts: Step = (tools, lease, state, attemptIds) =>
  tools.lanes.each(attemptsById(state, attemptIds), hashOf, (some) => cancel(tools, lease, state, idsOf(some)));

const cancel: Step = async (tools, lease, state, attemptIds) => {
  const calls = callsOfBatch(state, attemptIds, 'cancel');
  if (!mayLeave(tools.trading, calls, tools.runtime.clock))
    return await readAll(tools, lease, state, attemptIds, new Map());
  const outcomes = await tools.trading.cancelOrders(attemptsById(state, attemptIds).map(({ orderHash }) => orderHash));
  tools.runtime.pass('cancels_answered');
  const kinds = new Map(outcomes.map(({ orderHash, kind }) => [orderHash, kind]));
  return await readAll(tools, lease, state, attemptIds, kinds);
};

function toSign(state: BatchState, terms: readonly Terms[]): ToSign[] {
  return terms.map((each) => {
    const { leg, marketId, outcome, tokenId, side, size, waits, waitsUntil } = orderOf(state, each.orderId);
    return { ...each, leg, marketId, outcome, tokenId, side, orderSize: size, waits, waitsUntil };
  });
}

/**
 * The signed orders, or why one of them is nothing the venue could ever take. What a sale that does not wait, or a buy that is too small to
 * rest, does not fill at once is dropped.
 */
export async function signAll(
  { signOrder, quotes }: Pick<VenueTrading, 'signOrder'> & Pick<StepTools, 'quotes'>,
  orders: readonly ToSign[],
  markets: ReadonlyMap<MarketId, Market>,
): Promise<SignedAttempt[] | string> {
  try {
    const signed = orders.map(async (order) => {
      const { orderId, marketId, tokenId, side, size, price, spends = null } = order;
      const market = markets.get(marketId) as Market;
      const { waits = false, waitsUntil = null } = order;
      const remainder = waits || (side === 'buy' && spends === null) ? 'rest' : 'kill';
      const waiting = waits ? { postOnly: true, ...(waitsUntil !== null && { expiresAt: waitsUntil }) } : {};
      const signed = await signOrder({ tokenId, market, side, price, size, spends, remainder, ...waiting });
      return {
        orderId,
        signed,
        size: signed.size,
        price,
        feeRate: market.feeSchedule?.rate ?? null,
        ...bookPricesNow(quotes, order),
      };
    });
    return await Promise.all(signed);
  } catch (error) {
    return `Not sent: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** Sends signed orders in one call and writes what the venue answered. Without a clear answer their outcome is unknown. */
async function post(
  { runtime, trading, publish }: StepTools,
  lease: Lease,
  attempts: readonly (AttemptRecord & SignedOrder)[],
  updateOf: (attempt: AttemptRecord, outcome: PostOutcome | undefined) => AttemptUpdate,
): Promise<BatchState> {
  const ids = idsOf(attempts);
  let noting = Promise.resolve();
  const stopWaiting = runtime.timers.after(UNANSWERED_AFTER_MS, () => {
    noting = recordUnanswered(runtime, lease, ids).then(
      () => publish(lease.batchId),
      (error: unknown) => runtime.log.warn({ err: error, batchId: lease.batchId }, 'unanswered post not recorded'),
    );
  });
  const outcomes = await trading.postOrders(attempts);
  stopWaiting();
  await noting;
  runtime.pass('venue_answered');
  const recorded = await recordAttemptUpdates(
    runtime,
    lease,
    attempts.map((attempt, index) => updateOf(attempt, outcomes[index])),
  );
  runtime.pass('outcomes_recorded');
  return recorded;
}

export function neverSent({ id }: AttemptRecord): AttemptUpdate {
  return { attemptId: id, event: 'failed', reason: DISARMED };
}

function updateOfFirstPost(postedAt: Instant): typeof updateOfPost {
  return (attempt, outcome) => ({ ...updateOfPost(attempt, outcome), postedAt });
}

/** Nothing of it has left, and it is marked again before anything does. */
function notSentYet({ id }: AttemptRecord): AttemptUpdate {
  return { attemptId: id, rateLimited: true, reason: null };
}

/**
 * `refused`: why nothing may be signed or sent any more: trading was disarmed, or a decision that has waited does not hold. `judgeAgain`:
 * of a batch that takes its dollars again.
 */
async function judgedNow(
  { runtime, armed, judge }: StepTools,
  state: BatchState,
  decidedAt: Instant,
): Promise<{ refused: string | null; judgeAgain?: JudgeAgain }> {
  if (isBuying(state) && !armed(state.orders)) return { refused: DISARMED };
  const isReleased = state.batch.releasedAt !== null;
  if (!isReleased && !isDecisionOld(decidedAt, runtime.clock.now())) return { refused: null };
  const { reasons, judgeAgain } = await judge(state);
  if (isReleased) runtime.pass('release_judged');
  if (reasons.length > 0) return { refused: notSent(reasons) };
  return { refused: null, ...(isReleased && { judgeAgain }) };
}

function notSent(reasons: readonly string[]): string {
  return `Not sent: ${reasons.join(' ')}`;
}

function hashOf({ orderHash }: { orderHash: string }): string {
  return orderHash;
}

function idsOf(attempts: readonly AttemptRecord[]): string[] {
  return attempts.map(({ id }) => id);
}
