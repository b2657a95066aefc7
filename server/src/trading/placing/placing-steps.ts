/**
 * What the placing loop does once it is decided: each step talks to the venue at most once and then writes what it
 * learned. A step that dies anywhere is taken up by the next owner of the batch from what is committed.
 */
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { TradingCall } from '@dutchbook/venues/pace.ts';
import {
  type CancelOutcome,
  type PostOutcome,
  type SignedOrder,
  type VenueTrading,
  VenueUnavailable,
} from '@dutchbook/venues/venue.ts';
import type { Db, World } from '../../world/world.ts';
import {
  type AttemptNews,
  firstSentAt,
  newsOfCopy,
  newsOfLookup,
  newsOfPost,
  POST_AGAIN_FOR_MS,
  reportedFill,
  standingOf,
} from './attempt-news.ts';
import { type AttemptRecord, type BatchState, isBuying, type OrderRecord, orderOf } from './batch-state.ts';
import { commitAttempts, markSent, noteSilence, recordNews, refuseUnsent, type SignedAttempt } from './batch-writes.ts';
import type { Lease } from './lease.ts';
import { callOf } from './turns.ts';

/** Time kept in hand before a lease ends: a post that could leave after that is not begun. */
const LEASE_MARGIN_MS = 1000;
/** What was decided longer ago than this is judged again before anything leaves. */
export const DECISION_AGE_MAX_MS = 1000;
/** A post that is not answered for this long is shown as in doubt. */
const SILENCE_MS = 900;

const DISARMED = 'Not sent: Trading is disarmed.';

export type StepTools = {
  world: World;
  trading: VenueTrading;
  /** Whether buys may leave at all; sales, reads and cancels are done either way. */
  armed: () => boolean;
  /** The markets of these ids, by id; a market that is not known is absent. */
  marketsById: (ids: readonly string[]) => Promise<ReadonlyMap<string, Market>>;
  /** Why what was decided about this batch a while ago may not be sent now, in sentences; empty when it may. */
  refusals: (state: BatchState) => Promise<string[]>;
  /** Tells whoever watches the batch what it looks like now. */
  publish: (batchId: string) => Promise<void>;
};

export type Step = (tools: StepTools, lease: Lease, state: BatchState, ids: readonly string[]) => Promise<BatchState>;

/** What is to be signed for an order: its own terms, or those of a retry. */
export type Terms = { orderId: string; size: Shares; price: Price };

export type ToSign = Terms & Pick<OrderRecord, 'marketId' | 'tokenId' | 'side'>;

/** Signs orders and commits them as attempts, unless what was decided at `decidedAt` does not hold any more. */
export async function signOrders(
  tools: StepTools,
  lease: Lease,
  state: BatchState,
  { orderIds, decidedAt }: { orderIds: readonly string[]; decidedAt: number },
): Promise<BatchState> {
  const refused = await refusedNow(tools, state, decidedAt);
  if (refused !== null) return await refuseUnsent(tools.world, lease, orderIds, refused);
  const terms = orderIds.map((id) => orderOf(state, id)).map(({ id, size, price }) => ({ orderId: id, size, price }));
  return await signAndCommit(tools, lease, state, terms);
}

/** @throws RefusedMeanwhile */
export async function signAndCommit(
  tools: StepTools,
  lease: Lease,
  state: BatchState,
  terms: readonly Terms[],
  refusedMeanwhile?: (tx: Db) => Promise<string[]>,
): Promise<BatchState> {
  const { world } = tools;
  const orderIds = terms.map(({ orderId }) => orderId);
  const orders = orderIds.map((id) => orderOf(state, id));
  const markets = await tools.marketsById([...new Set(orders.map(({ marketId }) => marketId))]);
  const missing = orders.find(({ marketId }) => !markets.has(marketId));
  if (missing) {
    const reason = `Not sent: the venue does not know "${missing.marketName}" any more.`;
    return await refuseUnsent(world, lease, orderIds, reason);
  }
  const signed = await signAll(tools.trading, toSign(state, terms), markets);
  if (typeof signed === 'string') return await refuseUnsent(world, lease, orderIds, signed);
  world.pass('orders_signed');
  const committed = await commitAttempts(world, lease, signed, refusedMeanwhile);
  world.pass('attempts_committed');
  return committed;
}

