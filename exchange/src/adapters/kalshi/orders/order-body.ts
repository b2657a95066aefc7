import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { UnitError } from '@dutchbook/units/micro.ts';
import { type Price, priceFromText } from '@dutchbook/units/price.ts';
import { LEAST_SIZE, type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import { z } from 'zod';
import { type Answer, flat, MARKET_NOT_FOUND, nested } from '../answers.ts';
import type { Caller } from '../calls.ts';
import type { PriceRange } from '../catalogue/listing.ts';
import type { Member } from '../members.ts';
import type { KalshiVenue } from '../venue.ts';
import type { NewOrder } from './order.ts';

/** As the venue documents it; what it does not take any more is refused by name. */
export const orderBody = z.object({
  ticker: z.string(),
  client_order_id: z.string().optional(),
  side: z.enum(['bid', 'ask']),
  count: z.string(),
  price: z.string(),
  time_in_force: z.string(),
  self_trade_prevention_type: z.enum(['taker_at_cross', 'maker']),
  expiration_time: z.int().optional(),
  post_only: z.boolean().optional(),
  reduce_only: z.boolean().optional(),
  cancel_order_on_pause: z.boolean().optional(),
  subaccount: z.int().min(0).max(63).optional(),
  order_group_id: z.string().optional(),
  exchange_index: z.int().optional(),
});
export type OrderBody = z.infer<typeof orderBody>;

export const CLIENT_ID = /^[A-Za-z0-9_:+=/-]{1,64}$/;
const PRICE_TEXT = /^\d\.\d{1,4}$/;
export const COUNT_TEXT = /^\d{1,9}(?:\.\d{1,2})?$/;
const TIMES_IN_FORCE = ['fill_or_kill', 'immediate_or_cancel', 'good_till_canceled'] as const;

/** What a body asks for, or why it is refused without a look at the book. */
export function readOrder(
  body: OrderBody,
  { member, key }: Caller,
  venue: KalshiVenue,
): NewOrder | { readonly refusal: Answer } {
  const market = venue.market(body.ticker);
  if (market === undefined) return { refusal: MARKET_NOT_FOUND };
  const { shard } = market.event.series;
  const isElsewhere = body.exchange_index !== undefined && ![-1, shard].includes(body.exchange_index);
  if (isElsewhere) return { refusal: MARKET_NOT_FOUND };
  const subaccount = body.subaccount ?? key.subaccount ?? 0;
  if (key.subaccount !== null && subaccount !== key.subaccount)
    return { refusal: flat(403, 'permission_denied', 'the key is of another subaccount') };
  const timeInForce = TIMES_IN_FORCE.find((known) => known === body.time_in_force);
  if (timeInForce === undefined) return invalid('time_in_force is not known');
  if (body.client_order_id !== undefined && !CLIENT_ID.test(body.client_order_id))
    return invalid('client_order_id is not of the characters it may have');
  if (body.order_group_id !== undefined && !isGroupOf(body.order_group_id, { member, shard }, venue))
    return { refusal: nested(404, 'not_found', 'order group not found') };
  const price = priceIn(body.price, venue.states.of(market).ranges);
  if (price === null) return { refusal: nested(400, 'invalid_price', 'invalid price') };
  const count = countIn(body.count);
  if (count === null) return invalid('count is not a positive number with at most two decimals');
  const expiresAt = expiryIn(body, venue.engine.clock.now());
  if (expiresAt === 'past') return invalid('expiration_time is not ahead');
  member.subaccounts.add(subaccount);
  return {
    ...{ member, subaccount, market, price, count, timeInForce, expiresAt },
    clientId: body.client_order_id ?? null,
    side: body.side,
    selfTrade: body.self_trade_prevention_type,
    postOnly: body.post_only === true,
    reduceOnly: body.reduce_only === true,
    cancelsOnPause: body.cancel_order_on_pause === true,
    groupId: body.order_group_id ?? null,
  };
}

/** A group lives on one shard, as its orders do. */
function isGroupOf(id: string, { member, shard }: { member: Member; shard: number }, { groups }: KalshiVenue): boolean {
  const group = groups.byId(id);
  return group !== undefined && group.member === member && group.shard === shard;
}

export function invalid(message: string): { readonly refusal: Answer } {
  return { refusal: nested(400, 'invalid_parameters', 'invalid parameters', message) };
}

export function priceIn(text: string, ranges: readonly PriceRange[]): Price | null {
  if (!PRICE_TEXT.test(text)) return null;
  try {
    const price = priceFromText(text);
    const isOnGrid = ranges.some(
      ({ start, end, step }) => price >= start && price <= end && (price - start) % step === 0,
    );
    return isOnGrid && price > 0 && price < 1_000_000 ? price : null;
  } catch (error) {
    if (error instanceof UnitError) return null;
    throw error;
  }
}

export function countIn(text: string): Shares | null {
  if (!COUNT_TEXT.test(text)) return null;
  const count = sharesFromText(text);
  return count >= LEAST_SIZE ? count : null;
}

function expiryIn({ expiration_time, time_in_force }: OrderBody, now: Instant): Instant | null | 'past' {
  if (expiration_time === undefined || expiration_time === 0) return null;
  if (time_in_force !== 'good_till_canceled' || expiration_time * 1000 <= now) return 'past';
  return instantFromMs(expiration_time * 1000);
}
