/** Compares the product's batches with the exchange's records. */
import { type Batch, listBatches } from '@dutchbook/contract/batches.ts';
import { listOrders, type Order } from '@dutchbook/contract/orders.ts';
import { addShares, SHARES_ZERO, type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import { addUsd, notional, subtractUsd, USD_ZERO, type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { expect } from 'vitest';
import { eventually } from '../product/eventually.ts';
import type { ExchangeControls, ExchangeState } from '../product/exchange.ts';
import type { Product } from '../product/product.ts';
import type { ThreeWay } from '../product/three-way.ts';

/** The product, and the exchange that it is compared with. */
export type Desk = { product: () => Product; exchange: ExchangeControls };

type Side = 'BUY' | 'SELL';
type Trade = ExchangeState['trades'][number];

const STARTING_BALANCE = usdFromText('10000');

/** Waits until the newest batch of the set fulfils `such`. */
export async function batchWhen(desk: Desk, set: ThreeWay, what: string, such: (batch: Batch) => boolean) {
  const look = async () => {
    const [newest] = await batchesOf(desk, set);
    if (newest && such(newest)) return newest;
    throw new Error(`the newest batch is ${JSON.stringify(newest)}`);
  };
  return await eventually(what, look);
}

/** Waits until nothing more is bought for the newest batch of the set, and checks its figures against the exchange. */
export async function batchAtRest(desk: Desk, set: ThreeWay): Promise<Batch> {
  const batch = await batchWhen(desk, set, 'the batch came to rest', ({ is_active }) => !is_active);
  await expectTruth(desk, set);
  return batch;
}

/** Expects sizes, fees and profit of the set to equal the exchange's trades, to the micro-unit. */
export async function expectTruth(desk: Desk, set: ThreeWay): Promise<void> {
  const { tokenIds, opportunityId } = set;
  const orders = await ordersOf(desk, { opportunity_id: opportunityId });
  const { trades } = await desk.exchange.state();
  for (const tokenId of tokenIds) {
    for (const side of ['BUY', 'SELL'] as const) {
      const shown = orders.filter((order) => order.token_id === tokenId && order.side === side.toLowerCase());
      const done = tradesOf(trades, [tokenId], side);
      expect(sum(shown.map(({ filled_size }) => filled_size))).toBe(sizeOf(done));
      expect(sum(shown.map(({ fee }) => fee))).toBe(sum(done.map(({ fee }) => usdFromText(fee))));
    }
  }
  const batches = await batchesOf(desk, set);
  expect(cashOf(batches, orders)).toBe(moneyOf(tradesOf(trades, tokenIds)));
}

/** Expects the account's gain to equal the profit of all batches, less payouts still to come. */
export async function expectCash(desk: Desk): Promise<void> {
  const spent = cashOf(await batchesOf(desk, null), await ordersOf(desk, {}));
  const { account } = await desk.exchange.state();
  expect(usdFromText(account.usd)).toBe(addUsd(STARTING_BALANCE, spent));
}

/** What batches have brought less what they cost, from the profits that the product shows. */
function cashOf(batches: readonly Batch[], orders: readonly Order[]): Usd {
  return batches
    .map((batch) => {
      const own = orders.filter(({ batch_id }) => batch_id === batch.id);
      return subtractUsd(batch.actual_profit_usd ?? USD_ZERO, payoutOf(batch, own));
    })
    .reduce(addUsd, USD_ZERO);
}

/** Newest first. */
export async function batchesOf(desk: Desk, set: ThreeWay | null): Promise<Batch[]> {
  const query = { limit: 1000, ...(set === null ? {} : { opportunity_id: set.opportunityId }) };
  return (await desk.product().call(listBatches, { query })).reply.data;
}

export async function ordersOf(desk: Desk, filter: { opportunity_id?: string }): Promise<Order[]> {
  const { reply } = await desk.product().call(listOrders, { query: { limit: 1000, ...filter } });
  return reply.data.filter((row) => 'leg' in row);
}

/** The tokens of the set's orders at the exchange, one for each order. */
export async function orderedAt(desk: Desk, { tokenIds }: ThreeWay, side: Side): Promise<string[]> {
  const { orders } = await desk.exchange.state();
  return orders
    .filter((order) => tokenIds.includes(order.asset_id) && order.side === side)
    .map(({ asset_id }) => asset_id)
    .sort();
}

/** Of each position, the shares that the exchange has bought or sold. */
export async function tradedAt(desk: Desk, { tokenIds }: ThreeWay, side: Side): Promise<Shares[]> {
  const { trades } = await desk.exchange.state();
  return tokenIds.map((tokenId) => sizeOf(tradesOf(trades, [tokenId], side)));
}

/** Money in less money out, fees included; trades that failed to settle move none. */
function moneyOf(trades: readonly Trade[]): Usd {
  return trades
    .map(({ side, cost, fee }) => {
      const value = usdFromText(cost);
      return subtractUsd(side === 'BUY' ? (-value as Usd) : value, usdFromText(fee));
    })
    .reduce(addUsd, USD_ZERO);
}

function tradesOf(trades: readonly Trade[], tokenIds: readonly string[], side?: Side): Trade[] {
  return trades.filter(
    (trade) =>
      tokenIds.includes(trade.asset_id) && trade.status !== 'FAILED' && (side === undefined || trade.side === side),
  );
}

function sizeOf(trades: readonly Trade[]): Shares {
  return trades.map(({ size }) => sharesFromText(size)).reduce(addShares, SHARES_ZERO);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** Payout of the whole sets in these orders. */
function payoutOf(batch: Batch, orders: readonly Order[]): Usd {
  const held = orders.filter(({ side }) => side === 'buy').map(({ filled_size, sold_size }) => filled_size - sold_size);
  return notional(Math.min(...held) as Shares, batch.target_price, 'down');
}
