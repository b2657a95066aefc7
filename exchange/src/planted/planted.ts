import { FRACTION_ZERO, type Fraction } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, type Price, priceToNumber } from '@dutchbook/units/price.ts';
import { ONE_SHARE, type Shares } from '@dutchbook/units/shares.ts';
import type { EventListing } from '../catalogue/listing.ts';
import { cheapen, costOfSet, separateTop, type TopOfBook } from '../makers/prices.ts';
import type { Random } from '../makers/random.ts';
import type { Quote } from '../matching/quotes.ts';
import type { Market } from '../matching-engine/market.ts';
import type { MatchingEngine } from '../matching-engine/matching-engine.ts';
import type { DrawnCase } from './cases.ts';
import type { OddQuotes } from './planted-case.ts';

/** What a set leaves after fees, in micro-dollars, before its last tick is rounded. */
const EDGE = { low: 20_000, high: 30_000 };
/** Before fees, of a set that they eat. */
const GROSS_EDGE = 5_000;
const TOP_SHARES = { low: 20, high: 400 };
/** The next level is so far off that no set pays with it. */
const LEVEL_STEP = 60_000;
/** How much further off a market is quoted that is to take no part in a set. */
const WIDE = 40_000;

/** While a set is cheap: from when until when in exchange time, null while it is; what it leaves after fees, and for how many shares. */
export interface PlantedWindow {
  readonly fromMs: Instant;
  untilMs: Instant | null;
  readonly edge: number;
  readonly size: Shares;
}

/** A drawn case as it is listed. */
export interface PlantedEvent {
  readonly drawn: DrawnCase;
  readonly events: readonly EventListing[];
  readonly markets: readonly Market[];
  readonly windows: PlantedWindow[];
}

/** Mean lengths in milliseconds of exchange time. */
export interface Pace {
  readonly pauseMs: number;
  readonly lengthMs: number;
}

/** Events whose quotes stand still, some of them wrong on purpose, and the truth about them. */
export class Planted {
  readonly all: readonly PlantedEvent[];
  readonly #engine: MatchingEngine;
  readonly #random: Random;
  /** Which order to move is obeyed. */
  #moves = 0;

  constructor(cases: readonly DrawnCase[], listed: readonly EventListing[], engine: MatchingEngine, random: Random) {
    this.#engine = engine;
    this.#random = random;
    let from = 0;
    this.all = cases.map((drawn) => {
      const events = listed.slice(from, from + drawn.events.length);
      from += drawn.events.length;
      const markets = events.flatMap((event) =>
        event.markets.flatMap(({ conditionId }) => engine.directory.market(conditionId) ?? []),
      );
      return { drawn, events, markets, windows: [] };
    });
    for (const event of this.all) {
      if (event.drawn.isFair) this.#showFair(event);
      else this.#showCheap(event);
    }
  }

  /** Lets sets that pay come and go from now on. */
  move(pace: Pace): void {
    this.#moves += 1;
    for (const event of this.all) {
      if (event.drawn.isFair || event.drawn.trap !== null) continue;
      if (event.windows.at(-1)?.untilMs === null) this.#close(event);
      this.#later(pace.pauseMs * this.#random.unit(), () => this.#open(event, pace));
    }
  }

  /** Leaves everything as it stands. */
  rest(): void {
    this.#moves += 1;
  }

  #open(event: PlantedEvent, pace: Pace): void {
    this.#showCheap(event);
    this.#later(this.#about(pace.lengthMs), () => {
      this.#close(event);
      this.#later(this.#about(pace.pauseMs), () => this.#open(event, pace));
    });
  }

  #close(event: PlantedEvent): void {
    const last = event.windows.at(-1);
    if (last !== undefined) last.untilMs = this.#engine.clock.now();
    this.#showFair(event);
  }

  #about(ms: number): number {
    return Math.ceil(ms * (0.5 + this.#random.unit()));
  }

  #later(ms: number, run: () => void): void {
    const move = this.#moves;
    this.#engine.clock.schedule(Math.ceil(ms), () => {
      if (move === this.#moves) run();
    });
  }

  #showFair(event: PlantedEvent): void {
    this.#show(event, fairTops(event), this.#drawSizes(event));
  }

  #showCheap(event: PlantedEvent): void {
    const { drawn, markets, windows } = event;
    const rate = markets[0]?.listing.feeRate ?? FRACTION_ZERO;
    const edge = this.#random.between(EDGE.low, EDGE.high);
    const tops = cheapTops(event, rate, drawn.isEatenByFees === true ? null : edge);
    const sizes = this.#drawSizes(event);
    const legs = [...drawn.set.yes, ...drawn.set.no];
    windows.push({
      fromMs: this.#engine.clock.now(),
      untilMs: null,
      edge: drawn.set.payout - costOfSet(drawn.set, tops, rate),
      size: Math.min(...legs.map((place) => sizes[place] ?? 0)) as Shares,
    });
    this.#show(event, tops, sizes);
  }

  #drawSizes({ markets }: PlantedEvent): Shares[] {
    return markets.map(() => (this.#random.between(TOP_SHARES.low, TOP_SHARES.high) * ONE_SHARE) as Shares);
  }

  #show({ drawn, markets }: PlantedEvent, tops: readonly TopOfBook[], sizes: readonly Shares[]): void {
    markets.forEach((market, place) => {
      const top = tops[place];
      const size = sizes[place];
      const odd = drawn.oddQuotes?.get(place);
      if (odd === 'unserved') market.hasBooks = false;
      if (top === undefined || size === undefined || !market.isAccepting) return;
      this.#engine.replaceQuotes(
        market,
        quotesAt(market, top, size).filter(({ side }) => isShown(side, odd)),
      );
    });
  }
}

function fairTops({ drawn, markets }: PlantedEvent): TopOfBook[] {
  return markets.map(({ listing, tick }, place) => {
    const { bid, ask } = separateTop(priceToNumber(listing.openingPrice), tick);
    if (!drawn.wide?.includes(place)) return { bid, ask };
    return {
      bid: Math.max(tick, bid - WIDE) as Price,
      ask: Math.min(PRICE_ONE - tick, ask + WIDE) as Price,
    };
  });
}

/** @param edge after fees; null: fees eat what is left before them */
function cheapTops(event: PlantedEvent, rate: Fraction, edge: number | null): TopOfBook[] {
  const { drawn, markets } = event;
  const tick = markets[0]?.tick;
  const fair = fairTops(event);
  if (tick === undefined) return fair;
  const { payout } = drawn.set;
  const cheap =
    edge === null
      ? cheapen(fair, drawn.set, { tick, rate: FRACTION_ZERO, costAtMost: payout - GROSS_EDGE })
      : cheapen(fair, drawn.set, { tick, rate, costAtMost: payout - edge });
  if (cheap === null) throw new Error(`no prices make a set of "${markets[0]?.listing.question}" cheap`);
  return cheap;
}

function quotesAt({ tick }: Market, { bid, ask }: TopOfBook, size: Shares): Quote[] {
  const levels: Quote[] = [
    { side: 'bid', price: bid, size },
    { side: 'ask', price: ask, size },
    { side: 'bid', price: (bid - LEVEL_STEP) as Price, size: (2 * size) as Shares },
    { side: 'ask', price: (ask + LEVEL_STEP) as Price, size: (2 * size) as Shares },
  ];
  return levels.filter(({ price }) => price >= tick && price <= PRICE_ONE - tick);
}

function isShown(side: Quote['side'], odd: OddQuotes | undefined): boolean {
  return odd === undefined || odd === 'unserved' || (odd === 'asks only' && side === 'ask');
}
