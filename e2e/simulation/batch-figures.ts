/** What a batch holds, has paid and is still to be paid, by plain integers of millionths. */
import { LEAST_SIZE } from '@dutchbook/units/shares.ts';
import { cashOf, ordersFills, sum } from './fill-sums.ts';
import type { Stored, StoredBatch, StoredOrder } from './truth.ts';

/** `resolvedValue`: what a share pays, where it is stored that its market has resolved. `isReceived`: a contract handed the shares out. */
type Position = { market: string; outcome: string; held: number; resolvedValue: number | null; isReceived: boolean };

/** What the batch bought, before what contracts handed out for it. */
export function positionsOf(batch: StoredBatch, stored: Stored, orders = ordersOf(batch, stored)): Position[] {
  return orders
    .filter(({ side }) => side === 'buy')
    .map((buy) => {
      const sales = orders.filter(({ sells_order_id }) => sells_order_id === buy.id);
      const bought = sum(ordersFills(stored, buy), ({ size }) => size);
      const sold = sum(sales, (sale) => sum(ordersFills(stored, sale), ({ size }) => size));
      const { market_id: market, outcome, resolved_value: resolvedValue, chain_step_id: step } = buy;
      // What was bought may fail to settle after it was sold.
      const held = Math.max(0, bought - sold);
      return { market, outcome, held, resolvedValue, isReceived: step !== null && step !== batch.split_step_id };
    })
    .sort((one, other) => Number(one.isReceived) - Number(other.isReceived));
}

function ordersOf(batch: StoredBatch, stored: Stored): StoredOrder[] {
  return stored.orders.filter(({ batch_id }) => batch_id === batch.id);
}

/**
 * The orders of a batch as its figures may count them. From the first call of a conversion that is booked its shares count as what they were
 * until the last call is proven, and it is under way from its recording: with and without the orders of each that is under way.
 */
export function countedOrders(batch: StoredBatch, stored: Stored): StoredOrder[][] {
  const orders = ordersOf(batch, stored);
  const conversions = orders.filter(({ side, chain_step_id: id }) => side === 'sell' && id !== null);
  const proven = new Set(stored.attempts.map(({ order_id }) => order_id));
  const underWay = new Set(
    conversions.filter(({ id, status }) => status !== 'failed' && !proven.has(id)).map(({ sale_id }) => sale_id),
  );
  const views = [orders];
  for (const request of underWay) {
    const steps = new Set(conversions.filter(({ sale_id }) => sale_id === request).map((order) => order.chain_step_id));
    for (const view of [...views]) views.push(view.filter(({ chain_step_id: id }) => id === null || !steps.has(id)));
  }
  return views;
}

/** The positions as they were at any time since the first of their markets resolved, as they are first of all. */
export function asResolvedSoFar(positions: readonly Position[]): Position[][] {
  const [first, ...rest] = positions;
  if (first === undefined) return [[]];
  const open = { ...first, resolvedValue: null };
  const known = first.resolvedValue === null ? [first] : [first, open];
  return known.flatMap((position) => asResolvedSoFar(rest).map((others) => [position, ...others]));
}

/** A batch that was canceled or failed stays so when what it had bought is sold; the moment of it is all that tells. */
export function isSoldOut({ status, sold_at }: StoredBatch): boolean {
  return status === 'sold' || sold_at !== null;
}

/**
 * Sets that still pay what was promised or more. A voided market breaks that promise, and once all markets have resolved every share
 * counts by what it pays.
 */
function setsStillWhole(positions: readonly Position[]): number {
  const bought = positions.filter(({ isReceived }) => !isReceived);
  const isVoided = bought.some(({ resolvedValue: value }) => value !== null && value !== 0 && value !== 1e6);
  if (isVoided || bought.every(({ resolvedValue }) => resolvedValue !== null)) return 0;
  return Math.min(...bought.map(({ held }) => held));
}

/** Shares of the position beyond whole sets, and of them those that a contract has handed out the opposite of, which pay a dollar together. */
function beyondSets(positions: readonly Position[]): (Position & { beyond: number; paired: number })[] {
  const sets = setsStillWhole(positions);
  return positions.map((position) => {
    const { market, outcome, isReceived, resolvedValue } = position;
    const beyond = isReceived ? position.held : position.held - sets;
    if (isReceived || resolvedValue !== null) return { ...position, beyond, paired: 0 };
    const others = positions.filter((one) => one.isReceived && one.market === market && one.outcome !== outcome);
    return {
      ...position,
      beyond,
      paired: Math.min(
        beyond,
        sum(others, (one) => one.held),
      ),
    };
  });
}

/** Whether shares are held that no set needs, as many as could be sold, and that may still be worth anything. */
export function isUneven(batch: StoredBatch, positions: readonly Position[]): boolean {
  return (
    !isSoldOut(batch) &&
    beyondSets(positions).some(
      ({ beyond, paired, resolvedValue, isReceived }) =>
        !isReceived && beyond - paired >= LEAST_SIZE && resolvedValue === null,
    )
  );
}

/** What the sets still held will pay, and what shares of resolved markets and pairs of both outcomes pay beside them. */
export function unpaidOf(batch: StoredBatch, positions: readonly Position[]): number {
  if (isSoldOut(batch) || batch.total_orders === 0) return 0;
  const bought = positions.filter(({ isReceived }) => !isReceived);
  const setPays = Math.max(
    batch.target_price,
    sum(bought, ({ resolvedValue }) => resolvedValue ?? 0),
  );
  const beside = sum(beyondSets(positions), ({ beyond, paired, resolvedValue }) =>
    resolvedValue === null ? paired : Math.floor((beyond * resolvedValue) / 1e6),
  );
  return Math.floor((setsStillWhole(positions) * setPays) / 1e6) + beside;
}

/** What sales brought, less what was paid: from stored fills, fees included. */
export function moneyOf(stored: Stored, orders: readonly StoredOrder[]): number {
  return sum(orders, (order) => sum(ordersFills(stored, order), (fill) => cashOf({ ...fill, side: order.side })));
}
