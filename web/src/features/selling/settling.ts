import type { SellSimulation } from '@dutchbook/contract/selling.ts';
import { addShares, formatShares, SHARES_ZERO } from '@dutchbook/units/shares.ts';

type Settling = SellSimulation['settling'];

/** What is being waited for, where the venue has not credited all shares yet. */
export function settlingInWords(settling: Settling): string {
  const shares = settling.map((each) => each.shares).reduce(addShares, SHARES_ZERO);
  return `Waiting for the venue to settle ${formatShares(shares)} shares that were just bought. This looks again every second.`;
}
