import { microToFixed } from '@dutchbook/units/micro.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

/** Dollars that count per share or per set: a fraction of a cent matters, so they read like prices. */
export function formatPerShare(usd: Usd): string {
  return microToFixed(usd, 4);
}
