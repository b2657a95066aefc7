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
  for (let turn = 0; missing !== 0; turn++) {
    const index = byRemainder[turn % byRemainder.length]?.index ?? 0;
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

/**
 * Quotes under which YES on every outcome pays at least `edge` of its cost after fees: the dearest asks are lowered, a
 * tick at a time, until it does.
 */
export function cheapYesSet(tops: readonly TopOfBook[], tick: Tick, rate: Fraction, edge: number): TopOfBook[] {
  const asks = tops.map(({ ask }) => ask as number);
  while (costOf(asks, rate) * (1 + edge) > PRICE_ONE) {
    const dearest = asks.indexOf(Math.max(...asks));
    asks[dearest] = (asks[dearest] ?? 0) - tick;
  }
  return asks.map((ask) => ({ ask: ask as Price, bid: Math.max(tick, ask - SPREAD) as Price }));
}

/** Quotes under which NO on every outcome pays at least `edge` of its cost after fees: the bids are raised. */
export function cheapNoSet(tops: readonly TopOfBook[], tick: Tick, rate: Fraction, edge: number): TopOfBook[] {
  const bids = tops.map(({ bid }) => bid as number);
  const payout = (tops.length - 1) * PRICE_ONE;
  const cost = () =>
    costOf(
      bids.map((bid) => PRICE_ONE - bid),
      rate,
    );
  for (let turn = 0; cost() * (1 + edge) > payout; turn++) {
    const index = turn % bids.length;
    bids[index] = (bids[index] ?? 0) + tick;
  }
  return bids.map((bid) => ({ bid: bid as Price, ask: (bid + SPREAD) as Price }));
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
