import type { SellSimulation } from '@dutchbook/contract/selling.ts';
import { addShares, formatShares, SHARES_ZERO } from '@dutchbook/units/shares.ts';

type Settling = SellSimulation['settling'];

/** A trade is on the chain within seconds. When it will be, the venue does not say: after this long it is late. */
const USUAL_S = 15;

/** What is being waited for since so many seconds, where the venue has not credited all shares yet. */
export function settlingInWords(settling: Settling, waitedS: number): string {
  const shares = settling.map((each) => each.shares).reduce(addShares, SHARES_ZERO);
  const left = USUAL_S - waitedS;
  const when = left > 0 ? `as a rule done within ${left} s` : `late: for ${waitedS} s so far`;
  return `Waiting for the venue to settle ${formatShares(shares)} shares that were just bought, ${when}. This looks again every second.`;
}
