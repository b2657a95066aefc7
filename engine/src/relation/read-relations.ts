/** What can be said of an event's markets from the venue's own fields and from their words, and why nothing can where that is so. */
import type { EventFacts, MemberFacts } from './event-facts.ts';
import { fingerprintOf, templateOf } from './fingerprint.ts';
import { readLadder } from './ladders.ts';
import type { Basis, Relation, RelationKind, RelationMember } from './relation.ts';

/** `whyNot`: one sentence; null where something is watched. */
export type ReadEvent = { relations: Relation[]; whyNot: string | null };

export function readRelations(event: EventFacts): ReadEvent {
  const members = uniqueMembers(event);
  const open = members.filter(isTraded);
  const relations = [
    ...open.map((member) => pairOf(event, member)),
    ...exclusiveOf(event, members),
    ...readLadder(event, members),
  ];
  return { relations, whyNot: relations.length > 0 ? null : whyNothing(members) };
}

/** Open, and to be had here. */
export function isTraded({ closed, leftOut, outcomes, tokenIds }: MemberFacts): boolean {
  return !closed && leftOut === null && outcomes.length === 2 && tokenIds.length === 2;
}

function whyNothing(members: readonly MemberFacts[]): string {
  if (members.length === 0) return 'The venue lists no market of it';
  const [reason] = members.flatMap(({ closed, leftOut }) => (closed ? [] : (leftOut ?? [])));
  if (reason !== undefined) return `None of its markets can be traded here: ${reason}`;
  return 'All of its markets are closed';
}

function uniqueMembers({ members }: EventFacts): MemberFacts[] {
  return [...new Map(members.map((member) => [member.marketId, member])).values()];
}

function pairOf(event: EventFacts, member: MemberFacts): Relation {
  return relationOf(event, {
    kind: 'pair',
    basis: 'enforced',
    key: `pair:${member.marketId}`,
    title: `Both outcomes of "${member.question}"`,
    members: [member],
    readFrom: [`outcomes = ${member.outcomes.join(', ')}`],
    completeness: 'A market pays one of its two outcomes',
    isComplete: true,
    isVoidSafe: true,
  });
}

/** The venue pays one of them at most; all of them only where every one is listed and nothing else may come true. */
function exclusiveOf(event: EventFacts, members: readonly MemberFacts[]): Relation[] {
  const usable = members.filter((member) => isTraded(member) || (member.closed && member.resolvedValue !== null));
  if (event.exclusive === null || usable.filter(isTraded).length < 2) return [];
  const gap = whyIncomplete(event, members, usable);
  const kind = gap === null ? 'exactly_one' : 'at_most_one';
  const words = gap === null ? 'Exactly one' : 'At most one';
  return [
    relationOf(event, {
      kind,
      basis: event.exclusive,
      key: `${kind}:${event.id}`,
      title: `${words} of ${usable.length} outcomes`,
      members: usable,
      readFrom: [`exclusive = ${event.exclusive}`, `augmented = ${event.augmented ? 'yes' : 'no'}`],
      completeness: gap ?? `All ${members.length} members are listed, by their places in the contract`,
      isComplete: gap === null,
      isVoidSafe: event.exclusive === 'enforced',
    }),
  ];
}

/** Why the members are not known to be all there are; null where they are. */
function whyIncomplete(
  event: EventFacts,
  members: readonly MemberFacts[],
  usable: readonly MemberFacts[],
): string | null {
  if (!event.isWhole) return 'The event was not read as a whole: members may be missing';
  if (event.augmented) return 'An outcome that is not listed may come true';
  if (usable.length < members.length) return 'A member can neither be traded here nor has it resolved';
  const indices = new Set(members.map(({ memberIndex }) => memberIndex));
  if (indices.has(null) || indices.size < members.length) return 'The venue does not say which places its members have';
  // The contract adds an outcome of its own for everything else, at the place behind the last one.
  const arity = members[0]?.arity ?? null;
  const places = arity === null ? members.length : arity + 1;
  const isUnbroken = Array.from({ length: places }, (_, index) => index).every((index) => indices.has(index));
  return isUnbroken ? null : 'The places of its members have a gap: not all of them are listed';
}

type Said = {
  kind: RelationKind;
  basis: Basis;
  key: string;
  title: string;
  members: readonly MemberFacts[];
  readFrom: string[];
  completeness: string;
  isComplete: boolean;
  isVoidSafe: boolean;
};

function relationOf(event: EventFacts, { members, ...said }: Said): Relation {
  const role = 'outcome';
  return {
    ...said,
    members: members.map(({ marketId }): RelationMember => ({ eventId: event.id, marketId, role })),
    fingerprintText: fingerprintOf([event], members, said.kind),
    template: templateOf(event, members, said.kind),
  };
}

/** The same for events on one variable; null where that is not known. */
export function variableOf(_event: EventFacts): string | null {
  return null;
}

/** Relations between events on one variable. */
export function readAcross(_events: readonly EventFacts[]): Relation[] {
  return [];
}
