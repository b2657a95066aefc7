import { type Price, priceFromNumber } from '@dutchbook/units/price.ts';

/** What stands in the price field of each token, by token id. */
export type TypedPrices = Readonly<Record<string, string>>;

/** The price to sell each token at, or better, by token id. */
export type SellPrices = Readonly<Record<string, Price>>;

/** The step of a price field. */
export const PRICE_STEP = '0.0001';

export const SELL_PRICE_RULE = 'Enter a price of 0 to 1 with at most 4 decimals';

/** A price that was typed; nothing, and 0, leave it to the bids. */
export function readSellPrice(text: string): { price: Price | undefined } | { error: string } {
  const typed = text.trim();
  const value = Number(typed);
  if (!/^\d*\.?\d{0,4}$/.test(typed) || !(value <= 1)) return { error: SELL_PRICE_RULE };
  return { price: value === 0 ? undefined : priceFromNumber(value) };
}

/** The prices that are sent: only positive ones, in an order that does not depend on which was typed first. */
export function sellPrices(typed: TypedPrices): SellPrices {
  const prices: Record<string, Price> = {};
  for (const tokenId of Object.keys(typed).sort()) {
    const read = readSellPrice(typed[tokenId] ?? '');
    if ('price' in read && read.price !== undefined) prices[tokenId] = read.price;
  }
  return prices;
}

/** Whether something is typed that is no price and is not sent. */
export function hasWrongPrice(typed: TypedPrices): boolean {
  return Object.values(typed).some((text) => 'error' in readSellPrice(text));
}

/** Whether both ask for the same sale: `0.2` and `0.2000` do. */
export function samePrices(one: SellPrices, other: SellPrices): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
