/** What a batch holds, has paid and is still to be paid, by plain integers of millionths. */
import { LEAST_SIZE } from '@dutchbook/units/shares.ts';
import { cashOf, ordersFills, sum } from './fill-sums.ts';
import type { Stored, StoredBatch } from './truth.ts';

/** `resolvedValue`: what a share pays, where it is stored that its market has resolved. */
type Position = { held: number; resolvedValue: number | null };

export function positionsOf(batch: StoredBatch, stored: Stored): Position[] {
  const orders = countedOrders(batch, stored);
  return orders
    .filter(({ side, chain_step_id: id }) => side === 'buy' && (id === null || id === batch.split_step_id))
    .map((buy) => {
      const sales = orders.filter(({ sells_order_id }) => sells_order_id === buy.id);
      const bought = sum(ordersFills(stored, buy), ({ size }) => size);
      const sold = sum(sales, (sale) => sum(ordersFills(stored, sale), ({ size }) => size));
      // What was bought may fail to settle after it was sold.
      return { held: Math.max(0, bought - sold), resolvedValue: buy.resolved_value };
    });
}

/**
 * The orders of a batch without the sales of a conversion of which a call is still to be proven: until then its shares count as what they
 * were.
 */
function countedOrders(batch: StoredBatch, stored: Stored) {
  const orders = stored.orders.filter(({ batch_id }) => batch_id === batch.id);
  const conversions = orders.filter(({ side, chain_step_id: id }) => side === 'sell' && id !== null);
  const proven = new Set(stored.attempts.map(({ order_id }) => order_id));
  const underWay = new Set(
    conversions.filter(({ id, status }) => status !== 'failed' && !proven.has(id)).map(({ sale_id }) => sale_id),
  );
  return orders.filter((order) => !conversions.includes(order) || !underWay.has(order.sale_id));
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
  const isVoided = positions.some(({ resolvedValue: value }) => value !== null && value !== 0 && value !== 1e6);
  if (isVoided || positions.every(({ resolvedValue }) => resolvedValue !== null)) return 0;
  return Math.min(...positions.map(({ held }) => held));
}

/** Whether shares are held that no set needs, as many as could be sold, and that may still be worth anything. */
export function isUneven(batch: StoredBatch, positions: readonly Position[]): boolean {
  const sets = setsStillWhole(positions);
  return (
    !isSoldOut(batch) &&
    positions.some(({ held, resolvedValue }) => held - sets >= LEAST_SIZE && resolvedValue === null)
  );
}

/** What the sets still held will pay, and what shares of resolved markets pay beside them. */
export function unpaidOf(batch: StoredBatch, positions: readonly Position[]): number {
  if (isSoldOut(batch) || batch.total_orders === 0) return 0;
  const sets = setsStillWhole(positions);
  const setPays = Math.max(
    batch.target_price,
    sum(positions, ({ resolvedValue }) => resolvedValue ?? 0),
  );
  const beyond = sum(positions, ({ held, resolvedValue }) => Math.floor(((held - sets) * (resolvedValue ?? 0)) / 1e6));
  return Math.floor((sets * setPays) / 1e6) + beyond;
}

/** What sales brought, less what was paid: from stored fills, fees included. */
export function moneyOf(batch: StoredBatch, stored: Stored): number {
  const orders = countedOrders(batch, stored);
  return sum(orders, (order) => sum(ordersFills(stored, order), (fill) => cashOf({ ...fill, side: order.side })));
}
