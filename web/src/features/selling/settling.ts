import type { SellSimulation } from '@dutchbook/contract/selling.ts';
import { addShares, formatShares, SHARES_ZERO } from '@dutchbook/units/shares.ts';

type Settling = SellSimulation['settling'];

/** What is being waited for since so many seconds, where the venue has not credited all shares yet: when it will, it does not say. */
export function settlingInWords(settling: Settling, waitedS: number): string {
  const shares = settling.map((each) => each.shares).reduce(addShares, SHARES_ZERO);
  return `Waiting for the venue to settle ${formatShares(shares)} shares that were just bought, for ${waitedS} s so far; it takes seconds as a rule. This looks again every second.`;
}
