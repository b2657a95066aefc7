import type { ExpectedDepth } from '@dutchbook/contract/valuation.ts';
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';

/** How much of what is displayed is expected to be met. */
export function expectedWords(
  displayed: Shares,
  { expected_size, orders_like_it: count, orders_needed }: ExpectedDepth,
): string {
  const shown = `The books show ${formatShares(displayed)} sh that pay`;
  const orders = `${count} earlier ${count === 1 ? 'order' : 'orders'} like it`;
  if (expected_size === null)
    return `${shown}. How many of them an order gets is known after ${orders_needed} orders like it, ${count} so far.`;
  return `${shown}. An order is expected to get ${formatShares(expected_size)} of them, by ${orders}.`;
}
