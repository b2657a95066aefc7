/** Which way out each order of a batch takes: sold, converted into dollars now, or held. */
import type { OrderExits } from '@dutchbook/contract/exits.ts';
import type { SellSimulation } from '@dutchbook/contract/selling.ts';
import { PERCENT_ZERO, type Percent, percentOf } from '@dutchbook/units/percent.ts';
import { PRICE_ZERO } from '@dutchbook/units/price.ts';
import { addShares, SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { addUsd, pricePerShare, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Simulated } from '../../../calls/use-simulation.ts';
import { conversionRefusal } from '../../chain-steps/conversion-refusal.ts';
import type { SaleFigures } from '../sale-figures.ts';
import { type ReadySale, type ShownSale, sellAllRefusal } from '../sell-all-readiness.ts';
import type { SellPrices, TypedPrices } from '../sell-prices.ts';

export const WAYS = [
  { way: 'sell', name: 'Sell' },
  { way: 'cash_now', name: 'Cash Now' },
  { way: 'hold', name: 'Hold' },
] as const;

export type WayName = (typeof WAYS)[number]['way'];

/** Choice by order; orders that cannot leave now belong to `rest`. */
export type Choices = { rest: 'sell' | 'hold'; byOrder: Readonly<Record<string, WayName>> };

export const ALL_SOLD: Choices = { rest: 'sell', byOrder: {} };

type Convertible = Pick<OrderExits, 'order_id' | 'cash_now'>;

export function wayOf({ rest, byOrder }: Choices, orderId: string): WayName {
  return byOrder[orderId] ?? rest;
}

/** One way for all of them; what cannot be converted is held rather than sold unasked. */
export function chooseForAll(way: WayName, orders: readonly Convertible[]): Choices {
  const chosen = orders.map((order) => [order.order_id, possible(way, order)] as const);
  return { rest: way === 'sell' ? 'sell' : 'hold', byOrder: Object.fromEntries(chosen) };
}

export function chooseForOne(way: WayName, orderId: string, { rest, byOrder }: Choices = ALL_SOLD): Choices {
  return { rest, byOrder: { ...byOrder, [orderId]: way } };
}

function possible(way: WayName, { cash_now }: Convertible): WayName {
  return way === 'cash_now' && cash_now.shares === 0 ? 'hold' : way;
}

export function isChosenForAll(way: WayName, choices: Choices, orders: readonly Convertible[]): boolean {
  if (orders.length === 0) return choices.rest === way;
  return orders.every((order) => wayOf(choices, order.order_id) === possible(way, order));
}

/** It is the sale of the whole batch, as if there were no other way. */
export function sellsAll({ rest, byOrder }: Choices): boolean {
  return rest === 'sell' && Object.values(byOrder).every((way) => way === 'sell');
}

/** The orders whose shares are converted into dollars. */
export function convertedOrders(choices: Choices, orders: readonly Convertible[]): string[] {
  return orders.map(({ order_id }) => order_id).filter((id) => wayOf(choices, id) === 'cash_now');
}

/** What selling only the orders on `sell` would bring. */
export function saleOfChosen(sale: SaleFigures, choices: Choices): SaleFigures {
  if (sellsAll(choices)) return sale;
  const isSold = ({ order_id }: { order_id: string }) => wayOf(choices, order_id) === 'sell';
  const orders = sale.orders.filter(isSold);
  const sum = (of: (order: (typeof orders)[number]) => Usd) =>
    orders.reduce((total, order) => addUsd(total, of(order)), USD_ZERO);
  const proceeds = sum((order) => order.proceeds);
  const fees = sum((order) => order.fee);
  const cost = sum((order) => order.original_value);
  const shares = orders.reduce((total, { sell_size }) => addShares(total, sell_size), SHARES_ZERO);
  const paid = addUsd(
    cost,
    sum((order) => order.buy_fee),
  );
  const profit = subtractUsd(subtractUsd(proceeds, fees), paid);
  return {
    ...sale,
    total_orders: orders.length,
    sellable_orders: orders.length,
    total_original_value: cost,
    estimated_proceeds: proceeds,
    estimated_fees: fees,
    estimated_profit: profit,
    estimated_profit_percentage: signedPercent(profit, paid),
    average_original_price: shares === 0 ? PRICE_ZERO : pricePerShare(cost, shares, 'up'),
    average_sell_price: shares === 0 ? PRICE_ZERO : pricePerShare(proceeds, shares, 'down'),
    orders,
    settling: sale.settling.filter(isSold),
    // What is said of sales is said of nothing.
    ...(orders.length === 0 && { warnings: [], errors: [] }),
  };
}

function signedPercent(part: Usd, whole: Usd): Percent {
  if (whole <= 0) return PERCENT_ZERO;
  const size = percentOf(Math.abs(part) as Usd, whole, part < 0 ? 'up' : 'down');
  return (part < 0 ? -size : size) as Percent;
}

/** What is carried out: the sales of the chosen orders as they are shown, and the orders that are converted into dollars. */
export type ReadyExit = ReadySale & { sellsAll: boolean; convertedIds: readonly string[] };

type Simulation = { asked: SellPrices; simulation: SellSimulation };

export function readyExit(
  { asked, simulation }: Simulation,
  choices: Choices,
  convertedIds: readonly string[],
): ReadyExit {
  const orders = simulation.orders.filter(({ order_id }) => wayOf(choices, order_id) === 'sell');
  return { asked, simulation: { orders }, sellsAll: sellsAll(choices), convertedIds };
}

const SALE = 'Sells at these sell prices or better. What finds no bid is kept.';

/** What the button says, and what pressing it does, of so many orders each way. */
export function exitWords(soldOrders: number, convertedOrders: number): { execute: string; promise: string } {
  if (convertedOrders === 0) return { execute: 'Execute Sell Orders', promise: SALE };
  if (soldOrders === 0) return { execute: 'Cash Now', promise: 'Plans Cash Now of these orders. It is sent at once.' };
  return {
    execute: 'Execute Sell Orders and Cash Now',
    promise: `${SALE} Cash Now of the others is planned, and sent at once.`,
  };
}

type Plan = { steps: readonly unknown[]; errors: readonly string[] };

type Exit = {
  choices: Choices;
  typed: TypedPrices;
  shown: ShownSale;
  /** How many of those on `sell` find a bid. */
  soldOrders: number;
  converted: { orderIds: readonly string[]; plan: Simulated<unknown, Plan> | undefined };
  isDisarmed: boolean;
};

/** Why the choice cannot be carried out now; `undefined` when what would be done is just what is shown. */
export function exitRefusal({ choices, typed, shown, soldOrders, converted, isDisarmed }: Exit): string | undefined {
  if (sellsAll(choices)) return sellAllRefusal(typed, shown);
  if (soldOrders === 0 && converted.orderIds.length === 0)
    return 'Nothing is sold or converted into dollars: all is held.';
  const refusal = soldOrders === 0 ? undefined : sellAllRefusal(typed, shown);
  return refusal ?? (converted.orderIds.length === 0 ? undefined : conversionRefusal(converted.plan, isDisarmed));
}
