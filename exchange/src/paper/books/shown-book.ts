import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import type { DisplayedBook } from '../../matching/book.ts';
import type { BookSide } from '../../matching/order.ts';
import type { Quote } from '../../matching/quotes.ts';

/** The sizes that the real venue shows in one market, whatever the paper account has taken of them. */
export class ShownBook implements DisplayedBook {
  /** By side and price in the first outcome: negative for bids. */
  readonly #sizes = new Map<number, Shares>();
  readonly enter: () => void;
  /** When the venue showed them, in its own time. */
  since: Instant;

  /** @param enter puts `quotes` into the book of the market as orders of the makers */
  constructor(since: Instant, enter: () => void) {
    this.since = since;
    this.enter = enter;
  }

  /** Takes one level. @returns whether its size is another one than before */
  set(quote: Quote): boolean {
    const key = keyOf(quote);
    if ((this.#sizes.get(key) ?? SHARES_ZERO) === quote.size) return false;
    if (quote.size > 0) this.#sizes.set(key, quote.size);
    else this.#sizes.delete(key);
    return true;
  }

  /** Takes a whole book. @returns the levels whose size is another one than before, those that are gone first */
  replace(quotes: readonly Quote[]): Quote[] {
    const wanted = new Set(quotes.map(keyOf));
    const gone = this.quotes().filter((quote) => !wanted.has(keyOf(quote)));
    return [...gone.map((quote) => ({ ...quote, size: SHARES_ZERO })), ...quotes].filter((quote) => this.set(quote));
  }

  /** All levels, in no order. */
  quotes(): Quote[] {
    return [...this.#sizes].map(([key, size]) => ({ side: sideOf(key), price: priceOf(key), size }));
  }

  levels(side: BookSide): { price: Price; total: Shares }[] {
    const here = [...this.#sizes].filter(([key]) => sideOf(key) === side).sort(([a], [b]) => a - b);
    return here.map(([key, total]) => ({ price: priceOf(key), total }));
  }

  best(side: BookSide): Price | undefined {
    let best: number | undefined;
    for (const key of this.#sizes.keys()) {
      if (sideOf(key) === side && (best === undefined || key < best)) best = key;
    }
    return best === undefined ? undefined : priceOf(best);
  }

  sizeAt(side: BookSide, price: Price): Shares {
    return this.#sizes.get(keyOf({ side, price })) ?? SHARES_ZERO;
  }
}

/** A key by side and price. Of two keys of one side the smaller one is of the better price. */
export function keyOf({ side, price }: Omit<Quote, 'size'>): number {
  return side === 'bid' ? -price : price;
}

function sideOf(key: number): BookSide {
  return key < 0 ? 'bid' : 'ask';
}

function priceOf(key: number): Price {
  return Math.abs(key) as Price;
}
