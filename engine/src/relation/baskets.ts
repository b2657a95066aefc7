/** The best set of legs that each relation allows: what it costs now, and what it pays whatever happens. */
import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import { type Bounds, UNQUOTED } from './bounds.ts';
import type { Relation } from './relation.ts';
import { isDecided, isExhaustive, isOpen, soundWorldsOf, totalIn, type World, worldsOf } from './worlds.ts';

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

export type Structure = Pick<Relation, 'kind' | 'members' | 'isComplete' | 'isVoidSafe'>;
type Given = {
  relation: Structure;
  bounds: readonly Bounds[];
  resolved: readonly (Price | null)[];
};

/**
 * At most one basket of each direction, the best of it also where it does not pay. Only what is on offer is bought, at least
 * two legs of it; a resolved member counts with its value and stands for a leg. None where what has resolved contradicts the
 * relation.
 */
export function bestBaskets(
  relation: Structure,
  bounds: readonly Bounds[],
  resolved: readonly (Price | null)[],
): Basket[] {
  return bestLegSets(relation, bounds, resolved).flatMap((legSet) => {
    const payouts = payoutsOf(relation, resolved, legSet.legs);
    return payouts === null ? [] : { ...legSet, ...payouts, cost: costOfLegs(legSet.legs, bounds) };
  });
}

export type LegSet = Pick<Basket, 'direction' | 'legs'>;

/** The legs of the best baskets, whatever they pay. */
export function bestLegSets(
  relation: Structure,
  bounds: readonly Bounds[],
  resolved: readonly (Price | null)[],
): LegSet[] {
  const given = { relation, bounds, resolved };
  return legSets(given).flatMap(({ direction, legs }) =>
    legs === null || !isBasket(given, legs) ? [] : { direction, legs },
  );
}

/** Null where what has resolved contradicts the relation. */
export function payoutsOf(
  relation: Structure,
  resolved: readonly (Price | null)[],
  legs: readonly BasketLeg[],
  sound: readonly World[] = soundWorldsOf(relation, resolved),
): Pick<Basket, 'payout' | 'payoutWithVoids'> | null {
  if (sound.length === 0) return null;
  const least = (some: readonly World[]) => Math.min(...some.map((world) => totalIn(legs, world))) as Price;
  const payout = least(sound);
  const worlds = worldsOf(relation, resolved, legs, sound);
  return { payout, payoutWithVoids: worlds === sound ? payout : least(worlds) };
}

/** Cost of one set, after fees; infinite where a leg is not on offer. */
export function costOfLegs(legs: readonly BasketLeg[], bounds: readonly Bounds[]): number {
  return legs.reduce((sum, { member, outcome }) => {
    const { low, high } = bounds[member] ?? UNQUOTED;
    return sum + (outcome === 0 ? high : PRICE_ONE - low);
  }, 0);
}

function legSets(given: Given): { direction: Basket['direction']; legs: BasketLeg[] | null }[] {
  switch (given.relation.kind) {
    case 'pair':
      return [{ direction: 'yes', legs: canBuy(given, 0, 0) && canBuy(given, 0, 1) ? [leg(0, 0), leg(0, 1)] : null }];
    case 'at_most_one':
      return [{ direction: 'no', legs: noOnSome(given) }];
    case 'exactly_one':
      return [
        { direction: 'yes', legs: yesOnAll(given) },
        { direction: 'no', legs: noOnSome(given) },
      ];
    case 'ladder':
      return [{ direction: 'yes', legs: cheapestRungs(given) }];
    case 'buckets':
      return [
        { direction: 'yes', legs: isExhaustive(given.relation) ? cheapestSegment(given, 'yes') : null },
        { direction: 'no', legs: cheapestSegment(given, 'no') },
      ];
  }
}

function isBasket(given: Given, legs: readonly BasketLeg[]): boolean {
  return legs.length >= leastLegs(given) && legs.length <= BASKET_LEGS_MAX;
}

/** One leg alone is a bet, unless what has resolved stands for the others. */
function leastLegs({ relation, resolved }: Given): number {
  return relation.members.some((_, place) => isDecided(resolved, place)) ? 1 : 2;
}

function leg(member: number, outcome: 0 | 1): BasketLeg {
  return { member, outcome };
}

function canBuy(given: Given, place: number, outcome: 0 | 1): boolean {
  return isOpen(given.resolved, place) && Number.isFinite(outcome === 0 ? highOf(given, place) : lowOf(given, place));
}

/** Whether a leg is on offer, or resolved so that none of it has to be bought. */
function isUsable(given: Given, place: number, outcome: 0 | 1): boolean {
  return isDecided(given.resolved, place) || canBuy(given, place, outcome);
}

function highOf({ bounds, resolved }: Given, place: number): number {
  return resolved[place] ?? bounds[place]?.high ?? UNQUOTED.high;
}

function lowOf({ bounds, resolved }: Given, place: number): number {
  return resolved[place] ?? bounds[place]?.low ?? UNQUOTED.low;
}

