import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { type PricingSettings, priceInBook } from '@dutchbook/engine/opportunity/value.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { pricingSettings } from '../../../people/system-settings/in-units.ts';
import type { SystemSettings } from '../../../people/system-settings/watched-settings.ts';
import type { HeldBook } from './books.ts';
import { midpointOf } from './live-quote.ts';

type SeenBook = Pick<HeldBook, 'book' | 'feed'>;
type Seen = { price: Price | null; feed: HeldBook['feed'] | 'none' };

export type PricedLevels = {
  /** Whether pricing sees something else in this token's book than it did the last time this was asked. */
  isNew: (tokenId: string, held: SeenBook | undefined) => boolean;
  forget: (tokenIds: readonly string[]) => void;
};

/** Most changes of a book lie deeper than pricing looks: what they leave as it was need not be priced again. */
export function createPricedLevels(settings: SystemSettings): PricedLevels {
  const seenOf = new Map<string, Seen>();
  let readFrom: Settings | null = null;
  let pricing: PricingSettings | null = null;

  /** What was seen by other settings says nothing about these. */
  const pricingNow = (): PricingSettings => {
    const now = settings.current();
    if (pricing !== null && readFrom === now) return pricing;
    seenOf.clear();
    readFrom = now;
    pricing = pricingSettings(now);
    return pricing;
  };
  return {
    isNew: (tokenId, held) => {
      const settingsNow = pricingNow();
      const price = held === undefined ? null : priceSeen(held, settingsNow);
      const feed = held?.feed ?? 'none';
      const seen = seenOf.get(tokenId);
      if (seen === undefined) {
        seenOf.set(tokenId, { price, feed });
        return true;
      }
      if (seen.price === price && seen.feed === feed) return false;
      seen.price = price;
      seen.feed = feed;
      return true;
    },
    forget: (tokenIds) => {
      for (const tokenId of tokenIds) seenOf.delete(tokenId);
    },
  };
}

function priceSeen({ book }: SeenBook, settings: PricingSettings): Price | null {
  return settings.useOrderBookPrices ? priceInBook(book, settings) : midpointOf(book);
}
