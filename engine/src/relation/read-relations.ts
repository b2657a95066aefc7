/** Reads relations between an event's markets from the venue's fields and from their words, or says why there are none. */
import { type ReadBuckets, readBuckets, tilesAll } from './buckets.ts';
import { type CatalogueEvent, type EventMember, HAS_REVERSED, isReversed } from './catalogue-event.ts';
import { readExclusive, whyNotAll } from './exclusive.ts';
import { fingerprintOf, templateOf } from './fingerprint.ts';
import { gameKeyOf, readGames } from './games.ts';
import { readLadders } from './ladders.ts';
import { type Range, rangesOf } from './ranges.ts';
import type { Relation } from './relation.ts';
import { isTraded, whyNotTogether } from './why-not.ts';

/**
 * `whyNot`: one sentence on why none of its markets are watched together, figures in it, or why one of them is left out; null
 * where some are and none is, and where there is but one market, and a watched one.
 */
export type ReadEvent = { relations: Relation[]; whyNot: string | null };

export function readRelations(event: CatalogueEvent): ReadEvent {
  const members = uniqueMembers(event);
  const pairs = members.filter(isTraded).map((member) => pairOf(event, member));
  const together = [
    ...readExclusive(event, members),
    ...readLadders(event, separateMembers(event, members)),
    ...readBucketsIn(event, members),
    ...readGames([event], tradedMembers),
  ].filter((relation) => hasTwoTraded(relation, members));
  const isLeftOut = event.members.some((member) => !member.closed && isReversed(member));
  const whyNot = together.length > 0 ? null : whyNotTogether(event, members);
  return { relations: [...pairs, ...together], whyNot: isLeftOut ? HAS_REVERSED : whyNot };
}

/**
 * Events on one variable, as ranges here and thresholds there, have the same, and those of one game; null where neither is known.
 */
export function variableOf(event: CatalogueEvent): string | null {
  const members = uniqueMembers(event);
  const game = gameKeyOf(members);
  if (game !== null) return game;
  const variables = new Set(rangesOf(event, members).map(({ variable }) => variable));
  const [only] = variables;
  return variables.size === 1 && only !== undefined && only !== '' ? only : null;
}

/** Relations between events on one variable or of one game. */
export function readAcross(events: readonly CatalogueEvent[]): Relation[] {
  const open = events.filter(({ closed }) => !closed);
  const games = readGames(open, tradedMembers).filter(({ members: [hard, easy] }) => hard?.eventId !== easy?.eventId);
  return [...readBucketsAcross(open), ...games];
}

/** No relation where an end may belong to either side. */
function readBucketsAcross(open: readonly CatalogueEvent[]): Relation[] {
  const ranges = open.flatMap((event) => rangesOf(event, uniqueMembers(event)));
  return open.flatMap((event) => {
    const buckets = ranges.filter((range) => range.event === event && range.isBucket);
    const [variable, ...others] = new Set(buckets.map((range) => range.variable));
    if (!variable || others.length > 0) return [];
    const thresholds = ranges.filter(
      (range) => range.event !== event && !range.isBucket && range.variable === variable,
    );
    const isComplete = isAll(event, uniqueMembers(event), buckets);
    return readBuckets({ ranges: [...buckets, ...thresholds], basis: 'parsed', isComplete });
  });
}

/** The first of those with the same id: a venue that lists one twice says the same twice. Those that can be members. */
function uniqueMembers({ members }: CatalogueEvent): EventMember[] {
  const known = new Map<string, EventMember>();
  for (const member of members)
    if (!known.has(member.marketId) && !isReversed(member)) known.set(member.marketId, member);
  return [...known.values()];
}

function tradedMembers(event: CatalogueEvent): EventMember[] {
  return uniqueMembers(event).filter(isTraded);
}

/** The members that may come true together. */
function separateMembers({ exclusive }: CatalogueEvent, members: readonly EventMember[]): EventMember[] {
  if (exclusive === null) return [...members];
  return exclusive === 'declared' ? [] : members.filter(({ memberIndex }) => memberIndex === null);
}

function hasTwoTraded({ members }: Relation, known: readonly EventMember[]): boolean {
  const ids = new Set(members.map(({ marketId }) => marketId));
  return known.filter((member) => ids.has(member.marketId) && isTraded(member)).length > 1;
}

function pairOf(event: CatalogueEvent, member: EventMember): Relation {
  return {
    key: `pair:${member.marketId}`,
    kind: 'pair',
    basis: 'enforced',
    title: `Both outcomes of "${member.question}"`,
    members: [{ eventId: event.id, marketId: member.marketId, role: 'outcome' }],
    readFrom: [`outcomes = ${member.outcomes.join(', ')}`],
    isComplete: true,
    completeness: 'A market pays one of its two outcomes',
    isVoidSafe: true,
    fingerprintText: fingerprintOf([event], [member], 'pair'),
    template: templateOf(event, [member], 'pair'),
  };
}

/** Buckets and thresholds under one heading. */
function readBucketsIn(event: CatalogueEvent, members: readonly EventMember[]): Relation[] {
  if (event.exclusive !== null) return [];
  const basis: ReadBuckets['basis'] = event.nested === 'enforced' ? 'enforced' : 'parsed';
  return [...Map.groupBy(rangesOf(event, members), ({ variable }) => variable).values()].flatMap((ranges) =>
    readBuckets({ ranges, basis, isComplete: basis === 'enforced' && isAllCounted(event, ranges) }),
  );
}

/** Whether the contract's own ranges are all there, the one for a void behind the last among them. */
function isAllCounted({ isWhole }: CatalogueEvent, ranges: readonly Range[]): boolean {
  const [arity = null, ...others] = new Set(ranges.map(({ member }) => member.arity));
  if (!isWhole || arity === null || others.length > 0) return false;
  const places = new Set(ranges.flatMap(({ isBucket, member }) => (isBucket ? member.memberIndex : [])));
  return Array.from({ length: arity + 1 }, (_, place) => place).every((place) => places.has(place));
}

/** Whether the buckets of an event are all there are. */
function isAll(event: CatalogueEvent, members: readonly EventMember[], buckets: readonly Range[]): boolean {
  if (buckets.length < members.length) return false;
  return whyNotAll(event, members) === null || (event.isWhole && !event.augmented && tilesAll(buckets));
}
