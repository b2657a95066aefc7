/**
 * What the placing loop does once `nextStep` has decided: each step talks to the venue at most once and then writes what
 * it learned. A step that dies anywhere is taken up by the next owner of the batch from what is committed.
 */
import { settleBatchStatus } from '@dutchbook/engine/batch/life.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { collapseFills, type Fill } from '@dutchbook/engine/order/fill.ts';
import { type AttemptEvent, filledSize } from '@dutchbook/engine/order/life.ts';
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import {
  type OrderLookup,
  type PostOutcome,
  type SignedOrder,
  type VenueFill,
  type VenueOrderStatus,
  type VenueTrading,
  VenueUnavailable,
} from '@dutchbook/venues/venue.ts';
import type { World } from '../../world/world.ts';
import { type AttemptRecord, type BatchState, type OrderRecord, orderFacts } from './batch-state.ts';
import { type AttemptNews, commitAttempts, finishBatch, markSent, recordNews, refuseUnsent } from './batch-writes.ts';
import type { Lease } from './lease.ts';

/** Time kept in hand before a lease ends: a post that could leave after that is not begun. */
const LEASE_MARGIN_MS = 1000;
/** What was decided longer ago than this is judged again before anything leaves. */
const DECISION_AGE_MAX_MS = 1000;
/** An order that the venue does not have is posted again for this long; later its price is nobody's decision any more. */
const POST_AGAIN_FOR_MS = 60_000;
/** A venue can be this slow to show an order that it was sent: only then its absence proves that it never arrived. */
const ARRIVAL_MAX_MS = 120_000;

const DISARMED = 'Not sent: Trading is disarmed.';

export type StepTools = {
  world: World;
  trading: VenueTrading;
  /** Whether orders may leave at all; what is at the venue already is read and canceled either way. */
  armed: () => boolean;
  /** The markets of these ids, by id; a market that is not known is absent. */
  marketsById: (ids: readonly string[]) => Promise<ReadonlyMap<string, Market>>;
  /** Why the orders of this batch may not be sent now; empty when they may. */
  refusals: (state: BatchState) => Promise<string[]>;
};

type Step = (tools: StepTools, lease: Lease, state: BatchState, ids: readonly string[]) => Promise<BatchState>;

export const signOrders: Step = async (tools, lease, state, orderIds) => {
  const { world, trading } = tools;
  const refused = await refusedNow(tools, state, state.batch.createdAt);
  if (refused !== null) return await refuseUnsent(world, lease, refused);
  const orders = state.orders.filter(({ id }) => orderIds.includes(id));
  const markets = await tools.marketsById([...new Set(orders.map(({ marketId }) => marketId))]);
  const missing = orders.find(({ marketId }) => !markets.has(marketId));
  if (missing)
    return await refuseUnsent(world, lease, `Not sent: the venue does not know "${missing.marketName}" any more.`);

  const signed = await signAll(trading, orders, markets);
  if (typeof signed === 'string') return await refuseUnsent(world, lease, signed);
  world.pass('orders_signed');
  const committed = await commitAttempts(world, lease, signed);
  world.pass('attempts_committed');
  return committed;
};

export const sendAttempts: Step = async (tools, lease, state, attemptIds) => {
  const { world } = tools;
  const attempts = attemptsById(state, attemptIds);
  const refused = await refusedNow(tools, state, Math.min(...attempts.map(({ createdAt }) => createdAt)));
  if (refused !== null) return await refuseUnsent(world, lease, refused);
  const sent = await markSent(world, lease, attemptIds);
  world.pass('marked_sent');
  // Nobody else holds the lease and nothing was posted here: that none of it left is known.
  if (!tools.armed()) return await recordNews(world, lease, attempts.map(neverSent));
  return await post(tools, lease, sent, attempts, newsOfPost);
};

/**
 * Asks the venue about attempts whose outcome is unknown. What it says it does not have is posted again, byte for byte,
 * for a while and not while disarmed; a refusal of such a copy proves nothing about the one before it, which may still be on its way.
 */
