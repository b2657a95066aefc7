import type { Instant } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { type MarketOfVenue, yesOf } from './catalogue/listing.ts';
import type { PublicTrade } from './orders/fills.ts';
import { seconds } from './text.ts';
import type { KalshiVenue } from './venue.ts';

/** The lengths of candles, in minutes. */
export const CANDLE_MINUTES = [1, 60, 1440] as const;

/** Newest candles kept of each length: more than a day of minutes. */
const KEPT_MAX = 1_500;

export interface Range {
  open: Price;
  low: Price;
  high: Price;
  close: Price;
}

/** What happened to a market in a period, in prices of YES. */
export interface Candle {
  /** The second that the period ends with, which is still of it. */
  readonly end: number;
  readonly bid: Range;
  readonly ask: Range;
  /** Prices of trades in the book; null where there was none. */
  price: Range | null;
  /** The price of the last trade in the book before; null where there was none. */
  readonly previous: Price | null;
  /** With trades beside the book. */
  volume: Shares;
  /** Dollars of the trades in the book times a million, and how many contracts they were of. */
  paid: bigint;
  traded: Shares;
  openInterest: Shares;
}

interface MarketCandles {
  readonly byMinutes: ReadonlyMap<number, Candle[]>;
  bid: Price;
  ask: Price;
  last: Price | null;
}

/** Candles of all markets, made of what the matching engine publishes; a period in which nothing changed has none. */
export class Candles {
  readonly #venue: KalshiVenue;
  readonly #byTicker = new Map<string, MarketCandles>();

  constructor(venue: KalshiVenue) {
    this.#venue = venue;
    // Mirrored markets have the candles of the real venue.
    if (venue.mirror !== undefined) return;
    const onBook = ({ listing }: { listing: { conditionId: string } }) => this.#quoted(listing.conditionId);
    venue.engine.announcer.listen({ levelsChanged: onBook, bookReplaced: onBook });
    venue.fills.listen({ traded: (trade) => this.#traded(trade), filled: () => {} });
  }

  /** Candles that end within these seconds, inclusive, oldest first. */
  of({ ticker }: MarketOfVenue, minutes: number, from: number, to: number): Candle[] {
    const all = this.#byTicker.get(ticker)?.byMinutes.get(minutes) ?? [];
    return all.filter(({ end }) => end >= from && end <= to);
  }

  /** The last one that ended before a second. */
  before({ ticker }: MarketOfVenue, minutes: number, second: number): Candle | undefined {
    return this.#byTicker
      .get(ticker)
      ?.byMinutes.get(minutes)
      ?.findLast(({ end }) => end < second);
  }

  #quoted(ticker: string): void {
    const book = this.#venue.engine.directory.market(ticker)?.book;
    if (book === undefined) return;
    const of = this.#marketOf(ticker);
    const bid = book.best('bid') ?? PRICE_ZERO;
    const ask = book.best('ask') ?? PRICE_ONE;
    if (bid === of.bid && ask === of.ask) return;
    Object.assign(of, { bid, ask });
    for (const candle of this.#candlesAt(ticker, this.#venue.engine.clock.now())) {
      widen(candle.bid, bid);
      widen(candle.ask, ask);
    }
  }

  #traded({ ticker, at, yesPrice, size, isBlock }: PublicTrade): void {
    const openInterest = openInterestOf(this.#venue, ticker);
    for (const candle of this.#candlesAt(ticker, at)) {
      candle.volume = addShares(candle.volume, size);
      candle.openInterest = openInterest;
      if (isBlock) continue;
      candle.price ??= flat(yesPrice);
      widen(candle.price, yesPrice);
      candle.paid += BigInt(size) * BigInt(yesPrice);
      candle.traded = addShares(candle.traded, size);
    }
    if (!isBlock) this.#marketOf(ticker).last = yesPrice;
  }

  #marketOf(ticker: string): MarketCandles {
    const known = this.#byTicker.get(ticker);
    if (known !== undefined) return known;
    const byMinutes = new Map(CANDLE_MINUTES.map((minutes) => [minutes, []]));
    const made = { byMinutes, bid: PRICE_ZERO, ask: PRICE_ONE, last: null };
    this.#byTicker.set(ticker, made);
    return made;
  }

  /** The candles that a moment is of, one of each length. */
  #candlesAt(ticker: string, at: Instant): Candle[] {
    const of = this.#marketOf(ticker);
    return [...of.byMinutes].map(([minutes, candles]) => {
      const end = endOfPeriod(seconds(at), minutes);
      const newest = candles.at(-1);
      if (newest?.end === end) return newest;
      const candle: Candle = {
        end,
        bid: flat(newest?.bid.close ?? of.bid),
        ask: flat(newest?.ask.close ?? of.ask),
        price: null,
        previous: of.last,
        volume: SHARES_ZERO,
        paid: 0n,
        traded: SHARES_ZERO,
        openInterest: newest?.openInterest ?? SHARES_ZERO,
      };
      candles.push(candle);
      if (candles.length > KEPT_MAX) candles.shift();
      return candle;
    });
  }
}

/** All YES that members and makers hold, which is as many as all NO. */
export function openInterestOf({ engine: { balances } }: KalshiVenue, ticker: string): Shares {
  return balances
    .accounts()
    .reduce((sum, account) => addShares(sum, balances.tokens(account, yesOf(ticker))), SHARES_ZERO);
}

/** The first end of a period that is no earlier than the second. */
export function endOfPeriod(second: number, minutes: number): number {
  const length = minutes * 60;
  return Math.ceil(second / length) * length;
}

function flat(price: Price): Range {
  return { open: price, low: price, high: price, close: price };
}

function widen(range: Range, price: Price): void {
  if (price < range.low) range.low = price;
  if (price > range.high) range.high = price;
  range.close = price;
}
