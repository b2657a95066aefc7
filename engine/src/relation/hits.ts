/** Which basket of a relation makes most dollars: how many sets are bought decides which legs it should have. */
import { complement, PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import { ONE_SHARE, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type Book, bestAsk, bestBid } from '../book/book.ts';
import type { Level } from '../book/level.ts';
import type { FeeSchedule } from '../market/market.ts';
import { bestOfAsks, type Offered } from '../opportunity/curve.ts';
import { takerFee } from '../opportunity/fee.ts';
import {
  type Basket,
  type BasketLeg,
  bestLegSets,
  costOfLegs,
  type LegSet,
  payoutsOf,
  type Structure,
} from './baskets.ts';
import { type Bounds, boundsOfBook, boundsOfResolved, UNQUOTED } from './bounds.ts';
import { soundWorldsOf, type World } from './worlds.ts';

/** `book`: of the first outcome, undefined where none can be trusted. */
export type MemberOffers = { book: Book | undefined; feeSchedule: FeeSchedule | null; resolved: Price | null };

/** A basket, the size at which it makes most, and what it makes then. */
export type Hit = { basket: Basket; profit: Usd; size: Shares };

/** Legs looked at over all sizes of a search, so that neither many members nor deep books make it long. */
const LEGS_MAX = 5000;
const SIZES_MIN = 8;

export function boundsOfMember({ book, feeSchedule, resolved }: MemberOffers): Bounds {
  return resolved === null ? boundsOfBook(book, feeSchedule) : boundsOfResolved(resolved);
}

/** The most profitable basket of each direction by the whole books, if any; the best first. */
export function bestHits(relation: Structure, members: readonly MemberOffers[]): Hit[] {
  const resolved = members.map((member) => member.resolved);
  const bounds = members.map(boundsOfMember);
  const sound = soundWorldsOf(relation, resolved);
  const hits = mostProfitable(relation, members, resolved, sound).flatMap(({ direction, legs }): Hit[] => {
    const payouts = payoutsOf(relation, resolved, legs, sound);
    if (payouts === null) return [];
    const basket = { direction, legs, ...payouts, cost: costOfLegs(legs, bounds) };
    return [{ basket, ...bestSizeOf(basket, members) }];
  });
  return hits.filter(({ profit }) => profit > 0).sort((one, other) => other.profit - one.profit);
}

/** Computed from the current books: nothing where a leg is not on offer, or no size pays. */
export function bestSizeOf(
  { legs, payout }: Pick<Basket, 'legs' | 'payout'>,
  members: readonly MemberOffers[],
): Pick<Hit, 'profit' | 'size'> {
  const offered = legs.flatMap((leg) => offeredOf(members[leg.member], leg.outcome) ?? []);
  const best = offered.length < legs.length ? null : bestOfAsks(offered, payout);
  return best ?? { profit: USD_ZERO, size: SHARES_ZERO };
}

/**
 * At a given size each leg costs what its levels up to there cost on average, so that the best basket of one set at those prices
 * is the best of that size. The sizes are those at which some book passes on to its next level; the dearer the sets
 * become, the less is left, and nothing pays at a larger size once nothing does.
 */
function mostProfitable(
  relation: Structure,
  members: readonly MemberOffers[],
  resolved: readonly (Price | null)[],
  sound: readonly World[],
): LegSet[] {
  const sides = members.map((member) => [new Side(member, 0), new Side(member, 1)] as const);
  const best = new Map<Basket['direction'], LegSet & { profit: number }>();
  /** The legs of the size before, which are mostly those of this one as well. */
  const before = new Map<Basket['direction'], { legs: readonly BasketLeg[]; payout: number }>();
  for (const size of sizesOf(sides.flat(), members.length)) {
    const bounds = sides.map(([yes, no]) => ({ low: PRICE_ONE - no.averageCost(size), high: yes.averageCost(size) }));
    let isPaying = false;
    for (const { direction, legs } of bestLegSets(relation, bounds, resolved)) {
      const known = before.get(direction);
      const payout =
        known !== undefined && areSame(legs, known.legs)
          ? known.payout
          : (payoutsOf(relation, resolved, legs, sound)?.payout ?? 0);
      before.set(direction, { legs, payout });
      const profit = (payout - costOfLegs(legs, bounds)) * size;
      isPaying ||= profit > 0;
      if (profit > (best.get(direction)?.profit ?? 0)) best.set(direction, { direction, legs, profit });
    }
    if (!isPaying) break;
  }
  return [...best.values()];
}

function areSame(some: readonly BasketLeg[], others: readonly BasketLeg[]): boolean {
  if (some.length !== others.length) return false;
  return some.every(
    ({ member, outcome }, place) => others[place]?.member === member && others[place].outcome === outcome,
  );
}

/** One outcome of a member, bought at ever larger sizes: only the levels that a size reaches are looked at. */
class Side {
  /** How many shares the levels up to each one have. */
  readonly ends: number[] = [];
  readonly #offered: Offered | null;
  #level = -1;
  /** Price of a share of this level with its fee, in micro-dollars. */
  #price = 0;
  /** Cost of the levels before it, in dollars times 10^12. */
  #costBefore = 0;

  constructor(member: MemberOffers, outcome: 0 | 1) {
    this.#offered = member.resolved === null ? offeredOf(member, outcome) : null;
    let end = 0;
    for (const { size } of this.#offered?.asks ?? []) {
      end += size;
      this.ends.push(end);
    }
  }

  /** Average cost of a share in micro-dollars when `size` are bought; infinite where fewer are on offer. `size` may not fall from call to call. */
  averageCost(size: number): number {
    while (this.#level < 0 || this.#endOf(this.#level) < size) {
      const next = this.#offered?.asks[this.#level + 1];
      if (next === undefined) return UNQUOTED.high;
      this.#costBefore += (this.#endOf(this.#level) - this.#endOf(this.#level - 1)) * this.#price;
      this.#level += 1;
      this.#price = next.price + takerFee(ONE_SHARE, next.price, (this.#offered as Offered).schedule);
    }
    return (this.#costBefore + (size - this.#endOf(this.#level - 1)) * this.#price) / size;
  }

  #endOf(level: number): number {
    return this.ends[level] ?? 0;
  }
}

/** Sizes in order; evenly thinned when there are too many. */
function sizesOf(sides: readonly Side[], members: number): number[] {
  const all = [...new Set(sides.flatMap(({ ends }) => ends))].sort((one, other) => one - other);
  const most = Math.max(SIZES_MIN, Math.floor(LEGS_MAX / members));
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(all.length, most) }, (_, index) => all[Math.floor(index * step)] ?? 0);
}

/** The other outcome is offered at what the first one is bid for. Null where the venue's fee is not known, or no book is. */
function offeredOf(member: MemberOffers | undefined, outcome: BasketLeg['outcome']): Offered | null {
  if (member?.book === undefined || member.feeSchedule === null) return null;
  const asks = outcome === 0 ? member.book.asks : member.book.bids.map(mirrored);
  return { asks, schedule: member.feeSchedule };
}

/** The best price of an outcome, without the levels behind it; null where it is not on offer, or the venue's fee is not known. */
export function bestOfferOf(
  member: MemberOffers | undefined,
  outcome: BasketLeg['outcome'],
): { price: Price; schedule: FeeSchedule } | null {
  if (member?.book === undefined || member.feeSchedule === null) return null;
  const best = outcome === 0 ? bestAsk(member.book) : bestBid(member.book);
  return best === null ? null : { price: outcome === 0 ? best : complement(best), schedule: member.feeSchedule };
}

function mirrored({ price, size }: Level): Level {
  return { price: complement(price), size };
}
