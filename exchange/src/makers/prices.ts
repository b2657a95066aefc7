import type { Fraction } from '@dutchbook/units/fraction.ts';
import { divInteger } from '@dutchbook/units/micro.ts';
import { PRICE_ONE, type Price, type Tick } from '@dutchbook/units/price.ts';
import { ONE_SHARE } from '@dutchbook/units/shares.ts';
import { takerFee } from '../matching/fee.ts';

/** Best bid and best ask of a market, in the unified book. */
export interface TopOfBook {
  readonly bid: Price;
  readonly ask: Price;
}

/** Each market's spread in ordinary times. */
const SPREAD = 20_000;

/** Ordinary quotes for one binary market: YES and NO together cost the spread more than they pay. */
export function separateTop(fair: number, tick: Tick): TopOfBook {
  const lowest = tick + SPREAD;
  const ask = clamp(divInteger(Math.round(fair * PRICE_ONE) + SPREAD / 2, tick, 'up') * tick, lowest, PRICE_ONE - tick);
  return { bid: (ask - SPREAD) as Price, ask: ask as Price };
}

/**
 * Ordinary quotes for all markets of an exclusive event: the asks add up to `overround` (micro-dollars) above what the
 * listed outcomes are worth together, which is a dollar unless one is not listed. No subset of the bids is worth a dollar, so no set is ever cheap by accident.
 */
export function exclusiveTops(fairs: readonly number[], tick: Tick, overround: number): TopOfBook[] {
  const total = fairs.reduce((sum, fair) => sum + fair, 0);
  const target = Math.round((total * PRICE_ONE + overround) / tick);
  const lowest = Math.ceil((tick + SPREAD) / tick);
  const exact = fairs.map((fair) => (fair / total) * target);
  const ticks = exact.map((value) => Math.max(lowest, Math.floor(value)));
  const byRemainder = exact.map((value, index) => ({ index, rest: value - Math.floor(value) }));
  byRemainder.sort((a, b) => b.rest - a.rest);
  let missing = target - ticks.reduce((sum, value) => sum + value, 0);
  for (let nth = 0; missing !== 0; nth++) {
    const index = byRemainder[nth % byRemainder.length]?.index ?? 0;
    const step = Math.sign(missing);
    const current = ticks[index] ?? lowest;
    if (current + step < lowest) continue;
    ticks[index] = current + step;
    missing -= step;
  }
  return ticks.map((value) => ({ bid: (value * tick - SPREAD) as Price, ask: (value * tick) as Price }));
}

/** What one set costs with taker fees, in micro-dollars. */
function costOf(prices: readonly number[], rate: Fraction): number {
  return prices.reduce((sum, price) => sum + price + takerFee(ONE_SHARE, price as Price, rate), 0);
}

/** Legs by their places among the quotes; a set of them pays `payout` micro-dollars at least. */
export interface CheapSet {
  readonly yes: readonly number[];
  readonly no: readonly number[];
  readonly payout: number;
  /** The legs whose quotes may move; all of them where it is absent. */
  readonly moved?: readonly number[];
}

/** What the legs of a set cost at these quotes, with taker fees, in micro-dollars. */
export function costOfSet({ yes, no }: CheapSet, tops: readonly TopOfBook[], rate: Fraction): number {
  const asks = yes.map((place) => tops[place]?.ask ?? PRICE_ONE);
  const noAsks = no.map((place) => PRICE_ONE - (tops[place]?.bid ?? 0));
  return costOf([...asks, ...noAsks], rate);
}

/**
 * Quotes under which a set costs `costAtMost` micro-dollars at most after fees: a tick at a time the dearest ask of its YES
 * is lowered and the bids against its NO are raised alternately, until it does. Null where only a price could do it that no
 * market has, as where one threshold stands against ranges that cost a dollar together.
 */
export function cheapen(
  tops: readonly TopOfBook[],
  set: CheapSet,
  { tick, rate, costAtMost }: { readonly tick: Tick; readonly rate: Fraction; readonly costAtMost: number },
): TopOfBook[] | null {
  const quotes = [...tops];
  const mayMove = (place: number) => set.moved?.includes(place) ?? true;
  const yes = set.yes.filter(mayMove);
  const no = set.no.filter(mayMove);
  for (let nth = 0; costOfSet(set, quotes, rate) > costAtMost; nth++) {
    const isYes = no.length === 0 || (yes.length > 0 && nth % 2 === 0);
    const round = yes.length === 0 ? nth : Math.floor(nth / 2);
    const place = isYes ? dearest(yes, quotes) : (no[round % no.length] ?? 0);
    const { bid, ask } = quotes[place] ?? { bid: tick, ask: tick };
    const moved = isYes ? atAsk(ask - tick, tick) : { bid: (bid + tick) as Price, ask: (bid + tick + SPREAD) as Price };
    if (moved.ask <= moved.bid || moved.bid > PRICE_ONE - tick) return null;
    quotes[place] = moved;
  }
  return quotes;
}

function dearest(places: readonly number[], quotes: readonly TopOfBook[]): number {
  const asks = places.map((place) => quotes[place]?.ask ?? 0);
  return places[asks.indexOf(Math.max(...asks) as Price)] ?? 0;
}

function atAsk(ask: number, tick: Tick): TopOfBook {
  return { ask: ask as Price, bid: Math.max(tick, ask - SPREAD) as Price };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
