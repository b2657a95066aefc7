import type { Simulation } from '@dutchbook/contract/placing.ts';
import { ONE_SHARE, type Shares } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';

type Priced = Pick<Simulation, 'order_size' | 'total_cost' | 'total_fees'>;

/** The whole shares that so many dollars buy at what a set of the plan costs with its fees; null where that says nothing. */
export function sizeForDollars(text: string, { order_size, total_cost, total_fees }: Priced): Shares | null {
  const paid = total_cost + total_fees;
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text.trim()) || paid <= 0) return null;
  const sets = (usdFromText(text.trim()) / paid) * order_size;
  const size = Math.floor(sets / ONE_SHARE) * ONE_SHARE;
  return size > 0 ? (size as Shares) : null;
}
