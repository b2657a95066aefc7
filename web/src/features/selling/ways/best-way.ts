/** Which way out of a whole batch brings most. */
import type { Batch } from '@dutchbook/contract/batches.ts';
import type { CashNowSimulation, OrderExits } from '@dutchbook/contract/exits.ts';
import type { Order } from '@dutchbook/contract/orders.ts';
import type { ExitRoute } from '@dutchbook/contract/portfolio.ts';
import { addUsd, formatUsd, notional, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { ALL_SOLD, type Choices, chooseForAll, type WayName } from './exit-choices.ts';

/** `totals`: what each way brings at least, whatever comes true, and undefined where it is not offered. */
export type BestWay = { way: WayName; totals: Totals };

type Totals = Readonly<Record<'sell' | 'hold', Usd> & { cash_now: Usd | undefined }>;

type Known = {
  /** Undefined where the venue does not say what its contracts make of it. */
  whole: Pick<CashNowSimulation, 'routes'> | undefined;
  converts: boolean;
  /** What selling all of it at the bids brings after fees; undefined while it is not known. */
  saleBrings: Usd | undefined;
  batch: Pick<Batch, 'actual_profit_usd' | 'unhedged'>;
  orders: readonly BoughtOrder[];
};

type BoughtOrder = Pick<Order, 'sold_size' | 'filled_size' | 'average_price' | 'fee'>;

/** Undefined where the ways cannot be compared or all bring as much. Of ways that bring as much it is the one with the dollars first. */
export function bestWay(known: Known): BestWay | undefined {
  const totals = totalsOf(known);
  if (totals === undefined || Object.values(totals).every((total) => (total ?? USD_ZERO) === totals.hold))
    return undefined;
  let way: WayName = 'sell';
  for (const other of ['cash_now', 'hold'] as const)
    if ((totals[other] ?? USD_ZERO) > (totals[way] ?? USD_ZERO)) way = other;
  return { way, totals };
}

/** The choice that a dialog begins with. */
export function choiceOf(best: BestWay | undefined, orders: readonly OrderExits[]): Choices {
  return best === undefined || best.way === 'sell' ? ALL_SOLD : chooseForAll(best.way, orders);
}

/** How much more the best way brings: than selling, or of a sale than holding. */
export function bestWords({ way, totals }: BestWay): string {
  const more = formatUsd(subtractUsd(totals[way] ?? USD_ZERO, way === 'sell' ? totals.hold : totals.sell));
  if (way === 'sell') return `Brings ${more} more than holding is sure to pay.`;
  return way === 'hold' ? `Sure to pay ${more} more than Sell brings.` : `Brings ${more} more than Sell.`;
}

function totalsOf({ whole, converts, saleBrings, batch, orders }: Known): Totals | undefined {
  const routes = whole?.routes ?? null;
  const paid = paidBySets(batch, orders);
  if (routes === null)
    return saleBrings === undefined || paid === undefined
      ? undefined
      : { sell: saleBrings, cash_now: undefined, hold: paid };
  const { sell, cash_now, hold } = routes;
  return {
    sell: leastOf(sell),
    cash_now: converts ? leastOf(cash_now) : undefined,
    // The venue knows no sets that reach over several events, or that a relation makes.
    hold: Math.max(leastOf(hold), paid ?? USD_ZERO) as Usd,
  };
}

/** What whole sets pay that are all still held: their cost with its fees, and the profit that they lock. */
function paidBySets({ actual_profit_usd: locked, unhedged }: Known['batch'], orders: readonly BoughtOrder[]) {
  if (locked === null || unhedged !== null || orders.length === 0) return undefined;
  if (orders.some(({ sold_size }) => sold_size > 0)) return undefined;
  return orders.reduce((sum, order) => addUsd(sum, costOf(order)), locked);
}

const costOf = ({ filled_size, average_price, fee }: BoughtOrder): Usd =>
  average_price === null ? USD_ZERO : addUsd(notional(filled_size, average_price, 'up'), fee);

function leastOf({ net_usd, held_least_usd }: ExitRoute): Usd {
  return addUsd(net_usd, held_least_usd);
}
