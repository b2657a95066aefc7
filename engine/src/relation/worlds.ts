/** How the members of a relation may turn out together, and what a basket of their outcomes pays then. */
import { PRICE_ONE, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import type { Relation } from './relation.ts';

/**
 * `values`: of one share of each member's first outcome. `name` calls members by their place, "member 3 comes true"; the
 * places count from 1.
 */
export type World = { name: string; voided: boolean; values: Price[] };

type Structure = Pick<Relation, 'kind' | 'members' | 'isComplete' | 'isVoidSafe'>;

const HALF = (PRICE_ONE / 2) as Price;

/**
 * Every world that the relation allows and that agrees with what has `resolved`; then, where the relation is not void-safe,
 * each with one open member voided, which pays half a dollar for either outcome.
 */
export function worldsOf(relation: Structure, resolved: readonly (Price | null)[]): World[] {
  const sound = soundWorlds(relation).filter(({ values }) =>
    values.every((value, index) => (resolved[index] ?? value) === value || resolved[index] === HALF),
  );
  const settled = sound.map((world) => ({
    ...world,
    values: world.values.map((value, index) => (resolved[index] === HALF ? HALF : value)),
  }));
  if (relation.isVoidSafe) return settled;
  return [...settled, ...settled.flatMap((world) => voidedOf(world, resolved))];
}

type Leg = { member: number; outcome: 0 | 1 };

/** What each leg pays, in their order. */
export function paysIn(legs: readonly Leg[], { values }: Pick<World, 'values'>): Price[] {
  return legs.map(({ member, outcome }) => {
    const value = values[member] ?? PRICE_ZERO;
    return outcome === 0 ? value : ((PRICE_ONE - value) as Price);
  });
}

function soundWorlds({ kind, members, isComplete }: Structure): World[] {
  const count = members.length;
  if (kind === 'ladder') {
    // The easier come true first: from none up to all.
    return Array.from({ length: count + 1 }, (_, from) =>
      world(
        from === count ? 'no member comes true' : `member ${from + 1} comes true and all easier ones`,
        count,
        (index) => index >= from,
      ),
    );
  }
  if (kind === 'pair')
    return [world('member 1 comes true', 1, () => true), world('member 1 does not come true', 1, () => false)];
  const isThreshold = members.map(({ role }) => role === 'threshold');
  const worlds = members.flatMap((_, place) =>
    isThreshold[place]
      ? []
      : [
          world(
            `member ${place + 1} comes true`,
            count,
            (index) => index === place || (isThreshold[index] === true && index > place),
          ),
        ],
  );
  const none = kind === 'at_most_one' || !isComplete;
  if (!none) return worlds;
  // What is not listed may lie beyond any threshold, or below all of them.
  const beyond = members.flatMap((_, place) =>
    isThreshold[place]
      ? [
          world(
            `a bucket that is not listed comes true, with member ${place + 1}`,
            count,
            (index) => isThreshold[index] === true && index >= place,
          ),
        ]
      : [],
  );
  return [...worlds, ...beyond, world('no member comes true', count, () => false)];
}

function world(name: string, count: number, isTrue: (index: number) => boolean): World {
  return {
    name,
    voided: false,
    values: Array.from({ length: count }, (_, index) => (isTrue(index) ? PRICE_ONE : PRICE_ZERO)),
  };
}

function voidedOf(sound: World, resolved: readonly (Price | null)[]): World[] {
  return sound.values.flatMap((_, place) =>
    resolved[place] === null || resolved[place] === undefined
      ? [
          {
            name: `${sound.name}, member ${place + 1} is voided`,
            voided: true,
            values: sound.values.map((value, index) => (index === place ? HALF : value)),
          },
        ]
      : [],
  );
}
