import { PRICE_ONE, type Price, type Tick } from '@dutchbook/units/price.ts';
import { ONE_SHARE, type Shares } from '@dutchbook/units/shares.ts';
import type { BookSide } from '../matching/order.ts';
import type { Quote } from '../matching/quotes.ts';
import type { TopOfBook } from './prices.ts';
import type { Random } from './random.ts';

const LEVELS = 6;
const FIRST_LEVEL_SHARES = { low: 80, high: 420 };
const DEEPER_SHARES_PER_LEVEL = 260;
/** Levels stand this far apart, however fine the tick is. */
const LEVEL_STEP = 10_000;

/** The sizes that the makers show, remembered per price so that a moving price leaves most levels alone. */
export class Ladder {
  readonly #random: Random;
  readonly #sizes = new Map<string, Shares>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Several levels on both sides of the book, away from `top`. */
  quotes(top: TopOfBook, tick: Tick): Quote[] {
    const step = Math.max(tick, LEVEL_STEP);
    const quotes: Quote[] = [];
    for (let depth = 0; depth < LEVELS; depth++) {
      const bid = top.bid - depth * step;
      const ask = top.ask + depth * step;
      if (bid >= tick) quotes.push(this.#quote('bid', bid as Price, depth));
      if (ask <= PRICE_ONE - tick) quotes.push(this.#quote('ask', ask as Price, depth));
    }
    return quotes;
  }

  /** Forgets the size at one level, so that it is drawn anew. */
  reroll(quotes: readonly Quote[]): void {
    const quote = this.#random.pick(quotes);
    if (quote !== undefined) this.#sizes.delete(`${quote.side}${quote.price}`);
  }

  #quote(side: BookSide, price: Price, depth: number): Quote {
    const key = `${side}${price}`;
    const remembered = this.#sizes.get(key);
    const { low, high } = FIRST_LEVEL_SHARES;
    const size = remembered ?? (((this.#random.between(low, high) + depth * this.#drawDepth()) * ONE_SHARE) as Shares);
    this.#sizes.set(key, size);
    return { side, price, size };
  }

  #drawDepth(): number {
    return this.#random.between(DEEPER_SHARES_PER_LEVEL / 2, DEEPER_SHARES_PER_LEVEL);
  }
}
