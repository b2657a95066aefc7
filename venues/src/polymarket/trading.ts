import type { OrderName } from '@dutchbook/units/ids.ts';
import type { Pace } from '../pace.ts';
import type { JsonApi } from '../transport.ts';
import {
  type CancelOutcome,
  type PostOutcome,
  type SignedOrder,
  type VenueRuntime,
  type VenueTrading,
  VenueUnavailable,
} from '../venue.ts';
import {
  cashBalance,
  fillsOfOrder,
  fillsSince,
  holding,
  lookupOrder,
  noteFailure,
  openOrders,
  type ReadingContext,
  refreshHoldings,
} from './account-reads.ts';
import type { Session, Sessions, TradingAccount } from './auth.ts';
import type { PolymarketCatalogue } from './catalogue.ts';
import type { PolymarketConfig } from './config.ts';
import { openPositions } from './data-api/positions.ts';
import { callFailure, type Secrets, unavailable } from './errors.ts';
import { bodyOf } from './placing/account-call.ts';
import { openHeartbeat } from './placing/heartbeat.ts';
import { callOrders, orderText } from './placing/order-call.ts';
import { ORDERS_PER_CALL, type Outgoing, outgoing, type PostVerdict, postOrders } from './placing.ts';
import { readPayload, signOrder } from './signing.ts';
import type { Ticks } from './ticks.ts';
import { cancelAnswer } from './wire.ts';

const CANCELS_PER_CALL = 1_000;

/** What trading is made of. */
export type TradingParts = {
  config: PolymarketConfig;
  runtime: VenueRuntime;
  account: TradingAccount;
  sessions: Sessions;
  catalogue: PolymarketCatalogue;
  ticks: Ticks;
  secrets: Secrets;
  pace: Pace;
  dataApi: JsonApi;
};

export function openTrading(parts: TradingParts): VenueTrading {
  const { config, sessions, catalogue, ticks, secrets } = parts;
  const session = (): Session => {
    const current = sessions.current();
    if (!current) throw new VenueUnavailable('the venue has not given us an API key yet');
    return current;
  };
  const onUnauthorized = (refused: Session) => sessions.renew(refused);
  const context: ReadingContext = {
    session,
    onUnauthorized,
    maker: parts.account.maker,
    signatureType: parts.account.signatureType,
    catalogue,
    secrets,
    log: parts.runtime.log,
    unreadable: new Set(),
  };
  const positions = openPositions({
    api: parts.dataApi,
    wallet: parts.account.maker,
    marketOf: (tokenId) => catalogue.marketOfToken(tokenId),
    secrets,
    log: parts.runtime.log,
  });
  return {
    pace: parts.pace,
    heartbeat: openHeartbeat(sessions, context),
    signOrder: async (request) => {
      const signed = signOrder(parts, request, {
        tick: ticks.of(request.tokenId) ?? request.market.tick,
        negRisk: request.market.negRisk,
        version: await catalogue.orderVersion(request.market.id),
        chainId: config.chainId,
      });
      makeReady(signed, sessions.current());
      return signed;
    },
    postOrders: (orders) => postAll(parts, context, orders),
    cancelOrders: (orderHashes) => cancelAll(sessions.current(), context, orderHashes),
    lookupOrder: (orderHash, marketId) => lookupOrder(context, orderHash, marketId),
    openOrders: () => openOrders(context),
    fillsOfOrder: (orderHash, marketId, feeRate) => fillsOfOrder(context, { orderHash, marketId, feeRate }),
    fillsSince: (since) => fillsSince(context, since),
    unreadableTrades: () => context.unreadable.size,
    cashBalance: () => cashBalance(context),
    holding: (tokenId, priority) => holding(context, tokenId, priority),
    refreshHoldings: (tokenIds) => refreshHoldings(context, tokenIds),
    positions: (priority = 'following') => positions(priority),
  };
}

/** What a post takes of an order that was just signed is done before it may leave, while nothing waits for it. */
function makeReady({ payload }: SignedOrder, session: Session | null): void {
  if (session !== null) orderText(readPayload(payload), session.credentials.key);
}

