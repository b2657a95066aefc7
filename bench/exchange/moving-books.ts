/** Books of the simulated exchange that change at a steady pace and lead nowhere. */

import type { Quote } from '@dutchbook/exchange/matching/quotes.ts';
import type { Market } from '@dutchbook/exchange/matching-engine/market.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';

const PAUSE_MS = 1;

/** Of one market after the other the best bid goes and, a round later, comes back: a frame each. @returns what ends it, and says how many there were */
export function moveBooks(
  markets: readonly Market[],
  framesPerSecond: number,
  show: (market: Market, quote: Quote) => void,
): () => number {
  const gone = new Map<Market, Quote>();
  const startedAtMs = performance.now();
  let frames = 0;
  const moveOne = () => {
    const market = markets[frames % markets.length];
    frames += 1;
    if (market === undefined) return;
    const back = gone.get(market);
    const [best] = market.book.levels('bid');
    if (back !== undefined) {
      gone.delete(market);
      show(market, back);
    } else if (best !== undefined) {
      gone.set(market, { side: 'bid', price: best.price, size: best.total });
      show(market, { side: 'bid', price: best.price, size: SHARES_ZERO });
    }
  };
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAtMs) / 1000) * framesPerSecond);
    while (frames < due) moveOne();
  }, PAUSE_MS);
  return () => {
    clearInterval(timer);
    for (const [market, back] of gone) show(market, back);
    return frames;
  };
}
