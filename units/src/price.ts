import {
  divInteger,
  MICRO,
  type Micro,
  microFromNumber,
  microFromText,
  microToFixed,
  microToNumber,
  microToText,
  type Rounding,
  UnitError,
} from './micro.ts';

/** Dollars per share, in micro-dollars: 0 to 1,000,000. The price of a whole set may exceed one dollar. */
export type Price = Micro<'dollars per share'>;

/** The smallest step between two prices of a market, in micro-dollars: 10,000 is a tick of one cent. */
export type Tick = Micro<'tick'>;

export const PRICE_ZERO = 0 as Price;
export const PRICE_ONE = MICRO as Price;

/** @throws UnitError unless a decimal of 0 to 1 with at most six decimals. */
export function priceFromText(text: string): Price {
  return inRange(microFromText(text, 'price'));
}

/** @throws UnitError unless 0 to 1; rounded to the nearest micro-dollar. */
export function priceFromNumber(value: number): Price {
  return inRange(microFromNumber(value, 'price'));
}

/** From an integer count of micro-dollars, as stored. @throws UnitError unless 0 to 1,000,000. */
export function priceFromMicro(micro: number): Price {
  if (!Number.isSafeInteger(micro)) throw new UnitError(`price: ${micro} is not a whole number of micro-dollars`);
  return inRange(micro);
}

/** A set's price or worth: dollars for one share of every position, any non-negative amount. */
export function setPriceFromNumber(value: number): Price {
  const micro = microFromNumber(value, 'price');
  if (micro < 0) throw new UnitError(`price: ${value} is negative`);
  return micro as Price;
}

export function addPrices(a: Price, b: Price): Price {
  return (a + b) as Price;
}

/** What the other outcome of a binary market costs where this one costs `price`. */
export function complement(price: Price): Price {
  return (PRICE_ONE - price) as Price;
}

/** @throws UnitError unless positive. */
export function tickFromText(text: string): Tick {
  const micro = microFromText(text, 'tick');
  if (micro <= 0) throw new UnitError(`tick: ${text} is not positive`);
  return micro as Tick;
}

/** @throws UnitError unless positive. */
export function tickFromNumber(value: number): Tick {
  const micro = microFromNumber(value, 'tick');
  if (micro <= 0) throw new UnitError(`tick: ${value} is not positive`);
  return micro as Tick;
}

export function isOnTick(price: Price, tick: Tick): boolean {
  return price % tick === 0;
}

/** The nearest price of the grid at or below (`down`) or at or above (`up`). */
export function roundToTick(price: Price, tick: Tick, rounding: Rounding): Price {
  return (divInteger(price, tick, rounding) * tick) as Price;
}

export const priceToNumber: (price: Price) => number = microToNumber;
export const priceToText: (price: Price) => string = microToText;
export const tickToNumber: (tick: Tick) => number = microToNumber;
export const tickToText: (tick: Tick) => string = microToText;

/** Four decimals, as every screen shows a price. */
export function formatPrice(price: Price): string {
  return microToFixed(price, 4);
}

function inRange(micro: number): Price {
  if (micro < 0 || micro > MICRO) throw new UnitError(`price: ${microToText(micro)} is not between 0 and 1`);
  return micro as Price;
}
