import { tickAt } from '@dutchbook/engine/market/tick.ts';
import { idAt, type OrderName, withoutVenue } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import {
  complement,
  isOnTick,
  PRICE_ONE,
  type Price,
  priceFromText,
  priceToText,
  tickToText,
} from '@dutchbook/units/price.ts';
import { LEAST_SIZE, sharesFromText, sharesToText } from '@dutchbook/units/shares.ts';
import { z } from 'zod';
import type { NewOrder, OrderRequest, VenueOrder, VenueOrderStatus, VenueRuntime } from '../venue.ts';
import type { KalshiConfig } from './config.ts';
import { marketIdOf, type OutcomeSide, ofToken, tokenIdOf } from './ids.ts';
import { type WireOrder, wireOrder } from './wire.ts';

/**
 * What `SignedOrder.payload` holds as JSON: the body that is sent, the first time and every other. The venue has one name for an
 * order of ours, which is spent for ever by the first body that carries it.
 */
const storedOrder = z.object({
  ticker: z.string(),
  client_order_id: z.string(),
  side: z.enum(['bid', 'ask']),
  count: z.string(),
  price: z.string(),
  time_in_force: z.enum(['immediate_or_cancel', 'good_till_canceled']),
  self_trade_prevention_type: z.literal('taker_at_cross'),
  expiration_time: z.number().optional(),
  post_only: z.boolean().optional(),
  reduce_only: z.boolean().optional(),
  cancel_order_on_pause: z.boolean().optional(),
  subaccount: z.number().optional(),
  exchange_index: z.number(),
});
export type StoredOrder = z.infer<typeof storedOrder>;

/** What an order of ours is, by its name alone: the venue shows a sale of YES as it shows a purchase of NO. */
type Named = { side: 'buy' | 'sell'; outcome: OutcomeSide; signedAt: Instant };

const NAME = /^([bs])([yn])-([0-9a-z]{6,10})-[0-9a-z]{1,12}$/;
const RANDOM = 2 ** 52;

/** @returns null for an order that was not placed by this product */
export function readName(name: OrderName): Named | null {
  const [, side, outcome, at = ''] = NAME.exec(withoutVenue(name)) ?? [];
  if (side === undefined) return null;
  return {
    side: side === 'b' ? 'buy' : 'sell',
    outcome: outcome === 'y' ? 'yes' : 'no',
    signedAt: instantFromMs(Number.parseInt(at, 36)),
  };
}

function newName(side: 'buy' | 'sell', outcome: OutcomeSide, { now, random }: VenueRuntime): string {
  const drawn = Math.floor(random() * RANDOM).toString(36);
  return `${side.charAt(0)}${outcome.charAt(0)}-${now().toString(36)}-${drawn}`;
}

export function orderName(clientId: string | null | undefined, orderId: string): OrderName {
  return idAt('kalshi', clientId || orderId);
}

/**
 * Names an order and writes its body without a request to the venue. All orders are for or against YES: buying NO is selling YES
 * at a dollar less its price. What rests ends by itself after `restsAtMostMs`, because the venue has no heartbeat, and with
 * a pause of its market.
 * @throws Error when the price is off the grid or out of bounds, or the size has more than two decimals
 */
export function signOrder(
  request: OrderRequest,
  runtime: VenueRuntime,
  { subaccount, restsAtMostMs }: Pick<KalshiConfig, 'subaccount' | 'restsAtMostMs'>,
): NewOrder {
  const token = ofToken(request.tokenId);
  if (token === null) throw new Error(`${request.tokenId} is no token of this venue`);
  check(request);
  const { side, price, size, remainder, market } = request;
  const clientId = newName(side, token.side, runtime);
  const isRest = remainder === 'rest';
  const expiresAt = request.expiresAt ?? runtime.now() + restsAtMostMs[side];
  const stored: StoredOrder = {
    ticker: token.ticker,
    client_order_id: clientId,
    side: (side === 'buy') === (token.side === 'yes') ? 'bid' : 'ask',
    count: sharesToText(size),
    price: priceText(token.side === 'yes' ? price : complement(price)),
    time_in_force: isRest ? 'good_till_canceled' : 'immediate_or_cancel',
    self_trade_prevention_type: 'taker_at_cross',
    ...(isRest ? { expiration_time: Math.floor(expiresAt / 1000), cancel_order_on_pause: true } : {}),
    ...(request.postOnly === true ? { post_only: true } : {}),
    // Without it a sale of more than is held would go on to buy the other outcome.
    ...(side === 'sell' && !isRest ? { reduce_only: true } : {}),
    ...(subaccount === null ? {} : { subaccount }),
    exchange_index: Number(market.pocket),
  };
  return { orderHash: orderName(clientId, ''), salt: '', payload: JSON.stringify(stored), size };
}

/** The venue wants decimals, two at least. */
function priceText(price: Price): string {
  const [whole = '0', decimals = ''] = priceToText(price).split('.');
  return `${whole}.${decimals.padEnd(2, '0')}`;
}

/** @throws Error when it is not one that `signOrder` wrote */
export function readPayload(payload: string): StoredOrder {
  return storedOrder.parse(JSON.parse(payload));
}

function check({ price, size, market, remainder, postOnly, expiresAt, spends = null }: OrderRequest): void {
  const tick = tickAt(market, price);
  if (!isOnTick(price, tick))
    throw new Error(`price ${priceToText(price)} is not a multiple of the tick ${tickToText(tick)}`);
  if (price <= 0 || price >= PRICE_ONE) throw new Error(`price ${priceToText(price)} is not between 0 and 1`);
  if (size <= 0 || size % LEAST_SIZE !== 0)
    throw new Error(`size ${sharesToText(size)} is not a positive number of shares with at most two decimals`);
  if (spends !== null) throw new Error('the venue takes numbers of shares, no dollars');
  if (remainder === 'kill' && (postOnly === true || expiresAt !== undefined))
    throw new Error('an order that may not rest is neither post-only nor does it expire');
}

/** @throws Error when the order is not as documented */
export function readOrder(raw: unknown): VenueOrder {
  return toVenueOrder(wireOrder.parse(raw));
}

/** An order of another program is read as a purchase: whether it sold cannot be told. */
function toVenueOrder(wire: WireOrder): VenueOrder {
  const orderHash = orderName(wire.client_order_id, wire.order_id);
  const { side, outcome } = directionOf(orderHash, wire.book_side);
  return {
    orderHash,
    venueName: wire.order_id,
    marketId: marketIdOf(wire.ticker),
    tokenId: tokenIdOf(wire.ticker, outcome),
    side,
    price: ownPrice(priceFromText(wire.yes_price_dollars), outcome),
    originalSize: sharesFromText(wire.initial_count_fp),
    matchedSize: sharesFromText(wire.fill_count_fp),
    status: STATUSES.get(wire.status) ?? 'invalid',
  };
}

export function directionOf(name: OrderName, bookSide: 'bid' | 'ask'): Pick<Named, 'side' | 'outcome'> {
  const named = readName(name);
  const isOf = named !== null && ((named.side === 'buy') === (named.outcome === 'yes')) === (bookSide === 'bid');
  if (named !== null && isOf) return named;
  return { side: 'buy', outcome: bookSide === 'bid' ? 'yes' : 'no' };
}

export function ownPrice(yesPrice: Price, outcome: OutcomeSide): Price {
  return outcome === 'yes' ? yesPrice : complement(yesPrice);
}

const STATUSES: ReadonlyMap<string, VenueOrderStatus> = new Map([
  ['resting', 'open'],
  ['executed', 'matched'],
  ['canceled', 'canceled'],
]);