async function postAll(
  parts: TradingParts,
  context: ReadingContext,
  orders: readonly SignedOrder[],
): Promise<PostOutcome[]> {
  const session = parts.sessions.current();
  if (!session) return orders.map(() => ({ kind: 'rejected', reason: 'not sent: the venue gave no API key yet' }));
  const calls: Promise<PostOutcome[]>[] = [];
  for (let from = 0; from < orders.length; from += ORDERS_PER_CALL) {
    calls.push(postCall(session, context, orders.slice(from, from + ORDERS_PER_CALL)));
  }
  return (await Promise.all(calls)).flat();
}

async function postCall(
  session: Session,
  context: ReadingContext,
  orders: readonly SignedOrder[],
): Promise<PostOutcome[]> {
  const readable = orders.map(outgoing);
  const sent = readable.filter((order): order is Outgoing => order !== null);
  const verdicts =
    sent.length === 0
      ? []
      : await postOrders(
          (stored) => callOrders(session, stored),
          sent,
          context.secrets,
          (error) => noteFailure(context, session, error),
        );
  let next = 0;
  return Promise.all(
    readable.map((order): PostOutcome | Promise<PostOutcome> => {
      if (order === null) return { kind: 'rejected', reason: 'not sent: the stored order cannot be read' };
      const verdict = verdicts[next++] ?? { kind: 'unknown', reason: 'the venue did not answer for this order' };
      return completeVerdict(session, context, order, verdict);
    }),
  );
}

/** Completes a verdict: an order that exists is looked up, and the rest of one that must not rest is canceled. */
async function completeVerdict(
  session: Session,
  context: ReadingContext,
  order: Outgoing,
  verdict: PostVerdict,
): Promise<PostOutcome> {
  const outcome = verdict.kind === 'exists' ? await lookUpExisting(context, order) : verdict;
  if (outcome.kind !== 'accepted' || outcome.status !== 'open' || !order.stored.cancelRest) return outcome;
  const [canceled] = await cancelCall(session, context, [outcome.orderHash]);
  return canceled?.kind === 'canceled' ? { ...outcome, status: 'matched' } : outcome;
}

/** It has been accepted, whether the venue shows it or has forgotten it by now: what became of it, later readings prove. */
async function lookUpExisting(context: ReadingContext, { signed }: Outgoing): Promise<PostOutcome> {
  const lookup = await lookupOrder(context, signed.orderHash, undefined);
  if (lookup.kind !== 'found') return { kind: 'accepted', orderHash: signed.orderHash, status: 'open' };
  const { status } = lookup.order;
  const isDone = status === 'canceled' || status === 'invalid';
  return { kind: 'accepted', orderHash: signed.orderHash, status: isDone ? 'matched' : status };
}

async function cancelAll(
  session: Session | null,
  context: ReadingContext,
  orderHashes: readonly OrderName[],
): Promise<CancelOutcome[]> {
  const outcomes: CancelOutcome[] = [];
  for (let from = 0; from < orderHashes.length; from += CANCELS_PER_CALL) {
    outcomes.push(...(await cancelCall(session, context, orderHashes.slice(from, from + CANCELS_PER_CALL))));
  }
  return outcomes;
}

/** Cancels in one call. */
async function cancelCall(
  session: Session | null,
  context: ReadingContext,
  orderHashes: readonly OrderName[],
): Promise<CancelOutcome[]> {
  const unknown = (reason: string) => orderHashes.map((orderHash) => ({ orderHash, kind: 'unknown' as const, reason }));
  if (!session) return unknown('not sent: the venue gave no API key yet');
  try {
    const body = JSON.stringify(orderHashes);
    const answer = cancelAnswer.safeParse(bodyOf(await session.call({ method: 'DELETE', path: '/orders', body })));
    if (!answer.success) return unknown('the answer to the cancel could not be read');
    const canceled = new Set(answer.data.canceled ?? []);
    const reasons = answer.data.not_canceled ?? {};
    return orderHashes.map((orderHash) => {
      if (canceled.has(orderHash)) return { orderHash, kind: 'canceled', reason: null };
      const reason = reasons[orderHash];
      if (reason === undefined) return { orderHash, kind: 'unknown', reason: 'the venue did not name it' };
      return { orderHash, kind: 'refused', reason: context.secrets.clean(reason) };
    });
  } catch (error) {
    noteFailure(context, session, error);
    if (callFailure(error).status === null) return unknown('no answer to the cancel');
    return unknown(unavailable('canceling', error, context.secrets).message);
  }
}