export const resolveAttempts: Step = async (tools, lease, state, attemptIds) => {
  const now = tools.world.clock.now();
  const attempts = attemptsById(state, attemptIds);
  const lookups = await Promise.all(
    attempts.map(({ orderHash, orderId }) =>
      tools.trading.lookupOrder(orderHash, state.orders.find(({ id }) => id === orderId)?.marketId),
    ),
  );
  const known = await recordNews(
    tools.world,
    lease,
    attempts.flatMap((attempt, index) => newsOfLookup(attempt, lookups[index], now)),
  );
  const again = attempts.filter(
    (attempt, index) => lookups[index]?.kind === 'absent' && now - firstSentAt(attempt) < POST_AGAIN_FOR_MS,
  );
  return again.length === 0 || !tools.armed() ? known : await post(tools, lease, known, again, newsOfCopy);
};

export const readAttempts: Step = (tools, lease, state, attemptIds) =>
  readAll(tools, lease, state, attemptIds, { wereCanceled: false });

export const cancelAttempts: Step = async (tools, lease, state, attemptIds) => {
  await tools.trading.cancelOrders(attemptsById(state, attemptIds).map(({ orderHash }) => orderHash));
  return await readAll(tools, lease, state, attemptIds, { wereCanceled: true });
};

async function readAll(
  tools: StepTools,
  lease: Lease,
  state: BatchState,
  attemptIds: readonly string[],
  { wereCanceled }: { wereCanceled: boolean },
): Promise<BatchState> {
  const { world } = tools;
  const news = await Promise.all(
    attemptsById(state, attemptIds).map((attempt) => readAttempt(tools, state, attempt, wereCanceled)),
  );
  world.pass('fills_read');
  const recorded = await recordNews(
    world,
    lease,
    news.filter((item) => item !== null),
  );
  world.pass('fills_recorded');
  return recorded;
}

export const settleBatch: Step = async ({ world }, lease, state) => {
  const minSuccess = fractionFromNumber(state.batch.settings.BATCH_MIN_SUCCESS_RATE);
  const attempted = state.orders.filter(({ id }) => state.attempts.some(({ orderId }) => orderId === id));
  const status =
    attempted.length === state.orders.length
      ? settleBatchStatus(
          state.orders.map((order) => orderFacts(state, order)),
          minSuccess,
        )
      : 'failed';
  if (status === null) throw new Error(`batch ${state.batch.id} is settled before every order is final`);
  const settled = await finishBatch(world, lease, status, status === 'completed' ? null : firstReason(state));
  world.pass('batch_settled');
  return settled;
};

