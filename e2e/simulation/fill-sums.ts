/** Sums over fills and trades, by plain integers of millionths. */
import type { Stored, StoredOrder, VenueTrade } from './truth.ts';

export function ordersFills(stored: Stored, order: Pick<StoredOrder, 'id'>) {
  const attempts = new Set(stored.attempts.filter(({ order_id }) => order_id === order.id).map(({ id }) => id));
  return stored.fills.filter(({ attempt_id, settlement }) => attempts.has(attempt_id) && settlement !== 'failed');
}

export function cashOf({ side, price, size, fee }: Pick<VenueTrade, 'side' | 'price' | 'size' | 'fee'>): number {
  const dollars = exactDollars([{ price, size }]);
  return (side === 'sell' ? dollars : -dollars) - fee;
}

/** Sizes are whole hundredths and prices whole ten-thousandths, so nothing is ever rounded. */
export function exactDollars(parts: readonly { price: number; size: number }[]): number {
  const micro = parts.reduce((total, { price, size }) => total + BigInt(price) * BigInt(size), 0n);
  if (micro % 1_000_000n !== 0n) throw new Error('a trade was not of whole hundredths at a whole tick');
  return Number(micro / 1_000_000n);
}

export function tradeKey(tradeId: string, hash: string): string {
  return `${tradeId}/${hash}`;
}

export function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
