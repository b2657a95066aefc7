import type { OrderName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Pace } from '../pace.ts';
import {
  type CancelOutcome,
  type OrderRequest,
  type PostOutcome,
  type SignedOrder,
  type VenueRuntime,
  type VenueTrading,
  VenueUnavailable,
} from '../venue.ts';
import type { Pockets } from '../venue-pockets.ts';
import type { Place, ReadingContext } from './account-lists.ts';
import {
  cashBalance,
  fillsOfOrder,
  fillsSince,
  holding,
  lookupOrder,
  openOrders,
  positions,
  remember,
} from './account-reads.ts';
import { type KalshiApi, venueTimeAtMost } from './api.ts';
import type { KalshiConfig } from './config.ts';
import { marketIdOf } from './ids.ts';
import { readName, signOrder } from './orders.ts';
import { type FollowedLimits, noteAnswer } from './pacing.ts';
import { payouts } from './payouts.ts';
import { isSuccess, type Outgoing, outgoing, type PostVerdict, postOrders, refusalIn } from './placing.ts';
import { canceledOrders } from './wire.ts';

const CANCELS = '/portfolio/events/orders/batched';
const CANCELS_PER_CALL = 50;

/** What trading is made of. */
export type TradingParts = {
  api: KalshiApi;
  config: Pick<KalshiConfig, 'subaccount' | 'restsAtMostMs'>;
  runtime: VenueRuntime;
  context: ReadingContext;
  pace: Pace;
  limits: FollowedLimits;
  /** A market of which the venue has said that it is paused. */
  onPaused: (ticker: string) => void;
  pockets: Pockets;
  keyEndsAt: () => Instant | null;
};

export function openTrading(parts: TradingParts): VenueTrading {
  const { config, context, runtime } = parts;
  return {
    pace: parts.pace,
    pockets: parts.pockets,
    keyEndsAt: parts.keyEndsAt,
    // Nothing has to be repeated: every order that rests carries the time of its own end.
    heartbeat: async () => ({ kind: 'taken' }),
    signOrder: async (request: OrderRequest) => signOrder(request, runtime, config),
    postOrders: (orders) => postAll(parts, orders),
    cancelOrders: (orderHashes) => cancelAll(parts, orderHashes),
    lookupOrder: (orderHash, marketId) => lookupOrder(context, orderHash, marketId),
    openOrders: () => openOrders(context),
    fillsOfOrder: (orderHash, marketId) => fillsOfOrder(context, orderHash, marketId),
    fillsSince: (since) => fillsSince(context, since),
    unreadableTrades: () => context.unreadable.size,
    cashBalance: () => cashBalance(context),
    holding: (tokenId, priority) => holding(context, tokenId, priority),
    refreshHoldings: async () => {},
    positions: (priority = 'following') => positions(context, priority),
    payouts: (since) => payouts(context, since),
  };
}

async function postAll(parts: TradingParts, orders: readonly SignedOrder[]): Promise<PostOutcome[]> {
  const size = parts.limits.ordersPerCall();
  const calls: Promise<PostOutcome[]>[] = [];
  for (let from = 0; from < orders.length; from += size) calls.push(postCall(parts, orders.slice(from, from + size)));
  return (await Promise.all(calls)).flat();
}

async function postCall(parts: TradingParts, orders: readonly SignedOrder[]): Promise<PostOutcome[]> {
  const readable = orders.map(outgoing);
  const sent = readable.filter((order): order is Outgoing => order !== null);
  const verdicts = await send(parts, sent);
  let next = 0;
  return Promise.all(
    readable.map((order): PostOutcome | Promise<PostOutcome> => {
      if (order === null) return { kind: 'rejected', reason: 'not sent: the stored order cannot be read' };
      const verdict = verdicts[next++] ?? { kind: 'unknown', reason: 'the venue did not answer for this order' };
      return complete(parts, order, verdict);
    }),
  );
}

async function send({ api, context, runtime, pace, onPaused }: TradingParts, sent: Outgoing[]): Promise<PostVerdict[]> {
  const note = () => {
    const at = venueTimeAtMost(api, runtime.now());
    for (const { signed } of sent) remember(context.sentBy, signed.orderHash, at);
  };
  note();
  const isBuying = sent.some(({ signed }) => readName(signed.orderHash)?.side === 'buy');
  const verdicts = await postOrders(api, sent, (answer) => {
    noteAnswer(pace, isBuying ? 'buy' : 'sell', answer, runtime.now());
  });
  // A call that got no answer may have been on its way until now.
  note();
  for (const [index, { signed, stored }] of sent.entries()) {
    const verdict = verdicts[index];
    if (verdict?.kind === 'rejected' && 'isPaused' in verdict) onPaused(stored.ticker);
    if (verdict?.kind !== 'accepted' || verdict.venueName === undefined) continue;
    remember(context.places, signed.orderHash, { orderId: verdict.venueName, ticker: stored.ticker });
    remember(context.names, verdict.venueName, signed.orderHash);
  }
  return verdicts;
}

