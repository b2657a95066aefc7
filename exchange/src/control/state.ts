import { priceToText } from '@dutchbook/units/price.ts';
import { sharesToText } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdToText } from '@dutchbook/units/usd.ts';
import type { MatchingEngine } from '../matching-engine/matching-engine.ts';
import type { TradeRecord } from '../matching-engine/records.ts';

/** The truth to compare with: the first account, and every order and trade of users. All amounts decimal text. */
export function controlState(engine: MatchingEngine) {
  const account = engine.register.firstAccount();
  const holdings = account === undefined ? [] : [...engine.balances.holdings(account.address)];
  return {
    account: {
      usd: usdToText(account === undefined ? USD_ZERO : engine.balances.cash(account.address)),
      tokens: Object.fromEntries(holdings.map(([tokenId, shares]) => [tokenId, sharesToText(shares)])),
    },
    orders: [...engine.register.orders.values()].map((order) => ({
      id: order.id,
      asset_id: order.tokenId,
      side: order.side,
      price: priceToText(order.limit),
      original_size: sharesToText(order.originalShares),
      size_matched: sharesToText(order.matchedShares),
      order_type: order.timeInForce,
      status: order.status,
      owner: ownerOf(order.account, engine),
    })),
    trades: [...engine.register.trades.values()].flatMap((trade) => tradeStates(trade, engine)),
  };
}

/** What each order of a user had of a trade: the taker the whole of it and the fee, a maker its own part. */
function tradeStates(trade: TradeRecord, engine: MatchingEngine) {
  const { taker, makers, shares, takerUsd, fee } = trade;
  const parts = [
    { ...taker, trader_side: 'TAKER', shares, usd: takerUsd, fee },
    ...makers.map((maker) => ({ ...maker, trader_side: 'MAKER', fee: USD_ZERO })),
  ];
  return parts
    .filter(({ orderId }) => engine.register.orders.has(orderId))
    .map((part) => ({
      id: trade.id,
      order_id: part.orderId,
      taker_order_id: taker.orderId,
      trader_side: part.trader_side,
      asset_id: part.tokenId,
      side: part.side,
      size: sharesToText(part.shares),
      price: priceToText(part.price),
      cost: usdToText(part.usd),
      fee: usdToText(part.fee),
      status: trade.status,
    }));
}

function ownerOf(address: string, engine: MatchingEngine): string {
  return [...engine.register.accounts.values()].find((account) => account.address === address)?.apiKey ?? '';
}
