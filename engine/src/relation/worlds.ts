/** How the members of a relation may turn out together, and what a basket of their outcomes pays then. */
import { PRICE_ONE, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import type { Relation } from './relation.ts';

/**
 * `values`: of one share of each member's first outcome. `name` calls members by their place, "member 3 comes true"; the
 * places count from 1.
 */
export type World = { name: string; voided: boolean; values: Price[] };

type Structure = Pick<Relation, 'kind' | 'members' | 'isComplete' | 'isVoidSafe'>;
type Leg = { member: number; outcome: 0 | 1 };
/** The worth of each member's first outcome; null while it is open. */
type Resolved = readonly (Price | null)[];

const HALF = (PRICE_ONE / 2) as Price;

/**
 * Every world that the relation allows and that agrees with what has resolved; none where that contradicts the relation. Then,
 * where the relation is not void-safe, those in which markets of the legs are voided and pay half a dollar for either outcome:
 * for each leg the world in which that leaves least, and the one in which all are.
 */
export function worldsOf(
  relation: Structure,
  resolved: Resolved,
  legs: readonly Leg[],
  sound: readonly World[] = soundWorldsOf(relation, resolved),
): readonly World[] {
  return relation.isVoidSafe ? sound : [...sound, ...voidedWorlds(sound, resolved, legs)];
}

/** The worlds in which nothing is voided. They do not depend on the legs, so that a search works them out once. */
export function soundWorldsOf(relation: Structure, resolved: Resolved): World[] {
  return soundWorlds(relation)
    .filter(({ values }) => values.every((value, place) => !isDecided(resolved, place) || value === resolved[place]))
    .map((world) => ({ ...world, values: world.values.map((value, place) => resolved[place] ?? value) }));
}

/** What each leg pays, in their order. */
export function paysIn(legs: readonly Leg[], { values }: Pick<World, 'values'>): Price[] {
  return legs.map(({ member, outcome }) => {
    const value = values[member] ?? PRICE_ZERO;
    return outcome === 0 ? value : ((PRICE_ONE - value) as Price);
  });
}

/** What all legs pay together. */
export function totalIn(legs: readonly Leg[], { values }: Pick<World, 'values'>): Price {
  let total = 0;
  for (const { member, outcome } of legs) {
    const value = values[member] ?? PRICE_ZERO;
    total += outcome === 0 ? value : PRICE_ONE - value;
  }
  return total as Price;
}

export function isOpen(resolved: Resolved, place: number): boolean {
  return (resolved[place] ?? null) === null;
}

/** Whether it has come true or not. One that was voided has done neither. */
export function isDecided(resolved: Resolved, place: number): boolean {
  return resolved[place] === PRICE_ZERO || resolved[place] === PRICE_ONE;
}

/** Whether one of the outcomes or buckets comes true in every world. */
export function isExhaustive({ kind, isComplete }: Pick<Relation, 'kind' | 'isComplete'>): boolean {
  return kind === 'exactly_one' || (kind === 'buckets' && isComplete);
}

function soundWorlds(relation: Structure): World[] {
  const { kind, members } = relation;
  const count = members.length;
  if (kind === 'pair')
    return [world('member 1 comes true', 1, () => true), world('member 1 does not come true', 1, () => false)];
  const none = world('no member comes true', count, () => false);
  // The easier come true first: from all down to none.
  if (kind === 'ladder') return [...members.map((_, place) => fromRung(place, count)), none];
  const isThreshold = members.map(({ role }) => role === 'threshold');
  const onlyOne = members.flatMap((_, place) =>
    isThreshold[place]
      ? []
      : world(
          `member ${place + 1} comes true`,
          count,
          (index) => index === place || (isThreshold[index] === true && index > place),
        ),
  );
  if (isExhaustive(relation)) return onlyOne;
  // An unlisted outcome may lie beyond any threshold, or below all of them.
  const unlisted = members.flatMap((_, place) =>
    isThreshold[place]
      ? world(
          `a bucket that is not listed comes true, with member ${place + 1}`,
          count,
          (index) => isThreshold[index] === true && index >= place,
        )
      : [],
  );
  return [...onlyOne, ...unlisted, none];
}

function fromRung(place: number, count: number): World {
  return world(`member ${place + 1} comes true and all easier ones`, count, (index) => index >= place);
}

function world(name: string, count: number, isTrue: (index: number) => boolean): World {
  return {
    name,
    voided: false,
    values: Array.from({ length: count }, (_, index) => (isTrue(index) ? PRICE_ONE : PRICE_ZERO)),
  };
}

function voidedWorlds(sound: readonly World[], resolved: Resolved, legs: readonly Leg[]): World[] {
  const [first] = sound;
  const places = [...new Set(legs.map(({ member }) => member))].filter((place) => isOpen(resolved, place));
  if (first === undefined || places.length === 0) return [];
  const totals = sound.map((each) => totalIn(legs, each));
  const one = places.map((place) => {
    const own = legs.filter(({ member }) => member === place);
    const left = sound.map((each, index) => (totals[index] ?? 0) - totalIn(own, each));
    const worst = sound[left.indexOf(Math.min(...left))] ?? first;
    return voidedIn(worst, [place], `${worst.name}, member ${place + 1} is voided`);
  });
  return places.length < 2 ? one : [...one, voidedIn(first, places, 'all of them are voided')];
}

function voidedIn({ values }: World, places: readonly number[], name: string): World {
  return { name, voided: true, values: values.map((value, place) => (places.includes(place) ? HALF : value)) };
}
