import { complement } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { count, dollars, seconds, time } from '../text.ts';
import type { KalshiVenue } from '../venue.ts';
import type { Fill } from './fills.ts';
import type { VenueOrder } from './order.ts';

/** What is left of an order that stands; of one that ended, nothing. */
export function remaining({ status, count: asked, filled }: VenueOrder): Shares {
  return status === 'resting' ? ((asked - filled) as Shares) : SHARES_ZERO;
}

/** An order in lists. */
export function wireOrder(order: VenueOrder, venue: KalshiVenue) {
  return {
    order_id: order.id,
    user_id: order.member.id,
    client_order_id: order.clientId ?? '',
    ticker: order.ticker,
    side: 'yes',
    action: order.side === 'bid' ? 'buy' : 'sell',
    outcome_side: order.side === 'bid' ? 'yes' : 'no',
    book_side: order.side,
    type: 'limit',
    status: order.status,
    yes_price_dollars: dollars(order.price),
    no_price_dollars: dollars(complement(order.price)),
    initial_count_fp: count(order.count),
    fill_count_fp: count(order.filled),
    remaining_count_fp: count(remaining(order)),
    taker_fill_cost_dollars: dollars(order.asTaker.cost),
    maker_fill_cost_dollars: dollars(order.asMaker.cost),
    taker_fees_dollars: dollars(order.asTaker.fees),
    maker_fees_dollars: dollars(order.asMaker.fees),
    expiration_time: order.expiresAt === null ? null : time(order.expiresAt),
    created_time: time(order.createdAt),
    last_update_time: time(order.updatedAt),
    self_trade_prevention_type: order.selfTrade,
    ...(order.groupId === null ? {} : { order_group_id: order.groupId }),
    cancel_order_on_pause: order.cancelsOnPause,
    subaccount_number: order.subaccount,
    exchange_index: shardOf(order, venue),
  };
}

/** The answer to a new order, or to one that was amended, which names no status. */
export function wirePlaced(order: VenueOrder, atMs: number) {
  const cost = order.asTaker.cost + order.asMaker.cost;
  const fees = order.asTaker.fees + order.asMaker.fees;
  const paid = order.filled === 0 ? 0 : Math.round((cost * 1_000_000) / order.filled);
  const average = order.side === 'bid' ? paid : 1_000_000 - paid;
  return {
    order_id: order.id,
    ...(order.clientId === null ? {} : { client_order_id: order.clientId }),
    fill_count: count(order.filled),
    remaining_count: count(remaining(order)),
    ...(order.filled === 0
      ? {}
      : {
          average_fill_price: dollars(average),
          average_fee_paid: dollars(Math.round((fees * 1_000_000) / order.filled)),
        }),
    ts_ms: atMs,
  };
}

/** A fill in lists; it does not say what its owner called the order. */
export function wireFill(fill: Fill, venue: KalshiVenue) {
  const { order, tradeId, size, yesPrice, isTaker, fee, at } = fill;
  return {
    fill_id: tradeId,
    trade_id: tradeId,
    order_id: order.id,
    ticker: order.ticker,
    market_ticker: order.ticker,
    outcome_side: order.side === 'bid' ? 'yes' : 'no',
    book_side: order.side,
    count_fp: count(size),
    yes_price_dollars: dollars(yesPrice),
    no_price_dollars: dollars(complement(yesPrice)),
    is_taker: isTaker,
    fee_cost: dollars(fee),
    created_time: time(at),
    ts: seconds(at),
    subaccount_number: order.subaccount,
    exchange_index: shardOf(order, venue),
  };
}

/** The shard that an order lies on. */
export function shardOf({ ticker }: VenueOrder, venue: KalshiVenue): number {
  return venue.market(ticker)?.event.series.shard ?? 0;
}
