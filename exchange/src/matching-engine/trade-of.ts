import type { Instant } from '@dutchbook/units/instant.ts';
import { addShares, SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { addUsd, averagePrice, notional, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { hashId, uuidOf } from '../catalogue/ids.ts';
import type { BookedFill } from '../matching/matcher.ts';
import type { Market } from './market.ts';
import type { TradeMaker, TradeRecord, TradeSide } from './records.ts';

/**
 * The record of what an order was just matched with, which is at least one standing order. `unique` sets it apart from every
 * other trade, also of earlier runs.
 */
export function tradeOf(
  market: Market,
  taker: Omit<TradeSide, 'price'>,
  booked: readonly BookedFill[],
  { now, unique, hasHash }: { now: Instant; unique: string; hasHash: boolean },
): TradeRecord {
  const makers = booked.map((one) => makerOf(market, one));
  const hash = hashId('trade', taker.orderId, unique);
  return {
    id: uuidOf(hash),
    conditionId: market.listing.conditionId,
    taker: { ...taker, price: averageOf(makers, taker) },
    makers,
    shares: makers.reduce((sum, { shares }) => addShares(sum, shares), SHARES_ZERO),
    takerUsd: makers.reduce((sum, { takerUsd }) => addUsd(sum, takerUsd), USD_ZERO),
    fee: makers.reduce((sum, { fee }) => addUsd(sum, fee), USD_ZERO),
    matchedAt: now,
    transfer: {
      debits: booked.flatMap(({ transfer }) => transfer.debits),
      credits: booked.flatMap(({ transfer }) => transfer.credits),
    },
    updatedAt: now,
    status: 'MATCHED',
    transactionHash: hasHash ? hashId('transaction', hash) : '',
  };
}

/** Rounded against the taker. */
function averageOf(makers: readonly TradeMaker[], { side }: Pick<TradeSide, 'side'>) {
  const parts = makers.map(({ takerPrice, shares }) => ({ price: takerPrice, size: shares }));
  return averagePrice(parts, side === 'BUY' ? 'up' : 'down');
}

function makerOf({ tokens }: Market, { fill }: BookedFill): TradeMaker {
  return {
    orderId: fill.makerOrderId,
    account: fill.makerAccount,
    tokenId: tokens[fill.makerOutcome],
    outcome: fill.makerOutcome,
    side: fill.makerSide,
    price: fill.makerPrice,
    shares: fill.shares,
    usd: fill.makerUsd,
    takerPrice: fill.takerPrice,
    takerUsd: fill.takerUsd,
    fee: fill.fee,
  };
}

/** A trade as journals of earlier versions hold it: with one maker, and another one for the next maker. */
export type OneMakerTrade = Omit<TradeRecord, 'makers' | 'takerUsd'> & { readonly maker: TradeSide };

/** A trade of a journal, whichever version wrote it. */
export function journaledTrade(trade: TradeRecord | OneMakerTrade): TradeRecord {
  if ('makers' in trade) return trade;
  const { maker, ...rest } = trade;
  const { taker, shares, fee } = trade;
  const takerUsd = notional(shares, taker.price, taker.side === 'BUY' ? 'up' : 'down');
  const usd = maker.tokenId === taker.tokenId ? takerUsd : subtractUsd(shares as number as Usd, takerUsd);
  return { ...rest, makers: [{ ...maker, shares, usd, takerPrice: taker.price, takerUsd, fee }], takerUsd };
}