/** Null where one of them is not on offer, or something has come true already. */
function yesOnAll(given: Given): BasketLeg[] | null {
  const open = given.relation.members.flatMap((_, place) => (isOpen(given.resolved, place) ? place : []));
  const isOver = given.resolved.some((value) => value !== null && value > 0);
  return !isOver && open.every((place) => canBuy(given, place, 0)) ? open.map((place) => leg(place, 0)) : null;
}

/** No on the members where it costs less than it brings; with too few of them, also on the nearest ones. */
function noOnSome(given: Given): BasketLeg[] {
  const offered = given.relation.members.flatMap((_, place) => (canBuy(given, place, 1) ? place : []));
  const worth = (place: number, rank: number) => rank < leastLegs(given) || lowOf(given, place) > 0;
  return highestLows(given, offered)
    .filter(worth)
    .slice(0, BASKET_LEGS_MAX)
    .sort((one, other) => one - other)
    .map((place) => leg(place, 1));
}

function highestLows(given: Given, some: readonly number[]): number[] {
  return some.toSorted((one, other) => lowOf(given, other) - lowOf(given, one) || one - other);
}

/** Yes of an easier rung with No of a harder one. */
function cheapestRungs(given: Given): BasketLeg[] | null {
  let best: { edge: number; pair: BasketLeg[] } | null = null;
  /** The harder rungs whose No costs least: of all, and of those that are still open. */
  let harder: number | null = null;
  let openHarder: number | null = null;
  const higher = (place: number, before: number | null) =>
    before === null || lowOf(given, place) > lowOf(given, before) ? place : before;
  for (const [place] of given.relation.members.entries()) {
    const partner = isOpen(given.resolved, place) ? harder : openHarder;
    if (partner !== null && isUsable(given, place, 0)) {
      const edge = highOf(given, place) - lowOf(given, partner);
      if (best === null || edge < best.edge) best = { edge, pair: [leg(partner, 1), leg(place, 0)] };
    }
    if (isUsable(given, place, 1)) harder = higher(place, harder);
    if (canBuy(given, place, 1)) openHarder = higher(place, openHarder);
  }
  return best?.pair.filter(({ member }) => isOpen(given.resolved, member)) ?? null;
}

/**
 * `inside`: the threshold that begins it, if one does, and the buckets up to the threshold that ends it, `outside`, or to the
 * end of all. Whatever comes true inside is what comes true outside, which is anything at all where nothing ends it.
 */
type Segment = { inside: readonly number[]; outside: number | null };

/** The segment with the best edge between selling its dearer side and buying its cheaper one. */
function cheapestSegment(given: Given, direction: Basket['direction']): BasketLeg[] | null {
  let best: { edge: number; legs: BasketLeg[] } | null = null;
  for (const segment of segmentsOf(given.relation)) {
    const legs = direction === 'yes' ? yesInside(given, segment) : noInside(given, segment);
    if (legs === null) continue;
    const bought = legs.filter(({ member }) => isOpen(given.resolved, member));
    if (!isBasket(given, bought)) continue;
    const edge = edgeOf(given, legs, segment, direction);
    if (best === null || edge < best.edge) best = { edge, legs: bought };
  }
  return best?.legs ?? null;
}

function segmentsOf({ members }: Structure): Segment[] {
  const begins = [null, ...members.flatMap(({ role }, place) => (role === 'threshold' ? place : []))];
  return begins.flatMap((begin) => {
    const segments: Segment[] = [];
    const inside = begin === null ? [] : [begin];
    for (let place = (begin ?? -1) + 1; place < members.length; place++) {
      if (members[place]?.role === 'threshold') segments.push({ inside: [...inside], outside: place });
      else inside.push(place);
    }
    return [...segments, { inside, outside: null }];
  });
}

function yesInside(given: Given, { inside, outside }: Segment): BasketLeg[] | null {
  if (!inside.every((place) => isUsable(given, place, 0))) return null;
  if (outside !== null && !isUsable(given, outside, 1)) return null;
  return [...inside.map((place) => leg(place, 0)), ...(outside === null ? [] : [leg(outside, 1)])];
}

/** A No may be left out: without it the others pay a dollar less at most, and never when it comes true. */
function noInside(given: Given, { inside, outside }: Segment): BasketLeg[] | null {
  if (outside !== null && !isUsable(given, outside, 0)) return null;
  const worth = inside.filter((place) => isUsable(given, place, 1) && lowOf(given, place) > 0);
  const most = BASKET_LEGS_MAX - (outside === null ? 0 : 1);
  const bought = worth.length > most ? highestLows(given, worth).slice(0, most) : worth;
  const legs = bought.toSorted((one, other) => one - other).map((place) => leg(place, 1));
  return [...legs, ...(outside === null ? [] : [leg(outside, 0)])];
}

/** Cost less payout, where no world but the worst one is looked at. */
function edgeOf(
  given: Given,
  legs: readonly BasketLeg[],
  { outside }: Segment,
  direction: Basket['direction'],
): number {
  const within = legs.filter(({ member }) => member !== outside);
  const sum = within.reduce(
    (total, { member }) => total + (direction === 'yes' ? highOf(given, member) : lowOf(given, member)),
    0,
  );
  if (direction === 'yes') return sum - (outside === null ? PRICE_ONE : lowOf(given, outside));
  return (outside === null ? PRICE_ONE : highOf(given, outside)) - sum;
}
