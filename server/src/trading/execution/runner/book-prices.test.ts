import { bookOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import type { LiveQuote } from '../../../market/markets/live-quotes.ts';
import { bookPricesNow, NO_BOOK_PRICES } from './book-prices.ts';

const ASKS = [
  [0.4, 5],
  [0.5, 5],
] as const;

const ORDER = {
  ...{ leg: 1, marketId: 'rain', outcome: 'Yes', side: 'buy' as const, price: priceFromText('0.4') },
  ...{ size: sharesFromText('6'), orderSize: sharesFromText('10') },
};

const QUOTE: LiveQuote = {
  ...{ leg: 1, marketId: 'rain', outcome: 'Yes', tokenId: 'rain-yes', market: undefined, book: bookOf(ASKS) },
  ...{ midpoint: null, lastTrade: null, feed: 'live', bookAgeMs: 0 },
};

describe('what the book costs as an order is signed', () => {
  it('is that of the whole order, and of what is signed of it, rounded up', () => {
    const prices = {
      ...{ bookPriceOfOrder: priceFromText('0.45'), bookPrice: priceFromText('0.416667') },
      ...{ bookDepth: sharesFromText('5'), bookAgeMs: 0, feeCategory: null },
    };
    expect(bookPricesNow({ current: () => [QUOTE] }, ORDER)).toEqual(prices);
  });

  it('is not known of a sale, of a stale book, and where there is none', () => {
    expect(bookPricesNow({ current: () => [QUOTE] }, { ...ORDER, side: 'sell' })).toEqual(NO_BOOK_PRICES);
    expect(bookPricesNow({ current: () => [{ ...QUOTE, feed: 'stale' }] }, ORDER)).toEqual(NO_BOOK_PRICES);
    expect(bookPricesNow({ current: () => [] }, ORDER)).toEqual(NO_BOOK_PRICES);
  });
});
