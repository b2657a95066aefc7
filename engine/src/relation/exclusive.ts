/** Outcomes of which the venue pays one at most, and whether they are all there are. */
import { tilesAll } from './buckets.ts';
import { type CatalogueEvent, type EventMember, HAS_REVERSED, isReversed } from './catalogue-event.ts';
import { fingerprintOf, templateOf } from './fingerprint.ts';
import { rangesOf } from './ranges.ts';
import type { Relation } from './relation.ts';

/**
 * At most one, or exactly one where that is proven by the contract's own count. Where a venue declares at most one and the ranges
 * leave nothing out, exactly one is read besides.
 */
export function readExclusive(event: CatalogueEvent, members: readonly EventMember[]): Relation[] {
  const { exclusive } = event;
  if (exclusive === null) return [];
  const counted = countedMembers(event, members);
  if (counted.length < 2) return [];
  const gap = whyNotAll(event, members);
  if (gap === null)
    return [exclusiveOf(event, counted, { kind: 'exactly_one', basis: exclusive, completeness: COUNTED })];
  const atMost = exclusiveOf(event, counted, { kind: 'at_most_one', basis: exclusive, completeness: gap });
  const ranges = exclusive === 'declared' && event.isWhole && !event.augmented ? rangesOf(event, counted) : [];
  if (ranges.length < counted.length || !tilesAll(ranges)) return [atMost];
  return [atMost, exclusiveOf(event, counted, { kind: 'exactly_one', basis: 'parsed', completeness: TILED })];
}

const COUNTED = 'All members are listed, by their places in the contract';
const TILED = 'The ranges leave no value out, and both ends are open';

/** The contract holds those together that it counts; a venue's word holds for all that it lists. */
function countedMembers(event: CatalogueEvent, members: readonly EventMember[]): EventMember[] {
  return event.exclusive === 'enforced' ? members.filter(({ memberIndex }) => memberIndex !== null) : [...members];
}

/** Why the members are not known to be all there are; null where they are. */
export function whyNotAll(event: CatalogueEvent, members: readonly EventMember[]): string | null {
  if (!event.isWhole) return 'The event was not read as a whole: members may be missing';
  if (event.members.some(isReversed)) return HAS_REVERSED;
  if (event.augmented) return 'An outcome that is not listed may come true';
  const counted = countedMembers(event, members);
  const places = new Set(counted.map(({ memberIndex }) => memberIndex));
  if (event.exclusive === null || places.has(null)) return 'The venue does not say which places its members have';
  if (counted.length < members.length) return 'A market of the event is none of those that the contract counts';
  if (places.size < counted.length) return 'Two members have the same place in the contract';
  const arities = new Set(counted.map(({ arity }) => arity));
  const [arity = null] = arities;
  if (arities.size > 1) return 'Members are of contracts with different numbers of members';
  // Where the ids say how many, the contract has one more for everything else, at the place behind the last.
  const count = arity === null ? counted.length : arity + 1;
  const isUnbroken = Array.from({ length: count }, (_, place) => place).every((place) => places.has(place));
  return isUnbroken ? null : 'The places of its members have a gap: not all of them are listed';
}

function exclusiveOf(
  event: CatalogueEvent,
  members: readonly EventMember[],
  { kind, basis, completeness }: Pick<Relation, 'basis' | 'completeness'> & { kind: 'at_most_one' | 'exactly_one' },
): Relation {
  return {
    key: `${kind}:${event.id}`,
    kind,
    basis,
    title: `${kind === 'exactly_one' ? 'Exactly' : 'At most'} one of ${members.length} outcomes`,
    members: members.map(({ marketId }) => ({ eventId: event.id, marketId, role: 'outcome' as const })),
    readFrom: [`exclusive = ${event.exclusive}`, `augmented = ${event.augmented ? 'yes' : 'no'}`],
    isComplete: kind === 'exactly_one',
    completeness,
    isVoidSafe: basis === 'enforced',
    fingerprintText: fingerprintOf([event], members, kind),
    template: templateOf(event, members, kind),
  };
}
