/** The best set of legs that each relation allows: what it costs now, and what it pays whatever happens. */
import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import type { Bounds } from './bounds.ts';
import type { Relation } from './relation.ts';
import { paysIn, worldsOf } from './worlds.ts';

/** `member`: its place in the relation, from 0. `outcome`: 0 the first one, 1 the other. */
export type BasketLeg = { member: number; outcome: 0 | 1 };

/** Micro-dollars a set. `cost`: after fees. `payout`: the least of all worlds in which nothing is voided, and of all. */
export type Basket = {
  direction: 'yes' | 'no';
  legs: BasketLeg[];
  payout: Price;
  payoutWithVoids: Price;
  cost: number;
};

/** An opportunity has no more positions than that. */
export const BASKET_LEGS_MAX = 50;

type Structure = Pick<Relation, 'kind' | 'members' | 'isComplete' | 'isVoidSafe'>;
type Quoted = { yes: boolean; no: boolean };
type Given = {
  relation: Structure;
  bounds: readonly Bounds[];
  quoted: readonly Quoted[];
  resolved: readonly (Price | null)[];
};

/**
 * At most one basket of each direction, the best of it also where it does not pay. Only what is on offer is bought, at least
 * two legs of it; a resolved member counts with its value and needs no leg.
 */
export function bestBaskets(
  relation: Structure,
  bounds: readonly Bounds[],
  quoted: readonly Quoted[],
  resolved: readonly (Price | null)[],
): Basket[] {
  const given = { relation, bounds, quoted, resolved };
  return legSets(given).flatMap(({ direction, legs }) => {
    if (legs === null || legs.length < leastLegs(given) || legs.length > BASKET_LEGS_MAX) return [];
    return [withPayouts(given, direction, legs)];
  });
}

type LegSet = { direction: Basket['direction']; legs: BasketLeg[] | null };

function legSets(given: Given): LegSet[] {
  switch (given.relation.kind) {
    case 'pair':
      return [{ direction: 'yes', legs: canBuy(given, 0, 0) && canBuy(given, 0, 1) ? [leg(0, 0), leg(0, 1)] : null }];
    case 'at_most_one':
      return [{ direction: 'no', legs: noOnSome(given, places(given)) }];
    case 'exactly_one':
      return [
        { direction: 'yes', legs: yesOnAll(given, places(given)) },
        { direction: 'no', legs: noOnSome(given, places(given)) },
      ];
    case 'ladder':
      return [{ direction: 'yes', legs: cheapestRungs(given) }];
    case 'buckets':
      return [
        { direction: 'yes', legs: cheapestSegment(given, 'yes') },
        { direction: 'no', legs: cheapestSegment(given, 'no') },
      ];
  }
}

/** One leg alone is a bet, unless what has resolved stands for the others. */
function leastLegs({ relation, resolved }: Given): number {
  return relation.members.some((_, place) => !isOpen(resolved, place)) ? 1 : 2;
}

function leg(member: number, outcome: 0 | 1): BasketLeg {
  return { member, outcome };
}

/** Members that are still open; those that have resolved need no leg. */
function places({ relation, resolved }: Given): number[] {
  return relation.members.map((_, place) => place).filter((place) => isOpen(resolved, place));
}

function isOpen(resolved: readonly (Price | null)[], place: number): boolean {
  return resolved[place] === null || resolved[place] === undefined;
}

function canBuy({ quoted, resolved }: Given, place: number, outcome: 0 | 1): boolean {
  const offer = quoted[place];
  return isOpen(resolved, place) && offer !== undefined && (outcome === 0 ? offer.yes : offer.no);
}

function costOf({ bounds }: Given, { member, outcome }: BasketLeg): number {
  const { low, high } = bounds[member] ?? { low: 0, high: PRICE_ONE };
  return outcome === 0 ? high : PRICE_ONE - low;
}

/** Null where one of them is not on offer, or something has come true already. */
function yesOnAll(given: Given, open: readonly number[]): BasketLeg[] | null {
  const isDecided = given.resolved.some((value) => value !== null && value !== undefined && value > 0);
  return !isDecided && open.every((place) => canBuy(given, place, 0)) ? open.map((place) => leg(place, 0)) : null;
}

/** Those whose No costs less than it brings; where there are too few of them, those that come nearest. */
function noOnSome(given: Given, open: readonly number[]): BasketLeg[] {
  const byLow = open
    .filter((place) => canBuy(given, place, 1))
    .sort((one, other) => lowOf(given, other) - lowOf(given, one) || one - other);
  const bought = byLow
    .filter((place, rank) => rank < leastLegs(given) || lowOf(given, place) > 0)
    .slice(0, BASKET_LEGS_MAX);
  return bought.sort((one, other) => one - other).map((place) => leg(place, 1));
}

