/** Sums over fills and trades, by plain integers of millionths. */
import type { Stored, StoredOrder, VenueTrade } from './truth.ts';

export function ordersFills(stored: Stored, order: Pick<StoredOrder, 'id'>) {
  const attempts = new Set(stored.attempts.filter(({ order_id }) => order_id === order.id).map(({ id }) => id));
  return stored.fills.filter(({ attempt_id, settlement }) => attempts.has(attempt_id) && settlement !== 'failed');
}

export function cashOf({ side, cost, fee }: Pick<VenueTrade, 'side' | 'cost' | 'fee'>): number {
  return (side === 'sell' ? cost : -cost) - fee;
}

export function tradeKey(tradeId: string, hash: string): string {
  return `${tradeId}/${hash}`;
}

export function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/** Booked for what the chain has carried out: no order of the exchange is behind it. */
export function isOfChain({ order_hash }: { order_hash: string }): boolean {
  return order_hash.startsWith('chain:');
}