/** A name that is spent says that a copy arrived before: the order is looked up, and later reads prove what became of it. */
async function complete(
  { context }: TradingParts,
  { signed, stored }: Outgoing,
  verdict: PostVerdict,
): Promise<PostOutcome> {
  if (verdict.kind === 'rejected') return { kind: 'rejected', reason: verdict.reason };
  if (verdict.kind !== 'exists') return verdict;
  const { orderHash } = signed;
  const lookup = await lookupOrder(context, orderHash, marketIdOf(stored.ticker));
  if (lookup.kind !== 'found') return { kind: 'accepted', orderHash, status: 'open' };
  const { status, venueName } = lookup.order;
  const isDone = status === 'canceled' || status === 'invalid';
  const named = venueName === undefined ? {} : { venueName };
  return { kind: 'accepted', orderHash, ...named, status: isDone ? 'matched' : status };
}

async function cancelAll(parts: TradingParts, orderHashes: readonly OrderName[]): Promise<CancelOutcome[]> {
  const outcomes: CancelOutcome[] = [];
  for (let from = 0; from < orderHashes.length; from += CANCELS_PER_CALL)
    outcomes.push(...(await cancelCall(parts, orderHashes.slice(from, from + CANCELS_PER_CALL))));
  return outcomes;
}

/** Each order is named with its market: without it the venue looks on one shard alone. */
async function cancelCall(parts: TradingParts, orderHashes: readonly OrderName[]): Promise<CancelOutcome[]> {
  const unknown = (reason: string) => orderHashes.map((orderHash) => ({ orderHash, kind: 'unknown' as const, reason }));
  try {
    const places = await placesOf(parts.context, orderHashes);
    const known = orderHashes.flatMap((orderHash) => places.get(orderHash) ?? []);
    const errors = known.length === 0 ? new Map<string, unknown>() : await cancelPlaces(parts, known);
    return await Promise.all(
      orderHashes.map(async (orderHash): Promise<CancelOutcome> => {
        const place = places.get(orderHash);
        if (place === undefined) return whyNotCanceled(parts, orderHash);
        if (!errors.has(place.orderId)) return { orderHash, kind: 'unknown', reason: 'the venue did not name it' };
        const refusal = refusalIn({ error: errors.get(place.orderId) });
        return refusal === null
          ? { orderHash, kind: 'canceled', reason: null }
          : whyNotCanceled(parts, orderHash, refusal.message);
      }),
    );
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    return unknown(error.message);
  }
}

/** Cancels orders by the venue's names. @returns the refusal of each, null where it was canceled */
async function cancelPlaces(
  { api, config, pace, runtime }: TradingParts,
  places: Place[],
): Promise<Map<string, unknown>> {
  const ofSubaccount = config.subaccount === null ? {} : { subaccount: config.subaccount };
  const orders = places.map(({ orderId, ticker }) => ({ order_id: orderId, market_ticker: ticker, ...ofSubaccount }));
  const answer = await api.send('DELETE', CANCELS, { orders });
  noteAnswer(pace, 'cancel', answer, runtime.now());
  const parsed = canceledOrders.safeParse(answer.body);
  if (!isSuccess(answer) || !parsed.success)
    throw new VenueUnavailable(refusalIn(answer.body)?.message ?? 'the answer to the cancel could not be read');
  return new Map(parsed.data.orders.map(({ order_id, error }) => [order_id, error ?? null]));
}

/** "Not found" is also what the venue says of an order that it looked for in the wrong place: only the order itself tells. */
async function whyNotCanceled({ context }: TradingParts, orderHash: OrderName, said?: string): Promise<CancelOutcome> {
  const lookup = await lookupOrder(context, orderHash, undefined);
  if (lookup.kind !== 'found') {
    const reason = lookup.kind === 'unknown' ? lookup.reason : (said ?? 'the venue does not show it');
    return { orderHash, kind: 'unknown', reason };
  }
  const { status } = lookup.order;
  if (status === 'open') return { orderHash, kind: 'unknown', reason: said ?? 'it still rests' };
  return { orderHash, kind: 'refused', reason: `the order is ${status} already` };
}

/** The shards of orders; one that this process neither placed nor read is looked up among all resting orders. */
async function placesOf(context: ReadingContext, orderHashes: readonly OrderName[]): Promise<Map<OrderName, Place>> {
  if (orderHashes.some((orderHash) => !context.places.has(orderHash))) await openOrders(context);
  return new Map(
    orderHashes.flatMap((orderHash) => {
      const place = context.places.get(orderHash);
      return place === undefined ? [] : [[orderHash, place] as const];
    }),
  );
}
