import { priceToNumber } from '@dutchbook/units/price.ts';
import type { EventListing } from '../catalogue/listing.ts';
import type { Market } from '../matching-engine/market.ts';
import type { MatchingEngine } from '../matching-engine/matching-engine.ts';
import { Ladder } from './ladder.ts';
import { cheapNoSet, cheapYesSet, exclusiveTops, separateTop, type TopOfBook } from './prices.ts';
import type { Random } from './random.ts';

/** A complete set costs this much more than it pays, in micro-dollars, and wanders in steps of at most `OVERROUND_STEP`. */
const OVERROUND = { low: 10_000, high: 32_000 };
const OVERROUND_STEP = 6_000;
/** Half of the moves change what the makers think, and by at most this much; the others change a size. */
const DRIFT_SHARE = 0.5;
const DRIFT = 0.012;
const LOWEST_FAIR = 0.03;
const HIGHEST_FAIR = 0.95;
/** A bargain pays this much of its cost after fees. One more tick never lifts it above 4 %. */
const EDGE = { low: 0.012, high: 0.026 };

interface QuotedMarket {
  readonly market: Market;
  readonly ladder: Ladder;
  fair: number;
}

/** The makers' view of one event: what they think each outcome is worth, and the quotes that follow from it. */
export class EventQuotes {
  readonly event: EventListing;
  readonly #engine: MatchingEngine;
  readonly #random: Random;
  readonly #quoted: QuotedMarket[];
  #overround: number;

  constructor(event: EventListing, engine: MatchingEngine, random: Random) {
    this.event = event;
    this.#engine = engine;
    this.#random = random;
    this.#overround = random.between(OVERROUND.low, OVERROUND.high);
    this.#quoted = event.markets.flatMap((listing) => {
      const market = engine.directory.market(listing.conditionId);
      return market === undefined
        ? []
        : [{ market, ladder: new Ladder(random), fair: priceToNumber(listing.openingPrice) }];
    });
  }

  /** Only a complete list of exclusive outcomes can be a set worth a dollar. */
  canBargain(): boolean {
    return this.event.isExhaustive && this.#open().length === this.event.markets.length;
  }

  /** Shows ordinary quotes in every open market. */
  quoteAll(): void {
    this.#show(this.#tops());
  }

  /** Moves a price or a size somewhere in the event and shows the result. */
  move(): void {
    if (this.#random.unit() < DRIFT_SHARE) {
      this.#drift();
      this.#wander();
    }
    const tops = this.#tops();
    const moved = this.#random.pick([...this.#quoted.entries()]);
    const top = moved && tops[moved[0]];
    if (moved !== undefined && top !== undefined) {
      const [, { ladder, market }] = moved;
      ladder.reroll(ladder.quotes(top, market.tick));
    }
    this.#show(tops);
  }

  /** Leaves a complete set cheaper than its payout after fees. */
  showBargain(): void {
    const first = this.#quoted[0]?.market;
    if (first === undefined) return;
    const edge = EDGE.low + this.#random.unit() * (EDGE.high - EDGE.low);
    const make = this.#random.unit() < 0.65 ? cheapYesSet : cheapNoSet;
    this.#show(make(this.#tops(), first.tick, first.listing.feeRate, edge));
  }

  /** Probability moves from one outcome to another; independent questions move alone. */
  #drift(): void {
    const amount = this.#random.unit() * DRIFT;
    const up = this.#random.pick(this.#quoted);
    const down = this.#random.pick(this.#quoted);
    if (up === undefined || down === undefined || up === down) return;
    if (up.fair + amount > HIGHEST_FAIR || down.fair - amount < LOWEST_FAIR) return;
    up.fair += amount;
    down.fair -= amount;
    if (this.event.isLadder && !this.#isInOrder()) {
      up.fair -= amount;
      down.fair += amount;
    }
  }

  /** An easier step is worth no less than a harder one. */
  #isInOrder(): boolean {
    return this.#quoted.every(({ fair }, index) => fair <= (this.#quoted[index - 1]?.fair ?? 1));
  }

  /** Makers quote a little wider or tighter than before, so that the cost of a whole set moves too. */
  #wander(): void {
    const wanted = this.#overround + this.#random.between(-OVERROUND_STEP, OVERROUND_STEP);
    this.#overround = Math.min(Math.max(wanted, OVERROUND.low), OVERROUND.high);
  }

  #tops(): TopOfBook[] {
    const tick = this.#quoted[0]?.market.tick;
    if (!this.event.negRisk || tick === undefined) return this.#quoted.map((quoted) => this.#topOf(quoted));
    return exclusiveTops(
      this.#quoted.map(({ fair }) => fair),
      tick,
      this.#overround,
    );
  }

  #topOf({ fair, market }: QuotedMarket): TopOfBook {
    return separateTop(fair, market.tick);
  }

  #show(tops: readonly TopOfBook[]): void {
    this.#quoted.forEach(({ market, ladder }, index) => {
      const top = tops[index];
      if (top !== undefined && market.isAccepting) this.#engine.replaceQuotes(market, ladder.quotes(top, market.tick));
    });
  }

  #open(): QuotedMarket[] {
    return this.#quoted.filter(({ market }) => market.isAccepting);
  }
}
