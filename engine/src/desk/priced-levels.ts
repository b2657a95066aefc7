import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Book } from '../book/book.ts';
import { type PricingSettings, priceInBook } from '../opportunity/value.ts';
import type { GateQuote } from '../risk/context.ts';
import { midpointOf } from './quote.ts';

export type HeldBook = { book: Book; feed: GateQuote['feed'] };
type Seen = { price: Price | null; feed: GateQuote['feed'] };

/** Most changes of a book lie deeper than pricing looks: what they leave as it was need not be priced again. */
export class PricedLevels {
  readonly #seenOf = new Map<string, Seen>();
  #pricing: PricingSettings;

  constructor(pricing: PricingSettings) {
    this.#pricing = pricing;
  }

  /** New settings price other levels: forget what was compared under the old ones. */
  takeSettings(pricing: PricingSettings): void {
    this.#pricing = pricing;
    this.#seenOf.clear();
  }

  /** Whether pricing sees something else in this token's book than it did the last time this was asked. */
  isNew(tokenId: TokenId, held: HeldBook | undefined): boolean {
    const price = held === undefined ? null : this.#priceSeen(held.book);
    const feed = held?.feed ?? 'none';
    const seen = this.#seenOf.get(tokenId);
    if (seen === undefined) {
      this.#seenOf.set(tokenId, { price, feed });
      return true;
    }
    if (seen.price === price && seen.feed === feed) return false;
    seen.price = price;
    seen.feed = feed;
    return true;
  }

  forget(tokenId: TokenId): void {
    this.#seenOf.delete(tokenId);
  }

  #priceSeen(book: Book): Price | null {
    return this.#pricing.useOrderBookPrices ? priceInBook(book, this.#pricing) : midpointOf(book);
  }
}