/** The signed orders by order id, or why one of them is nothing the venue could ever take. */
async function signAll(
  trading: VenueTrading,
  orders: readonly OrderRecord[],
  markets: ReadonlyMap<string, Market>,
): Promise<Map<string, SignedOrder> | string> {
  try {
    const signed = orders.map(async ({ id, marketId, tokenId, side, price, size }) => {
      const market = markets.get(marketId) as Market;
      return [id, await trading.signOrder({ tokenId, market, side, price, size, remainder: 'rest' })] as const;
    });
    return new Map(await Promise.all(signed));
  } catch (error) {
    return `Not sent: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** Sends signed orders in one call and writes what the venue answered. Attempts without a clear answer stay sent. */
async function post(
  { world, trading }: StepTools,
  lease: Lease,
  state: BatchState,
  attempts: readonly AttemptRecord[],
  newsOf: (attempt: AttemptRecord, outcome: PostOutcome | undefined) => AttemptNews,
): Promise<BatchState> {
  if (world.clock.now() > lease.expiresAt - LEASE_MARGIN_MS) return state;
  const outcomes = await trading.postOrders(attempts);
  world.pass('venue_answered');
  const recorded = await recordNews(
    world,
    lease,
    attempts.map((attempt, index) => newsOf(attempt, outcomes[index])),
  );
  world.pass('outcomes_recorded');
  return recorded;
}

function newsOfPost(attempt: AttemptRecord, outcome: PostOutcome | undefined): AttemptNews {
  if (outcome === undefined) return { attemptId: attempt.id, reason: 'the venue did not answer for this order' };
  if (outcome.kind === 'refused') return { attemptId: attempt.id, event: 'refused', reason: outcome.reason };
  if (outcome.kind === 'unknown')
    return { attemptId: attempt.id, reason: `Outcome unknown, asking: ${outcome.reason}` };
  return { attemptId: attempt.id, event: outcome.status === 'delayed' ? 'delayed' : 'open', reason: null };
}

function neverSent({ id }: AttemptRecord): AttemptNews {
  return { attemptId: id, event: 'failed', reason: DISARMED };
}

function newsOfCopy(attempt: AttemptRecord, outcome: PostOutcome | undefined): AttemptNews {
  if (outcome?.kind !== 'refused') return newsOfPost(attempt, outcome);
  return { attemptId: attempt.id, reason: `Outcome unknown, asking: a copy was refused: ${outcome.reason}` };
}

function newsOfLookup(attempt: AttemptRecord, lookup: OrderLookup | undefined, now: Instant): AttemptNews[] {
  if (lookup?.kind === 'absent' && now - firstSentAt(attempt) >= ARRIVAL_MAX_MS) {
    const reason = `It never reached the venue. ${attempt.reason ?? ''}`.trim();
    return [{ attemptId: attempt.id, event: 'failed', reason }];
  }
  if (lookup?.kind !== 'found') return [];
  const event = lookup.order.status === 'delayed' ? 'delayed' : 'open';
  return [{ attemptId: attempt.id, event, reason: null }];
}

function firstSentAt({ sentAt, createdAt }: AttemptRecord): Instant {
  return sentAt ?? createdAt;
}

/** Order first, then trades: the trades are then at least as new as the matched size they must add up to. */
async function readAttempt(
  { trading, world }: StepTools,
  state: BatchState,
  attempt: AttemptRecord,
  wasCanceled: boolean,
): Promise<AttemptNews | null> {
  const order = state.orders.find(({ id }) => id === attempt.orderId);
  if (!order) throw new Error(`attempt ${attempt.id} belongs to no order of its batch`);
  try {
    const lookup = await trading.lookupOrder(attempt.orderHash, order.marketId);
    const fills = (await trading.fillsOfOrder(attempt.orderHash, order.marketId)).map((fill) => fillOf(attempt, fill));
    return { attemptId: attempt.id, fills, ...standingOf(attempt, lookup, fills, wasCanceled) };
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    world.log.warn({ orderHash: attempt.orderHash, reason: error.message }, 'an order could not be read');
    return null;
  }
}

/**
 * A venue forgets orders that are done, and then shows only their trades. Such an order ends when its trades, also those
 * that failed to settle, add up to it, or when it was canceled beforehand; until then more trades of it may turn up.
 */
function standingOf(
  attempt: AttemptRecord,
  lookup: OrderLookup,
  fills: readonly Fill[],
  wasCanceled: boolean,
): Pick<AttemptNews, 'event' | 'matchedSize'> {
  const filled = filledSize(fills);
  const told = lookup.kind === 'found' ? lookup.order.matchedSize : SHARES_ZERO;
  const matchedSize = Math.max(told, filled) as Shares;
  if (filled >= attempt.size) return { event: 'matched', matchedSize };
  if (lookup.kind === 'unknown') return {};
  if (lookup.kind === 'found' && lookup.order.status !== 'matched')
    return { event: EVENT_OF_STATUS[lookup.order.status], matchedSize };
  const traded = collapseFills(fills).reduce((sum, { size }) => addShares(sum, size), SHARES_ZERO);
  if (Math.max(told, traded) >= attempt.size) return { event: 'matched', matchedSize: attempt.size };
  if (wasCanceled) return { event: 'canceled', matchedSize };
  return lookup.kind === 'found' ? { event: 'open', matchedSize } : {};
}

const EVENT_OF_STATUS: Record<Exclude<VenueOrderStatus, 'matched'>, AttemptEvent> = {
  open: 'open',
  delayed: 'delayed',
  canceled: 'canceled',
  invalid: 'canceled',
};

function fillOf(attempt: AttemptRecord, { tradeId, orderHash, price, size, fee, settlement, matchedAt }: VenueFill) {
  return { attemptId: attempt.id, tradeId, orderHash, price, size, fee, settlement, matchedAt };
}

/** Why nothing may be signed or sent any more: trading was disarmed, or a decision that has waited does not hold. */
async function refusedNow(
  { world, armed, refusals }: StepTools,
  state: BatchState,
  decidedAt: number,
): Promise<string | null> {
  if (!armed()) return DISARMED;
  if (world.clock.now() - decidedAt < DECISION_AGE_MAX_MS) return null;
  const reasons = await refusals(state);
  return reasons.length === 0 ? null : `Not sent: ${reasons.join(' ')}`;
}

function attemptsById(state: BatchState, ids: readonly string[]): AttemptRecord[] {
  return state.attempts.filter(({ id }) => ids.includes(id));
}

function firstReason(state: BatchState): string | null {
  return state.batch.lastError ?? state.attempts.find(({ reason }) => reason !== null)?.reason ?? null;
}