export const sendAttempts: Step = async (tools, lease, state, attemptIds) => {
  const { world } = tools;
  const attempts = attemptsById(state, attemptIds);
  const refused = await refusedNow(tools, state, Math.min(...attempts.map(({ createdAt }) => createdAt)));
  if (refused !== null) {
    const orderIds = attempts.map(({ orderId }) => orderId);
    return await refuseUnsent(world, lease, orderIds, refused);
  }
  const call = callOf(state, attemptIds, isBuying(state) ? 'buy' : 'sell');
  if (!mayLeave(tools, call)) return state;
  const marked = await markSent(world, lease, attemptIds);
  world.pass('marked_sent');
  const sent = attemptsById(marked, attemptIds).filter(({ status }) => status === 'sent');
  // Nobody else holds the lease and nothing was posted here: that none of it left is known.
  if (isBuying(state) && !tools.armed()) return await recordNews(world, lease, sent.map(neverSent));
  return sent.length === 0 ? marked : await post(tools, lease, marked, sent, newsOfPost);
};

/**
 * Asks the venue about attempts whose outcome is unknown. What it says it does not have is posted again, byte for byte,
 * for a while, and not of a batch whose end was asked for.
 */
export const resolveAttempts: Step = async (tools, lease, state, attemptIds) => {
  const now = tools.world.clock.now();
  const attempts = attemptsById(state, attemptIds);
  const lookups = await Promise.all(
    attempts.map(({ orderHash, orderId }) => tools.trading.lookupOrder(orderHash, orderOf(state, orderId).marketId)),
  );
  const known = await recordNews(
    tools.world,
    lease,
    attempts.map((attempt, index) => newsOfLookup(attempt, lookups[index], now)),
  );
  // By the clock of after the lookups, which may have taken long: how late a copy can arrive depends on it.
  const since = (tools.world.clock.now() - POST_AGAIN_FOR_MS) as Instant;
  const again = attempts.filter((attempt, index) => lookups[index]?.kind === 'absent' && firstSentAt(attempt) > since);
  const isWanted = !isBuying(known) || (tools.armed() && known.batch.cancelRequestedAt === null);
  if (again.length === 0 || !isWanted) return known;
  const call = callOf(known, attemptIds, isBuying(known) ? 'buy' : 'sell');
  return mayLeave(tools, call) ? await post(tools, lease, known, again, newsOfCopy) : known;
};

export const readAttempts: Step = (tools, lease, state, attemptIds) =>
  readAll(tools, lease, state, attemptIds, new Map());

export const cancelAttempts: Step = async (tools, lease, state, attemptIds) => {
  const call = callOf(state, attemptIds, 'cancel');
  if (!mayLeave(tools, call)) return await readAll(tools, lease, state, attemptIds, new Map());
  const outcomes = await tools.trading.cancelOrders(attemptsById(state, attemptIds).map(({ orderHash }) => orderHash));
  tools.world.pass('cancels_answered');
  const kinds = new Map(outcomes.map(({ orderHash, kind }) => [orderHash, kind]));
  return await readAll(tools, lease, state, attemptIds, kinds);
};

