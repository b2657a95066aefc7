import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';

const HALF_A_CENT = 5_000;

/** Dollars of what pays, which are never said to be nothing. */
export function payingWords(usd: Usd): string {
  return usd > 0 && usd < HALF_A_CENT ? 'under $0.01' : formatUsd(usd);
}
