/** Where what members have resolved to cannot stand together with a relation: it does not hold, and never did. */
import type { Price } from '@dutchbook/units/price.ts';
import type { EventMember } from './catalogue-event.ts';
import type { Relation } from './relation.ts';
import { isDecided, isExhaustive, isOpen } from './worlds.ts';

/**
 * Places count from 0. `both`: two came true of which one rules the other out. `implied`: `first` came true and `second`,
 * which it implies, did not. `none`: of exhaustive members all that could have come true, between a threshold that did not and
 * one that did, have not. `voided`: by a contract that rules it out, where the relation is void-safe.
 */
export type Contradiction =
  | { kind: 'both' | 'implied'; first: number; second: number }
  | { kind: 'none'; after: number | null; before: number | null }
  | { kind: 'voided'; first: number };

type Structure = Pick<Relation, 'kind' | 'members' | 'isComplete' | 'isVoidSafe'>;
/** The worth of each member's first outcome; null while it is open. */
type Resolved = readonly (Price | null)[];

/** Says in words how resolved members contradict the relation; null when they do not. `listed`: by market id. */
export function whyContradicted(relation: Structure, listed: ReadonlyMap<string, EventMember>): string | null {
  const members = relation.members.map(({ marketId }) => ({ marketId, ...listed.get(marketId) }));
  const contradiction = contradictionOf(
    relation,
    members.map(({ resolvedValue = null }) => resolvedValue),
  );
  if (contradiction === null) return null;
  return wordsOfContradiction(
    contradiction,
    members.map(({ marketId, groupTitle, question }) => groupTitle || question || marketId),
  );
}

/**
 * Null where some world of the relation agrees with what has resolved, found in one walk over the members. A pair holds
 * whatever happens. A member that was voided, at half a dollar say, has neither come true nor failed to: it contradicts a
 * relation only where that relies on a contract that voids nothing.
 */
export function contradictionOf(relation: Structure, resolved: Resolved): Contradiction | null {
  if (relation.kind === 'pair') return null;
  const places = relation.members.map((_, place) => place);
  const voided = places.find((place) => !isOpen(resolved, place) && !isDecided(resolved, place));
  if (relation.isVoidSafe && voided !== undefined) return { kind: 'voided', first: voided };
  const isThreshold = (place: number) => relation.kind === 'ladder' || relation.members[place]?.role === 'threshold';
  const [one, ...others] = places.filter((place) => !isThreshold(place) && isTrue(resolved, place));
  const [other] = others;
  if (one !== undefined && other !== undefined) return { kind: 'both', first: one, second: other };
  /** The easiest threshold that did not come true, and the hardest that did: what came true lies between them. */
  const after = places.findLast((place) => isThreshold(place) && isFalse(resolved, place)) ?? null;
  const before = places.find((place) => isThreshold(place) && isTrue(resolved, place)) ?? null;
  if (one !== undefined && before !== null && before < one) return { kind: 'both', first: before, second: one };
  const hardest = Math.min(one ?? places.length, before ?? places.length);
  if (after !== null && hardest < after) return { kind: 'implied', first: hardest, second: after };
  if (one !== undefined || !isExhaustive(relation)) return null;
  const left = places
    .slice((after ?? -1) + 1, before ?? places.length)
    .some((place) => !isThreshold(place) && !isFalse(resolved, place));
  return left ? null : { kind: 'none', after, before };
}

/** "A and B both came true". `names`: of the members, in their order. */
export function wordsOfContradiction(contradiction: Contradiction, names: readonly string[]): string {
  const nameOf = (place: number) => names[place] ?? '';
  switch (contradiction.kind) {
    case 'both':
      return `${nameOf(contradiction.first)} and ${nameOf(contradiction.second)} both came true`;
    case 'implied':
      return `${nameOf(contradiction.first)} came true and ${nameOf(contradiction.second)}, which it implies, did not`;
    case 'voided':
      return `${nameOf(contradiction.first)} was voided, which its contract rules out`;
    case 'none':
      return wordsOfNone(contradiction, nameOf, names.length);
  }
}

function wordsOfNone(
  { after, before }: Extract<Contradiction, { kind: 'none' }>,
  nameOf: (place: number) => string,
  members: number,
): string {
  if (after === null && before === null) return `none of its ${members} members came true`;
  if (after === null) return `${nameOf(before ?? 0)} came true and nothing that implies it did`;
  if (before === null) return `${nameOf(after)} did not come true, and nothing beyond it did`;
  return `${nameOf(before)} came true and ${nameOf(after)} did not, and nothing between them did`;
}

function isTrue(resolved: Resolved, place: number): boolean {
  return isDecided(resolved, place) && resolved[place] !== 0;
}

function isFalse(resolved: Resolved, place: number): boolean {
  return isDecided(resolved, place) && resolved[place] === 0;
}
