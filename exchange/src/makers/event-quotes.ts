import { PRICE_ONE } from '@dutchbook/units/price.ts';
import type { EventListing } from '../catalogue/listing.ts';
import type { Market } from '../matching-engine/market.ts';
import type { MatchingEngine } from '../matching-engine/matching-engine.ts';
import { type Beliefs, beliefsOf } from './beliefs.ts';
import { Ladder } from './ladder.ts';
import { type CheapSet, cheapen, exclusiveTops, separateTop, type TopOfBook } from './prices.ts';
import type { Random } from './random.ts';

/** A complete set costs this much more than it pays, in micro-dollars, and wanders in steps of at most `OVERROUND_STEP`. */
const OVERROUND = { low: 10_000, high: 32_000 };
const OVERROUND_STEP = 6_000;
/** Half of the moves change what the makers think; the others change a size. */
const DRIFT_SHARE = 0.5;
/** A bargain pays this much of its cost after fees. One more tick never lifts it above 4 %. */
const EDGE = { low: 0.012, high: 0.026 };
/** Share of bargains that are YES on every leg, where both directions are possible. */
const YES_SHARE = 0.65;

interface QuotedMarket {
  readonly market: Market;
  readonly ladder: Ladder;
}

/**
 * The makers' view of one event, or of all on one variable: what they think each outcome is worth, and the quotes that follow
 * from it. Nothing that has to hold between the markets is ever quoted against, but for a bargain.
 */
export class EventQuotes {
  readonly events: readonly EventListing[];
  readonly #engine: MatchingEngine;
  readonly #random: Random;
  readonly #quoted: readonly QuotedMarket[];
  readonly #beliefs: Beliefs;
  #overround: number;

  constructor(events: readonly EventListing[], engine: MatchingEngine, random: Random) {
    this.events = events;
    this.#engine = engine;
    this.#random = random;
    this.#overround = random.between(OVERROUND.low, OVERROUND.high);
    this.#quoted = events
      .flatMap(({ markets }) => markets)
      .filter(({ decided }) => decided === null)
      .flatMap(({ conditionId }) => engine.directory.market(conditionId) ?? [])
      .map((market) => ({ market, ladder: new Ladder(random) }));
    const listings = this.#quoted.map(({ market }) => market.listing);
    this.#beliefs = beliefsOf(events, listings, random);
  }

  /** Only where something has to hold between markets that are all open. */
  canBargain(): boolean {
    const isRelated = this.events.some(
      ({ isExhaustive, isLadder, variable }) => isExhaustive || isLadder || variable !== null,
    );
    return isRelated && this.#quoted.every(({ market }) => market.isAccepting);
  }

  /** Shows ordinary quotes in every open market. */
  quoteAll(): void {
    this.#show(this.#tops());
  }

  /** Moves a price or a size somewhere in the event and shows the result. */
  move(): void {
    if (this.#random.unit() < DRIFT_SHARE) {
      this.#beliefs.drift();
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

  /** Leaves a set cheaper than its payout after fees: the one that is drawn or, where no prices make that cheap, its opposite. */
  showBargain(): void {
    const edge = EDGE.low + this.#random.unit() * (EDGE.high - EDGE.low);
    const isYes = this.#random.unit() < YES_SHARE;
    this.#show(this.#cheaper(isYes, edge) ?? this.#cheaper(!isYes, edge) ?? this.#tops());
  }

  #cheaper(isYes: boolean, edge: number): TopOfBook[] | null {
    const first = this.#quoted[0]?.market;
    if (first === undefined) return null;
    const set = this.#cheapSet(isYes);
    const costAtMost = set.payout / (1 + edge);
    return cheapen(this.#tops(), set, { tick: first.tick, rate: first.listing.feeRate, costAtMost });
  }

  #cheapSet(isYes: boolean): CheapSet {
    const places = [...this.#quoted.keys()];
    if (this.#isThresholdOn()) return this.#rangesAgainstThreshold(isYes);
    if (this.events.some(({ isLadder }) => isLadder)) {
      const easier = this.#random.between(0, places.length - 2);
      return { yes: [easier], no: [easier + 1], payout: PRICE_ONE };
    }
    return isYes
      ? { yes: places, no: [], payout: PRICE_ONE }
      : { yes: [], no: places, payout: (places.length - 1) * PRICE_ONE };
  }

  /** Some threshold is as good as all ranges from it on; its quotes alone move, so that no other set is cheap. */
  #rangesAgainstThreshold(isYes: boolean): CheapSet {
    const threshold = this.#random.pick([...this.#quoted.keys()].filter((place) => this.#widthOf(place) > 1)) ?? 0;
    const [from = 0, to = 0] = this.#rangeOf(threshold);
    const inside = [...this.#quoted.keys()].filter((place) => {
      const [own = 0] = this.#rangeOf(place);
      return this.#widthOf(place) === 1 && own >= from && own < to;
    });
    const moved = [threshold];
    return isYes
      ? { yes: inside, no: moved, payout: PRICE_ONE, moved }
      : { yes: moved, no: inside, payout: inside.length * PRICE_ONE, moved };
  }

  #isThresholdOn(): boolean {
    return [...this.#quoted.keys()].some((place) => this.#widthOf(place) > 1);
  }

  #rangeOf(place: number): readonly number[] {
    return this.#quoted[place]?.market.listing.range ?? [];
  }

  #widthOf(place: number): number {
    const [from = 0, to = 0] = this.#rangeOf(place);
    return to - from;
  }

  /** Makers quote a little wider or tighter than before, so that the cost of a whole set moves too. */
  #wander(): void {
    const wanted = this.#overround + this.#random.between(-OVERROUND_STEP, OVERROUND_STEP);
    this.#overround = Math.min(Math.max(wanted, OVERROUND.low), OVERROUND.high);
  }

  #tops(): TopOfBook[] {
    const fairs = this.#beliefs.fairs();
    const tick = this.#quoted[0]?.market.tick;
    if (tick !== undefined && this.events.length === 1 && this.events[0]?.negRisk === true)
      return exclusiveTops(fairs, tick, this.#overround);
    return this.#quoted.map(({ market }, place) => separateTop(fairs[place] ?? 0, market.tick));
  }

  #show(tops: readonly TopOfBook[]): void {
    this.#quoted.forEach(({ market, ladder }, index) => {
      const top = tops[index];
      if (top !== undefined && market.isAccepting) this.#engine.replaceQuotes(market, ladder.quotes(top, market.tick));
    });
  }
}
