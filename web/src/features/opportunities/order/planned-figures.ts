/** What the orders of a plan add up to as the ticket shows it, and how much of it the books can fill. */
import type { Simulation } from '@dutchbook/contract/placing.ts';
import { minShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, type Usd } from '@dutchbook/units/usd.ts';
import { wholeCents } from '@dutchbook/units/whole-cents.ts';

export type Shown = { cost: Usd; fee: Usd; profit: Usd; costs: readonly Usd[]; fees: readonly Usd[] };

/** What a set pays is its cost, its fees and its profit, also in whole cents, as are the orders of each: as the notification says it. */
export function shownOf({ orders, total_cost, total_fees, expected_profit_usd, split }: Simulation): Shown {
  const exact = { cost: total_cost, fee: total_fees, profit: expected_profit_usd };
  const [cost = exact.cost, fee = exact.fee, profit = exact.profit] =
    split === null ? wholeCents([exact.cost, exact.fee, exact.profit]) : [];
  const [costs, fees] = [orders.map((order) => order.cost), orders.map((order) => order.fee)];
  return { cost, fee, profit, costs: split === null ? wholeCents(costs, cost) : costs, fees: wholeCents(fees, fee) };
}

/** What leaves the account. */
export function costWithFees(simulation: Simulation): Usd {
  const { cost, fee } = shownOf(simulation);
  return addUsd(cost, fee);
}

/**
 * How many sets the books offer, where that is less than the size of a plan to buy: its sums are then of orders that make no such sets.
 * Null where they offer all of it.
 */
export function setsOffered({ split, orders, order_size: size }: Simulation, positions: number): Shares | null {
  const offered = orders.length < positions ? SHARES_ZERO : orders.map((order) => order.size).reduce(minShares, size);
  return split !== null || offered >= size ? null : offered;
}
