import type { Instant } from '@dutchbook/units/instant.ts';
import { hashId, uuidOf } from '../catalogue/ids.ts';
import type { BookedFill } from '../matching/matcher.ts';
import type { Market } from './market.ts';
import type { TradeRecord, TradeSide } from './records.ts';

/** The record of a match that was just booked. `unique` sets it apart from every other match, also of earlier runs. */
export function tradeOf(
  market: Market,
  taker: Omit<TradeSide, 'price'>,
  { fill, transfer }: BookedFill,
  { now, unique, hasHash }: { now: Instant; unique: string; hasHash: boolean },
): TradeRecord {
  const hash = hashId('trade', taker.orderId, fill.makerOrderId, unique);
  return {
    id: uuidOf(hash),
    conditionId: market.listing.conditionId,
    taker: { ...taker, price: fill.takerPrice },
    maker: {
      orderId: fill.makerOrderId,
      account: fill.makerAccount,
      tokenId: market.tokens[fill.makerOutcome],
      outcome: fill.makerOutcome,
      side: fill.makerSide,
      price: fill.makerPrice,
    },
    shares: fill.shares,
    fee: fill.fee,
    matchedAt: now,
    transfer,
    updatedAt: now,
    status: 'MATCHED',
    transactionHash: hasHash ? hashId('transaction', hash) : '',
  };
}