async function readAll(
  tools: StepTools,
  lease: Lease,
  state: BatchState,
  attemptIds: readonly string[],
  canceled: ReadonlyMap<string, CancelOutcome['kind']>,
): Promise<BatchState> {
  const { world } = tools;
  const news = await Promise.all(
    attemptsById(state, attemptIds).map((attempt) =>
      readAttempt(tools, state, attempt, canceled.get(attempt.orderHash) ?? null),
    ),
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

function toSign(state: BatchState, terms: readonly Terms[]): ToSign[] {
  return terms.map((each) => {
    const { marketId, tokenId, side } = orderOf(state, each.orderId);
    return { ...each, marketId, tokenId, side };
  });
}

/** The signed orders, or why one of them is nothing the venue could ever take. What a sale does not fill at once is dropped. */
export async function signAll(
  trading: VenueTrading,
  orders: readonly ToSign[],
  markets: ReadonlyMap<string, Market>,
): Promise<SignedAttempt[] | string> {
  try {
    const signed = orders.map(async ({ orderId, marketId, tokenId, side, size, price }) => {
      const market = markets.get(marketId) as Market;
      const remainder = side === 'buy' ? 'rest' : 'kill';
      return {
        orderId,
        signed: await trading.signOrder({ tokenId, market, side, price, size, remainder }),
        size,
        price,
      };
    });
    return await Promise.all(signed);
  } catch (error) {
    return `Not sent: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** Sends signed orders in one call and writes what the venue answered. Attempts without a clear answer stay sent. */
export async function post<Before extends BatchState | null>(
  { world, trading, publish }: StepTools,
  lease: Lease,
  before: Before,
  attempts: readonly (AttemptRecord & SignedOrder)[],
  newsOf: (attempt: AttemptRecord, outcome: PostOutcome | undefined) => AttemptNews,
): Promise<BatchState | Before> {
  if (world.clock.now() > lease.expiresAt - LEASE_MARGIN_MS) return before;
  const ids = attempts.map(({ id }) => id);
  let noting = Promise.resolve();
  const stopWaiting = world.timers.after(SILENCE_MS, () => {
    noting = noteSilence(world, lease, ids).then(
      () => publish(lease.batchId),
      (error: unknown) => world.log.warn({ err: error, batchId: lease.batchId }, 'a silence was not recorded'),
    );
  });
  const outcomes = await trading.postOrders(attempts);
  stopWaiting();
  await noting;
  world.pass('venue_answered');
  const recorded = await recordNews(
    world,
    lease,
    attempts.map((attempt, index) => newsOf(attempt, outcomes[index])),
  );
  world.pass('outcomes_recorded');
  return recorded;
}

export function neverSent({ id }: AttemptRecord): AttemptNews {
  return { attemptId: id, event: 'failed', reason: DISARMED };
}

/**
 * Order first, then trades: the trades are then at least as new as the matched size they must add up to. Of an order that
 * is matched only the trades can change, by how they settle.
 */
async function readAttempt(
  { trading, world }: StepTools,
  state: BatchState,
  attempt: AttemptRecord,
  canceled: CancelOutcome['kind'] | null,
): Promise<AttemptNews | null> {
  const { orderHash } = attempt;
  const { marketId } = orderOf(state, attempt.orderId);
  const readFills = async () =>
    (await trading.fillsOfOrder(orderHash, marketId)).map((fill) => reportedFill(attempt, fill));
  try {
    if (attempt.status === 'matched') return { attemptId: attempt.id, fills: await readFills() };
    const lookup = await trading.lookupOrder(orderHash, marketId);
    const fills = await readFills();
    const standing = standingOf(attempt, lookup, fills, { canceled, now: world.clock.now() });
    return { attemptId: attempt.id, fills, ...standing };
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    world.log.warn({ orderHash, reason: error.message }, 'an order could not be read');
    return null;
  }
}

/** Why nothing may be signed or sent any more: trading was disarmed, or a decision that has waited does not hold. */
async function refusedNow(
  { world, armed, refusals }: StepTools,
  state: BatchState,
  decidedAt: number,
): Promise<string | null> {
  if (isBuying(state) && !armed()) return DISARMED;
  if (world.clock.now() - decidedAt < DECISION_AGE_MAX_MS) return null;
  const reasons = await refusals(state);
  return reasons.length === 0 ? null : `Not sent: ${reasons.join(' ')}`;
}

/** Takes a call's turn if it has come. */
export function mayLeave({ trading, world }: Pick<StepTools, 'trading' | 'world'>, call: TradingCall): boolean {
  const now = world.clock.now();
  if (trading.pace.turnAt(call, now) > now) return false;
  trading.pace.leave(call, now);
  return true;
}

function attemptsById(state: BatchState, ids: readonly string[]): AttemptRecord[] {
  return state.attempts.filter(({ id }) => ids.includes(id));
}
