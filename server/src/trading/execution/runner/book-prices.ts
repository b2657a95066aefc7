import { averageAsk, sizeWithin } from '@dutchbook/engine/book/walk.ts';
import { feeCategoryOf } from '@dutchbook/engine/market/fee-category.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Quotes } from '../../../market/markets/live-quotes.ts';
import type { AttemptRecord, OrderRecord } from '../../orders/batch-state.ts';

/** The prices kept from the book by which an order was signed. */
export type BookPrices = Pick<
  AttemptRecord,
  'bookPriceOfOrder' | 'bookPrice' | 'bookDepth' | 'bookAgeMs' | 'feeCategory'
>;

export const NO_BOOK_PRICES: BookPrices = {
  ...{ bookPriceOfOrder: null, bookPrice: null, bookDepth: null, bookAgeMs: null, feeCategory: null },
};

/** `size`: what is signed of it. */
type Signed = Pick<OrderRecord, 'leg' | 'marketId' | 'outcome' | 'side' | 'price'> & {
  size: Shares;
  orderSize: Shares;
};

/** Prices by the current book; none for a sale or a stale book. */
export function bookPricesNow(quotes: Pick<Quotes, 'current'>, { size, orderSize, ...order }: Signed): BookPrices {
  if (order.side === 'sell') return NO_BOOK_PRICES;
  const [quote] = quotes.current([order]);
  if (quote?.book === undefined || quote.feed === 'stale') return NO_BOOK_PRICES;
  const { asks } = quote.book;
  const bookPrice = averageAsk(asks, size);
  return {
    bookPriceOfOrder: size === orderSize ? bookPrice : averageAsk(asks, orderSize),
    bookPrice,
    bookDepth: sizeWithin(asks, order.price, 'buy'),
    bookAgeMs: quote.bookAgeMs === null ? null : Math.round(quote.bookAgeMs),
    feeCategory: quote.market === undefined ? null : feeCategoryOf(quote.market),
  };
}
