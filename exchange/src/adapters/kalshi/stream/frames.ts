import { complement, type Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { hashId, uuidOf } from '../../../catalogue/ids.ts';
import type { MarketOfVenue } from '../catalogue/listing.ts';
import type { LifecycleChange } from '../lifecycle.ts';
import type { Fill, PublicTrade } from '../orders/fills.ts';
import type { VenueOrder } from '../orders/order.ts';
import { remaining, shardOf } from '../orders/order-shape.ts';
import { resultOf } from '../states.ts';
import { count, dollars, seconds } from '../text.ts';
import { type KalshiVenue, levelsOf } from '../venue.ts';

export type BookSideName = 'yes' | 'no';

/** The levels of a market as they were last published: their sizes by side and price of YES. */
export type PublishedBook = Map<string, { readonly side: BookSideName; readonly price: Price; readonly size: Shares }>;

export function bookNow(venue: KalshiVenue, market: MarketOfVenue): PublishedBook {
  const matched = venue.matched(market);
  const published: PublishedBook = new Map();
  for (const [of, side] of [
    ['bid', 'yes'],
    ['ask', 'no'],
  ] as const)
    for (const { price, size } of levelsOf(matched, of)) published.set(`${side}${price}`, { side, price, size });
  return published;
}

/** How the book differs from what was published; each level by itself. */
export function bookDifference(published: PublishedBook, now: PublishedBook) {
  const changes: { side: BookSideName; price: Price; delta: number }[] = [];
  for (const [key, { side, price, size }] of published) if (!now.has(key)) changes.push({ side, price, delta: -size });
  for (const [key, { side, price, size }] of now) {
    const delta = size - (published.get(key)?.size ?? 0);
    if (delta !== 0) changes.push({ side, price, delta });
  }
  return changes;
}

/** NO levels come in prices of NO unless a subscriber wants all in those of YES. */
function shownPrice(side: BookSideName, price: Price, inYes: boolean): string {
  return dollars(side === 'no' && !inYes ? complement(price) : price);
}

/** A side without levels is left out. */
export function snapshotMessage(published: PublishedBook, market: MarketOfVenue, inYes: boolean) {
  const levels = (of: BookSideName) =>
    [...published.values()]
      .filter(({ side }) => side === of)
      .reverse()
      .map(({ side, price, size }) => [shownPrice(side, price, inYes), count(size)]);
  const [yes, no] = [levels('yes'), levels('no')];
  return {
    market_ticker: market.ticker,
    market_id: marketId(market.ticker),
    ...(yes.length === 0 ? {} : { yes_dollars_fp: yes }),
    ...(no.length === 0 ? {} : { no_dollars_fp: no }),
  };
}

export function deltaMessage(
  market: MarketOfVenue,
  { side, price, delta }: { side: BookSideName; price: Price; delta: number },
  { inYes, atMs }: { inYes: boolean; atMs: number },
) {
  return {
    market_ticker: market.ticker,
    market_id: marketId(market.ticker),
    price_dollars: shownPrice(side, price, inYes),
    delta_fp: count(delta),
    side,
    ts: new Date(atMs).toISOString(),
    ts_ms: atMs,
  };
}

export function tradeMessage({ id, ticker, size, yesPrice, takerSide, at, isBlock }: PublicTrade) {
  return {
    trade_id: id,
    market_ticker: ticker,
    yes_price_dollars: dollars(yesPrice),
    no_price_dollars: dollars(complement(yesPrice)),
    count_fp: count(size),
    taker_side: takerSide === 'bid' ? 'yes' : 'no',
    taker_book_side: takerSide,
    is_block_trade: isBlock,
    ts: seconds(at),
    ts_ms: at,
  };
}

export function fillMessage(fill: Fill, venue: KalshiVenue) {
  const { order, tradeId, size, yesPrice, isTaker, fee, at, positionAfter } = fill;
  return {
    trade_id: tradeId,
    order_id: order.id,
    ...(order.clientId === null ? {} : { client_order_id: order.clientId }),
    market_ticker: order.ticker,
    is_taker: isTaker,
    outcome_side: order.side === 'bid' ? 'yes' : 'no',
    book_side: order.side,
    yes_price_dollars: dollars(yesPrice),
    count_fp: count(size),
    fee_cost: dollars(fee),
    post_position_fp: count(positionAfter),
    subaccount: order.subaccount,
    exchange_index: shardOf(order, venue),
    ts: seconds(at),
    ts_ms: at,
  };
}

export function orderMessage(order: VenueOrder, venue: KalshiVenue) {
  return {
    order_id: order.id,
    user_id: order.member.id,
    client_order_id: order.clientId ?? '',
    ticker: order.ticker,
    status: order.status,
    outcome_side: order.side === 'bid' ? 'yes' : 'no',
    book_side: order.side,
    yes_price_dollars: dollars(order.price),
    initial_count_fp: count(order.count),
    fill_count_fp: count(order.filled),
    remaining_count_fp: count(remaining(order)),
    ...(order.reason === null ? {} : { last_update_reason: order.reason }),
    subaccount_number: order.subaccount,
    exchange_index: shardOf(order, venue),
    created_ts_ms: order.createdAt,
    last_updated_ts_ms: order.updatedAt,
  };
}

export function lifecycleMessage(market: MarketOfVenue, change: LifecycleChange, venue: KalshiVenue) {
  const state = venue.states.of(market);
  const base = { market_ticker: market.ticker, exchange_index: market.event.series.shard };
  switch (change) {
    case 'close_date_updated':
      return { event_type: change, ...base, close_ts: seconds(state.closesAt) };
    case 'determined':
      return {
        event_type: change,
        ...base,
        result: resultOf(state),
        settlement_value: dollars(state.yesPays ?? 0),
        determination_ts: seconds(state.updatedAt),
      };
    case 'settled':
      return { event_type: change, ...base, settled_ts: seconds(state.settledAt ?? state.updatedAt) };
    case 'ticks':
      return {
        event_type: 'price_level_structure_updated',
        ...base,
        price_level_structure: '',
        price_ranges: state.ranges.map(({ start, end, step }) => ({
          start: dollars(start),
          end: dollars(end),
          step: dollars(step),
        })),
      };
    default:
      return { event_type: change, ...base };
  }
}

function marketId(ticker: string): string {
  return uuidOf(hashId('market', ticker));
}
