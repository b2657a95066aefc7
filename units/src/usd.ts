import {
  MICRO,
  type Micro,
  microFromNumber,
  microFromText,
  microToFixed,
  microToNumber,
  microToText,
  mulAddDiv,
  mulDiv,
  type Rounding,
  UnitError,
} from './micro.ts';
import type { Price } from './price.ts';
import type { Shares } from './shares.ts';

/** Dollars, in micro-dollars; negative where money is lost. */
export type Usd = Micro<'dollars'>;

export const USD_ZERO = 0 as Usd;

/** @throws UnitError unless a decimal with at most six decimals. */
export function usdFromText(text: string): Usd {
  return microFromText(text, 'dollars') as Usd;
}

/** @throws UnitError unless finite; rounded to the nearest micro-dollar. */
export function usdFromNumber(value: number): Usd {
  return microFromNumber(value, 'dollars') as Usd;
}

/** From an integer count of micro-dollars, as stored. @throws UnitError unless a safe integer. */
export function usdFromMicro(micro: number): Usd {
  if (!Number.isSafeInteger(micro)) throw new UnitError(`dollars: ${micro} is not a whole number of micro-dollars`);
  return micro as Usd;
}

export function addUsd(a: Usd, b: Usd): Usd {
  return (a + b) as Usd;
}

export function subtractUsd(a: Usd, b: Usd): Usd {
  return (a - b) as Usd;
}

/** Dollars that `shares` cost at `price`: round up what we pay, down what we receive. */
export function notional(shares: Shares, price: Price, rounding: Rounding): Usd {
  return mulDiv(shares, price, MICRO, rounding) as Usd;
}

/** What several parts cost together, summed exactly and rounded once: many small parts do not add up to a drift. */
export function totalNotional(parts: readonly { price: Price; size: Shares }[], rounding: Rounding): Usd {
  const { dollars, rest } = sumNotional(parts);
  return mulAddDiv(dollars, MICRO, rest, MICRO, rounding) as Usd;
}

/** `totalNotional` over the shares of all parts, rounded once; there is at least one share. */
export function averagePrice(parts: readonly { price: Price; size: Shares }[], rounding: Rounding): Price {
  const { dollars, rest } = sumNotional(parts);
  const shares = parts.reduce((sum, { size }) => sum + size, 0);
  return mulAddDiv(dollars, MICRO, rest, shares, rounding) as Price;
}

/** Dollars per share, given back as a price: round up when it is a cost. `shares` is positive. */
export function pricePerShare(usd: Usd, shares: Shares, rounding: Rounding): Price {
  return mulDiv(usd, MICRO, shares, rounding) as Price;
}

/** The shares that `usd` buys at `price`, which is positive. */
export function sharesForUsd(usd: Usd, price: Price, rounding: Rounding): Shares {
  return mulDiv(usd, MICRO, price, rounding) as Shares;
}

/** `shares * price` without its part of a micro-dollar; split at whole shares so that no product outgrows a double. */
export function wholeMicroDollars(shares: Shares, price: Price): number {
  const partOfShare = shares % MICRO;
  return ((shares - partOfShare) / MICRO) * price + Math.floor((partOfShare * price) / MICRO);
}

/** What `wholeMicroDollars` leaves out, in millionths of a micro-dollar. */
export function restOfMicroDollar(shares: Shares, price: Price): number {
  return ((shares % MICRO) * price) % MICRO;
}

export const usdToNumber: (usd: Usd) => number = microToNumber;
export const usdToText: (usd: Usd) => string = microToText;

/** Two decimals with a dollar sign, as every screen shows money. */
export function formatUsd(usd: Usd): string {
  const text = microToFixed(usd, 2);
  return text.startsWith('-') ? `-$${text.slice(1)}` : `$${text}`;
}

function sumNotional(parts: readonly { price: Price; size: Shares }[]): { dollars: number; rest: number } {
  let dollars = 0;
  let rest = 0;
  for (const { price, size } of parts) {
    dollars += wholeMicroDollars(size, price);
    rest += restOfMicroDollar(size, price);
  }
  return { dollars, rest };
}
