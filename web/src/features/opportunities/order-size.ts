import { simulateOrders } from '@dutchbook/contract/placing.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import * as z from 'zod/mini';

/** What was typed as an order size, judged by the contract's own rule; nothing typed leaves the size to the server. */
export function readOrderSize(text: string): { shares: Shares | undefined } | { error: string } {
  const trimmed = text.trim();
  if (trimmed === '') return { shares: undefined };
  const query = z.safeDecode(simulateOrders.query, { order_size: trimmed });
  if (query.success) return { shares: query.data.order_size };
  return { error: 'Enter a number of shares greater than 0' };
}
