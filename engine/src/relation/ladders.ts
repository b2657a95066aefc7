/** Nested markets: whoever is right about the harder one is right about every easier one. */
import type { EventFacts, MemberFacts } from './event-facts.ts';
import { fingerprintOf, templateOf } from './fingerprint.ts';
import type { Basis, Relation } from './relation.ts';
import { readDeadline, readStrike } from './strikes.ts';

/** `order`: ascending from the hardest. */
type Rung = { member: MemberFacts; order: number; words: string };

/** By thresholds of one variable, or by dates until which something has to happen once. Members stand hardest first. */
export function readLadder(event: EventFacts, members: readonly MemberFacts[]): Relation[] {
  if (event.exclusive !== null) return [];
  const usable = members.filter(isUsable);
  const isDeclared = event.nested !== null;
  return [
    ...groups(usable.flatMap(thresholdRung)).filter((rungs) => isDeclared || haveSameEnd(rungs)),
    ...groups(usable.flatMap(deadlineRung)),
  ].map((rungs, place) => ladderOf(event, rungs, { basis: event.nested ?? 'parsed', place }));
}

function isUsable({ closed, leftOut, resolvedValue }: MemberFacts): boolean {
  return leftOut === null && (!closed || resolvedValue !== null);
}

function thresholdRung(member: MemberFacts): Rung[] {
  const read = readStrike(member);
  if (read === null || read.strike.kind === 'between') return [];
  const { strike, rest } = read;
  const order = strike.kind === 'above' ? -strike.floor : strike.cap;
  const hasEnd = strike.kind === 'above' ? strike.hasFloor : strike.hasCap;
  return [{ member, order, words: `${strike.kind} ${hasEnd} ${rest}` }];
}

function deadlineRung(member: MemberFacts): Rung[] {
  const read = readDeadline(member);
  return read === null ? [] : [{ member, order: read.deadline, words: `by ${read.rest}` }];
}

/** Rungs that ask the same but for their threshold; of two with the same one neither is known to imply the other. */
function groups(rungs: readonly Rung[]): Rung[][] {
  const byWords = new Map<string, Rung[]>();
  for (const rung of rungs) byWords.set(rung.words, [...(byWords.get(rung.words) ?? []), rung]);
  return [...byWords.values()]
    .filter((group) => group.length > 1 && new Set(group.map(({ order }) => order)).size === group.length)
    .map((group) => group.toSorted((one, other) => one.order - other.order));
}

function haveSameEnd(rungs: readonly Rung[]): boolean {
  return new Set(rungs.map(({ member }) => member.endDate)).size === 1;
}

/** `place`: among the ladders of the event. */
function ladderOf(
  event: EventFacts,
  rungs: readonly Rung[],
  { basis, place }: { basis: Basis; place: number },
): Relation {
  const members = rungs.map(({ member }) => member);
  const [first] = rungs;
  return {
    key: `ladder:${event.id}:${place}`,
    kind: 'ladder',
    basis,
    title: `Each of ${members.length} steps implies the easier ones`,
    members: members.map(({ marketId }) => ({ eventId: event.id, marketId, role: 'threshold' as const })),
    readFrom: [...(event.nested === null ? [] : [`nested = ${event.nested}`]), `words = ${first?.words ?? ''}`],
    isComplete: false,
    completeness: 'A ladder needs no further steps',
    isVoidSafe: false,
    fingerprintText: fingerprintOf([event], members, 'ladder'),
    template: templateOf(event, members, 'ladder'),
  };
}
