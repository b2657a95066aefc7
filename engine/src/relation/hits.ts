/** Which basket of a relation makes most dollars: how many sets are bought decides which legs it should have. */
import { complement, PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import { ONE_SHARE, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Book } from '../book/book.ts';
import type { Level } from '../book/level.ts';
import type { FeeSchedule } from '../market/market.ts';
import { curveOfAsks, type Offered } from '../opportunity/curve.ts';
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

/** Of each direction the basket that makes most dollars by the whole books, where one makes any; those that make most first. */
export function bestHits(relation: Structure, members: readonly MemberOffers[]): Hit[] {
  const resolved = members.map((member) => member.resolved);
  const bounds = members.map(boundsOfMember);
  const hits = mostProfitable(relation, members, resolved).flatMap(({ direction, legs }): Hit[] => {
    const payouts = payoutsOf(relation, resolved, legs);
    if (payouts === null) return [];
    const basket = { direction, legs, ...payouts, cost: costOfLegs(legs, bounds) };
    return [{ basket, ...bestSizeOf(basket, members) }];
  });
  return hits.filter(({ profit }) => profit > 0).sort((one, other) => other.profit - one.profit);
}

/** By the books of now: nothing where a leg is not on offer, or no size pays. */
export function bestSizeOf(
  { legs, payout }: Pick<Basket, 'legs' | 'payout'>,
  members: readonly MemberOffers[],
): Pick<Hit, 'profit' | 'size'> {
  const offered = legs.flatMap((leg) => offeredOf(members[leg.member], leg.outcome) ?? []);
  let best = { profit: USD_ZERO, size: SHARES_ZERO };
  if (offered.length < legs.length) return best;
  for (const { size, profit } of curveOfAsks(offered, payout)) if (profit > best.profit) best = { profit, size };
  return best;
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
): LegSet[] {
  const sides = members.map((member) => [costsOf(member, 0), costsOf(member, 1)] as const);
  const best = new Map<Basket['direction'], LegSet & { profit: number }>();
  const payoutOf = new Map<string, number | null>();
  for (const size of sizesOf(sides.flat(), members.length)) {
    const bounds = sides.map(([yes, no]) => ({ low: PRICE_ONE - averageCost(no, size), high: averageCost(yes, size) }));
    let isPaying = false;
    for (const { direction, legs } of bestLegSets(relation, bounds, resolved)) {
      const key = JSON.stringify(legs);
      const payout = payoutOf.get(key) ?? payoutsOf(relation, resolved, legs)?.payout ?? 0;
      payoutOf.set(key, payout);
      const profit = (payout - costOfLegs(legs, bounds)) * size;
      isPaying ||= profit > 0;
      if (profit > (best.get(direction)?.profit ?? 0)) best.set(direction, { direction, legs, profit });
    }
    if (!isPaying) break;
  }
  return [...best.values()];
}

/** `ends`: how many shares the levels up to each one have; `costs`: what those cost with their fees, in dollars times 10^12. */
type Costs = { ends: number[]; costs: number[]; prices: number[] };

function costsOf(member: MemberOffers, outcome: 0 | 1): Costs {
  const costs: Costs = { ends: [], costs: [], prices: [] };
  const offered = member.resolved === null ? offeredOf(member, outcome) : null;
  let [end, cost] = [0, 0];
  for (const { price, size } of offered?.asks ?? []) {
    const withFee = price + takerFee(ONE_SHARE, price, (offered as Offered).schedule);
    end += size;
    cost += size * withFee;
    costs.ends.push(end);
    costs.costs.push(cost);
    costs.prices.push(withFee);
  }
  return costs;
}

/** Of one share where that many are bought, in micro-dollars; infinite where fewer are on offer. */
function averageCost({ ends, costs, prices }: Costs, size: number): number {
  const level = ends.findIndex((end) => end >= size);
  if (level < 0) return UNQUOTED.high;
  const before = { end: ends[level - 1] ?? 0, cost: costs[level - 1] ?? 0 };
  return (before.cost + (size - before.end) * (prices[level] ?? 0)) / size;
}

/** In order; of too many as many as may be, evenly. */
function sizesOf(sides: readonly Costs[], members: number): number[] {
  const all = [...new Set(sides.flatMap(({ ends }) => ends))].sort((one, other) => one - other);
  const most = Math.max(SIZES_MIN, Math.floor(LEGS_MAX / members));
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(all.length, most) }, (_, index) => all[Math.floor(index * step)] ?? 0);
}

/** The other outcome is offered at what the first one is bid for. Null where the venue's fee is not known, or no book is. */
export function offeredOf(member: MemberOffers | undefined, outcome: BasketLeg['outcome']): Offered | null {
  if (member?.book === undefined || member.feeSchedule === null) return null;
  const { asks, bids } = member.book;
  return { asks: outcome === 0 ? asks : bids.map(mirrored), schedule: member.feeSchedule };
}

function mirrored({ price, size }: Level): Level {
  return { price: complement(price), size };
}
