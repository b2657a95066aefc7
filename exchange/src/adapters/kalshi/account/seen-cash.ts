import type { Instant } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { Balances } from '../../../matching/balances.ts';
import { MARKET_MAKER } from '../../../matching/order.ts';

/** No read is further behind. */
const KEPT_MS = 600_000;

/** History of the free cash of pockets: reads of cash lag behind the matching engine as far as reads of orders. */
export class SeenCash {
  readonly #past = new Map<string, { readonly at: Instant; readonly free: Usd }[]>();

  constructor(balances: Balances, now: () => Instant) {
    balances.onCash = (pocket) => {
      if (pocket === MARKET_MAKER) return;
      const past = this.#past.get(pocket) ?? [];
      const at = now();
      if (past.at(-1)?.at === at) past.pop();
      past.push({ at, free: balances.freeCash(pocket) });
      while ((past[1]?.at ?? at) < at - KEPT_MS) past.shift();
      this.#past.set(pocket, past);
    };
  }

  /** The free cash at that time less that of now. */
  sinceSpent(pocket: string, at: number): number {
    const past = this.#past.get(pocket) ?? [];
    const seen = past.findLast((each) => each.at <= at) ?? past[0];
    return (seen?.free ?? 0) - (past.at(-1)?.free ?? 0);
  }
}
