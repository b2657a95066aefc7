/** Orders with shares to sell, for tests, in decimals as people write them. */
import { FRACTION_ONE, fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { notional, usdFromNumber } from '@dutchbook/units/usd.ts';
import { holdingOf } from '../batch/holding.ts';
import type { Market } from '../market/market.ts';
import { bookOf, marketOf } from '../opportunity/quotes.fixture.ts';
import type { Fill } from '../order/fill.ts';
import type { SellRequest } from './plan.ts';
import type { SellableOrder } from './sale.ts';

export function fillOf(size: number, price: number, fee = 0): Fill {
  return {
    attemptId: 'a',
    tradeId: 't',
    price: priceFromNumber(price),
    size: sharesFromNumber(size),
    cost: notional(sharesFromNumber(size), priceFromNumber(price), 'up'),
    fee: usdFromNumber(fee),
    settlement: 'confirmed',
  };
}

/** Ten shares of `m1-yes`, bought at 0.40 with a fee of ten cents, unless it is said otherwise. */
export function sellable(
  leg: number,
  bids: readonly (readonly [price: number, size: number])[],
  changes: Partial<SellableOrder> & { fills?: Fill[]; sales?: Fill[]; rules?: Partial<Market> } = {},
): SellableOrder {
  const { fills = [fillOf(10, 0.4, 0.1)], sales = [], rules = {}, ...rest } = changes;
  return {
    orderId: `order-${leg}`,
    leg,
    marketId: `m${leg}`,
    outcome: 'Yes',
    tokenId: `m${leg}-yes`,
    market: marketOf(`m${leg}`, rules),
    bids: bookOf([], bids).bids,
    holding: holdingOf({ fills, sales }),
    inSale: SHARES_ZERO,
    wanted: null,
    ...rest,
  };
}

/** The account holds just what the orders do unless `held` says otherwise. */
export function sellRequest(
  orders: SellableOrder[],
  {
    held = {},
    prices = {},
    maxDeviation,
  }: { held?: Record<string, number>; prices?: Record<string, number>; maxDeviation?: number } = {},
): SellRequest {
  const free = new Map(orders.map(({ tokenId, holding }) => [tokenId, holding.held]));
  for (const [tokenId, shares] of Object.entries(held)) free.set(tokenId, sharesFromNumber(shares));
  return {
    orders,
    freeByToken: free,
    allowancesByToken: new Map(),
    ownOrders: [],
    customPrices: new Map(Object.entries(prices).map(([tokenId, price]) => [tokenId, priceFromNumber(price)])),
    maxDeviation: maxDeviation === undefined ? FRACTION_ONE : fractionFromNumber(maxDeviation),
  };
}
