import { priceToText } from '@dutchbook/units/price.ts';
import { sharesToText } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdToText } from '@dutchbook/units/usd.ts';
import type { Floor } from '../floor/floor.ts';
import type { TradeRecord } from '../floor/records.ts';

/** The truth to compare with: the first account, and every order and trade of users. All amounts decimal text. */
export function controlState(floor: Floor) {
  const account = floor.register.firstAccount();
  const holdings = account === undefined ? [] : [...floor.ledger.holdings(account.address)];
  return {
    account: {
      usd: usdToText(account === undefined ? USD_ZERO : floor.ledger.cash(account.address)),
      tokens: Object.fromEntries(holdings.map(([tokenId, shares]) => [tokenId, sharesToText(shares)])),
    },
    orders: [...floor.register.orders.values()].map((order) => ({
      id: order.id,
      asset_id: order.tokenId,
      side: order.side,
      price: priceToText(order.limit),
      original_size: sharesToText(order.originalShares),
      size_matched: sharesToText(order.matchedShares),
      status: order.status,
      owner: ownerOf(order.account, floor),
    })),
    trades: [...floor.register.trades.values()].map((trade) => tradeState(trade, floor)),
  };
}

/** A trade as our user saw it: as taker where one of ours took, else as maker, who pays no fee. */
function tradeState(trade: TradeRecord, floor: Floor) {
  const isTaker = floor.register.orders.has(trade.taker.orderId);
  const ours = isTaker ? trade.taker : trade.maker;
  return {
    id: trade.id,
    taker_order_id: trade.taker.orderId,
    maker_order_id: trade.maker.orderId,
    trader_side: isTaker ? 'TAKER' : 'MAKER',
    asset_id: ours.tokenId,
    side: ours.side,
    size: sharesToText(trade.shares),
    price: priceToText(ours.price),
    fee: isTaker ? usdToText(trade.fee) : '0',
    status: trade.status,
  };
}

function ownerOf(address: string, floor: Floor): string {
  return [...floor.register.accounts.values()].find((account) => account.address === address)?.apiKey ?? '';
}
