import type { Fraction } from '@dutchbook/units/fraction.ts';
import { complement, type Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

export type Side = 'BUY' | 'SELL';

/** Which of a binary market's two tokens: 0 is the first outcome (YES), 1 the second (NO). */
export type OutcomeIndex = 0 | 1;

/** The side of the unified book, which is priced in the first outcome. */
export type BookSide = 'bid' | 'ask';

/** The account of the market makers: its funds are unlimited and it never trades with itself. */
export const MARKET_MAKER = 'market_maker';

/** The account that collects taker fees. */
export const FEE_COLLECTOR = 'fees';

/** An order that stands in the book. `limit` is in its own token's price, `remaining` shrinks with every fill. */
export interface RestingOrder {
  readonly id: string;
  readonly account: string;
  readonly side: Side;
  readonly outcome: OutcomeIndex;
  readonly limit: Price;
  remaining: Shares;
}

/** What an arriving order wants: exactly so many shares, or to spend exactly so many dollars. */
export type Quantity =
  | { readonly kind: 'shares'; readonly shares: Shares }
  | { readonly kind: 'dollars'; readonly usd: Usd };

export interface IncomingOrder {
  readonly id: string;
  readonly account: string;
  readonly side: Side;
  readonly outcome: OutcomeIndex;
  readonly limit: Price;
  readonly quantity: Quantity;
  /** What happens to the part that finds no match now. */
  readonly remainder: 'rests' | 'dies' | 'kills the whole order';
  readonly postOnly: boolean;
  readonly takerFeeRate: Fraction;
  /** Liquidity the order is not allowed to reach; absent for none. Only faults set it. */
  readonly matchAtMost?: Shares;
  /** The only standing order that it may meet; absent for any. */
  readonly meets?: string;
}

/** One match between the arriving order (taker) and one standing order (maker). */
export interface Fill {
  readonly makerOrderId: string;
  readonly makerAccount: string;
  readonly makerSide: Side;
  readonly makerOutcome: OutcomeIndex;
  /** Price of the maker's own token, which is the maker's limit. */
  readonly makerPrice: Price;
  /** Price of the taker's own token. */
  readonly takerPrice: Price;
  readonly shares: Shares;
  /** Dollars that change hands on the taker's side, before the fee. */
  readonly takerUsd: Usd;
  readonly makerUsd: Usd;
  readonly fee: Usd;
}

/** The new total size at one price of the unified book; size 0 is a level that went away. */
export interface LevelChange {
  readonly side: BookSide;
  readonly price: Price;
  readonly size: Shares;
}

/** Buying YES and selling NO both lift the price of YES: they stand on the bid side of the unified book. */
export function bookSideOf(side: Side, outcome: OutcomeIndex): BookSide {
  return (side === 'BUY') === (outcome === 0) ? 'bid' : 'ask';
}

/** The price in the unified book of a price in the token's own terms, and back again. */
export function unifiedPrice(price: Price, outcome: OutcomeIndex): Price {
  return outcome === 0 ? price : complement(price);
}

export function oppositeSide(side: BookSide): BookSide {
  return side === 'bid' ? 'ask' : 'bid';
}
