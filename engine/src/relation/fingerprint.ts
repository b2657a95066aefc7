/** Texts that say what a relation depends on, and what it has in common with others of its series. */
import { instantToIso } from '@dutchbook/units/instant.ts';
import type { CatalogueEvent, EventMember } from './catalogue-event.ts';
import type { RelationKind } from './relation.ts';

/**
 * All rules and ids; not how a member ends, which changes no rule, nor in which order a venue lists the members: the order of those that
 * imply one another follows from their rules.
 */
export function fingerprintOf(
  events: readonly CatalogueEvent[],
  members: readonly EventMember[],
  kind: RelationKind,
): string {
  const flags = events.map(({ id, exclusive, augmented, nested }) => [id, exclusive, augmented, nested]);
  const rules = members
    .toSorted(byMarket)
    .map((member) => [
      member.marketId,
      member.question,
      member.groupTitle,
      member.rules,
      member.resolutionSource,
      member.endDate === null ? null : instantToIso(member.endDate),
      member.outcomes,
      member.tokenIds,
      member.memberIndex,
      member.arity,
      member.strike,
      ...added(member),
    ]);
  return JSON.stringify([kind, flags, rules]);
}

function byMarket(one: EventMember, other: EventMember): number {
  if (one.marketId === other.marketId) return 0;
  return one.marketId < other.marketId ? -1 : 1;
}

/** A member without clarifications has no such field, so that its fingerprint is that of versions which did not read clarifications. */
function added({ clarifications }: EventMember): object[] {
  return clarifications ? [{ clarifications }] : [];
}

/** Null where the event is of no series. Numbers and dates are left out of the words. */
export function templateOf(event: CatalogueEvent, members: readonly EventMember[], kind: RelationKind): string | null {
  if (event.series === null) return null;
  const words = new Set(members.map(({ question }) => withoutFigures(question)));
  return JSON.stringify([event.series, kind, [...words].sort()]);
}

const MONTHS = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/gi;

function withoutFigures(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(MONTHS, '#')
    .replaceAll(/\d[\d.,]*/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