/** Yes of an easier rung with No of a harder one. */
function cheapestRungs(given: Given): BasketLeg[] | null {
  let best: { cost: number; pair: BasketLeg[] } | null = null;
  let harder: number | null = null;
  for (const [place] of given.relation.members.entries()) {
    if (harder !== null && isUsable(given, place, 0)) {
      const pair = [leg(harder, 1), leg(place, 0)];
      const cost = totalCost(given, pair);
      if (best === null || cost < best.cost) best = { cost, pair };
    }
    if (isUsable(given, place, 1) && (harder === null || lowOf(given, place) > lowOf(given, harder))) harder = place;
  }
  return best?.pair.filter(({ member }) => isOpen(given.resolved, member)) ?? null;
}

/** On offer, or resolved so that nothing of it has to be bought. */
function isUsable(given: Given, place: number, outcome: 0 | 1): boolean {
  return !isOpen(given.resolved, place) || canBuy(given, place, outcome);
}

function lowOf({ bounds }: Given, place: number): number {
  return bounds[place]?.low ?? 0;
}

function totalCost(given: Given, legs: readonly BasketLeg[]): number {
  return legs.reduce((sum, each) => sum + costOf(given, each), 0);
}

/**
 * Between two thresholds lie buckets, one of which comes true exactly when the easier threshold does and the harder one does
 * not: buckets and harder threshold together are the easier one. Beyond the hardest threshold the buckets alone are it.
 */
function cheapestSegment(given: Given, direction: Basket['direction']): BasketLeg[] | null {
  let best: { edge: number; legs: BasketLeg[] } | null = null;
  for (const segment of segmentsOf(given.relation, direction)) {
    const legs = segmentLegs(given, segment, direction);
    if (legs === null || legs.length < leastLegs(given)) continue;
    const edge = totalCost(given, legs) - payoutOf(given, legs);
    if (best === null || edge < best.edge) best = { edge, legs };
  }
  return best?.legs ?? null;
}

/** `harder`, `easier`: null at the end beyond which there is no threshold. */
type Segment = { harder: number | null; buckets: number[]; easier: number | null };

/** Where buckets may be missing, Yes on those beyond the last threshold is not all that may come true there; No is. */
function segmentsOf({ members, isComplete }: Structure, direction: Basket['direction']): Segment[] {
  const ends = members.flatMap(({ role }, place) => (role === 'threshold' ? [place] : []));
  const isOpenEnded = isComplete || direction === 'no';
  const hard: (number | null)[] = isOpenEnded ? [null, ...ends] : ends;
  const easy: (number | null)[] = isOpenEnded ? [...ends, null] : ends;
  return hard.flatMap((harder) =>
    easy
      .filter((easier) => (easier ?? members.length) > (harder ?? -1))
      .map((easier) => ({
        harder,
        easier,
        buckets: members.flatMap(({ role }, place) =>
          role === 'bucket' && place > (harder ?? -1) && place < (easier ?? members.length) ? [place] : [],
        ),
      })),
  );
}

function segmentLegs(
  given: Given,
  { harder, buckets, easier }: Segment,
  direction: Basket['direction'],
): BasketLeg[] | null {
  const upper: 0 | 1 = direction === 'yes' ? 0 : 1;
  const wanted: BasketLeg[] = [
    ...(harder === null ? [] : [leg(harder, upper)]),
    ...buckets.map((place) => leg(place, upper)),
    ...(easier === null ? [] : [leg(easier, upper === 0 ? 1 : 0)]),
  ].filter(({ member }) => isOpen(given.resolved, member));
  const offered = wanted.filter(({ member, outcome }) => canBuy(given, member, outcome));
  if (direction === 'yes') return offered.length === wanted.length ? wanted : null;
  // No on a bucket may be left out: without it the others pay a dollar less at most, and never when it comes true.
  if (wanted.some(({ member, outcome }) => outcome === 0 && !canBuy(given, member, 0))) return null;
  return offered.filter((each) => each.outcome === 0 || lowOf(given, each.member) > 0);
}

function payoutOf({ relation, resolved }: Given, legs: readonly BasketLeg[]): number {
  const sound = worldsOf({ ...relation, isVoidSafe: true }, resolved);
  return Math.min(...sound.map((world) => total(paysIn(legs, world))));
}

function withPayouts(given: Given, direction: Basket['direction'], legs: BasketLeg[]): Basket {
  const { relation, resolved } = given;
  const sound = worldsOf({ ...relation, isVoidSafe: true }, resolved).map((world) => paysIn(legs, world));
  const payout = Math.min(...sound.map(total));
  const payoutWithVoids = relation.isVoidSafe ? payout : Math.min(...sound.map(leastVoided));
  return {
    direction,
    legs,
    payout: payout as Price,
    payoutWithVoids: payoutWithVoids as Price,
    cost: totalCost(given, legs),
  };
}

function total(pays: readonly Price[]): number {
  return pays.reduce((sum, pay) => sum + pay, 0);
}

/** With the one leg voided whose half dollar takes most away. */
function leastVoided(pays: readonly Price[]): number {
  return total(pays) - Math.max(0, ...pays.map((pay) => pay - PRICE_ONE / 2));
}
