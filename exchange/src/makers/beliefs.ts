import { priceToNumber } from '@dutchbook/units/price.ts';
import type { EventListing, MarketListing } from '../catalogue/listing.ts';
import type { Random } from './random.ts';

/** One change of the makers' beliefs moves them by at most this much. */
const DRIFT = 0.012;
const LOWEST_FAIR = 0.03;
const HIGHEST_FAIR = 0.95;

/** What the makers think that markets are worth, each by its place. */
export interface Beliefs {
  fairs(): readonly number[];
  /** Thinks a little otherwise; what has to hold between the markets still does. */
  drift(): void;
}

export function beliefsOf(events: readonly EventListing[], markets: readonly MarketListing[], random: Random): Beliefs {
  const isLadder = events.some((event) => event.isLadder);
  const isOfVariable = events.some(({ variable }) => variable !== null);
  return isOfVariable ? new RangeBeliefs(markets, random) : new OwnBeliefs(markets, isLadder, random);
}

/** Each market has a worth of its own. Probability moves from one to another; of a ladder no step passes the next. */
class OwnBeliefs implements Beliefs {
  readonly #fairs: number[];
  readonly #isLadder: boolean;
  readonly #random: Random;

  constructor(markets: readonly MarketListing[], isLadder: boolean, random: Random) {
    this.#fairs = markets.map(({ openingPrice }) => priceToNumber(openingPrice));
    this.#isLadder = isLadder;
    this.#random = random;
  }

  fairs(): readonly number[] {
    return this.#fairs;
  }

  drift(): void {
    shift(this.#fairs, this.#random, (fairs) => !this.#isLadder || isFalling(fairs));
  }
}

/** The ranges of a variable have a worth each, together a dollar; a market is worth the ranges in which it wins. */
class RangeBeliefs implements Beliefs {
  readonly #ranges: number[] = [];
  readonly #markets: readonly MarketListing[];
  readonly #random: Random;

  constructor(markets: readonly MarketListing[], random: Random) {
    this.#markets = markets;
    this.#random = random;
    for (const { range, openingPrice } of markets) {
      if (range !== null && range[1] === range[0] + 1) this.#ranges[range[0]] ??= priceToNumber(openingPrice);
    }
  }

  fairs(): readonly number[] {
    return this.#markets.map(({ range }) =>
      this.#ranges.slice(...(range ?? [0, 0])).reduce((sum, one) => sum + one, 0),
    );
  }

  drift(): void {
    shift(this.#ranges, this.#random, () => true);
  }
}

function shift(fairs: number[], random: Random, mayStand: (fairs: readonly number[]) => boolean): void {
  const amount = random.unit() * DRIFT;
  const places = [...fairs.keys()];
  const up = random.pick(places) ?? 0;
  const down = random.pick(places) ?? 0;
  const risen = (fairs[up] ?? 0) + amount;
  const fallen = (fairs[down] ?? 0) - amount;
  if (up === down || risen > HIGHEST_FAIR || fallen < LOWEST_FAIR) return;
  const changed = fairs.map((fair, place) => (place === up ? risen : place === down ? fallen : fair));
  if (mayStand(changed)) fairs.splice(0, fairs.length, ...changed);
}

function isFalling(fairs: readonly number[]): boolean {
  return fairs.every((fair, place) => fair <= (fairs[place - 1] ?? 1));
}
