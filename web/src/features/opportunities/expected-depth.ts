import type { ExpectedDepth } from '@dutchbook/contract/valuation.ts';
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';

/** How much of what is displayed is expected to be met. */
export function expectedWords(
  displayed: Shares,
  { expected_size, orders_like_it: count, orders_needed }: ExpectedDepth,
): string {
  const shown = `Displayed ${formatShares(displayed)}`;
  const orders = `${count} ${count === 1 ? 'order' : 'orders'} like it`;
  if (expected_size === null)
    return `${shown}; how much of it is met is not known (${orders}, ${orders_needed} are needed).`;
  return `${shown}, expected to meet ${formatShares(expected_size)} (${orders}).`;
}
