/** Relations that a user states: what they are made of, and what they depend on. */
import type { MarketId } from '@dutchbook/units/ids.ts';
import { type CatalogueEvent, type EventMember, isReversed, REVERSED } from './catalogue-event.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { MemberRole, Relation, RelationMember } from './relation.ts';

/** Kinds whose members a person can name without ranges. */
export type HumanKind = 'at_most_one' | 'exactly_one' | 'ladder';

/** `marketIds`: hardest first in a ladder, in any order elsewhere. `note`: why it must hold. */
export type Statement = {
  kind: HumanKind;
  marketIds: readonly MarketId[];
  title: string | null;
  note: string;
  by: string;
};

type Listed = { event: CatalogueEvent; member: EventMember };

/** `place`: of the market id that is wrong, from 0. */
type StatementProblem = { place: number; reason: string };

/** Reasons why the markets cannot be members; `events` are all that hold one of them. */
export function problemsOf({ marketIds }: Statement, events: readonly CatalogueEvent[]): StatementProblem[] {
  const listed = listedIn(events);
  return marketIds.flatMap((marketId, place) => {
    const found = listed.get(marketId);
    if (found === undefined) return { place, reason: `No market with the id ${marketId} has been read from the venue` };
    const { event, member } = found;
    if (event.closed || member.closed || member.resolvedValue !== null)
      return { place, reason: `"${member.question}" is closed` };
    if (isReversed(member)) return { place, reason: `"${member.question}": ${REVERSED}` };
    return [];
  });
}

/** Where `problemsOf` has found none. */
export function humanRelation(
  { kind, marketIds, title, note, by }: Statement,
  events: readonly CatalogueEvent[],
): Relation {
  const listed = listedIn(events);
  const found = marketIds.flatMap((marketId) => listed.get(marketId) ?? []);
  const role: MemberRole = kind === 'ladder' ? 'threshold' : 'outcome';
  const members = found.map(({ event, member }) => ({ eventId: event.id, marketId: member.marketId, role }));
  return {
    key: humanKey(kind, marketIds),
    kind,
    basis: 'human',
    title: title ?? titleOf(kind, members.length),
    members,
    readFrom: [note, `Added by ${by}`],
    isComplete: kind === 'exactly_one',
    completeness: COMPLETENESS[kind],
    isVoidSafe: isEnforced(found),
    fingerprintText: humanFingerprint(kind, members, events),
    template: null,
  };
}

/** Equal for equal statements; the order of the markets counts in a ladder only. */
function humanKey(kind: HumanKind, marketIds: readonly MarketId[]): string {
  const ids = kind === 'ladder' ? marketIds : marketIds.toSorted();
  return `human:${kind}:${JSON.stringify(ids)}`;
}

/** Fingerprint of the events' present content; without a member that no event has, so that it changes. */
export function humanFingerprint(
  kind: Relation['kind'],
  members: readonly RelationMember[],
  events: readonly CatalogueEvent[],
): string {
  const listed = listedIn(events);
  const found = members.flatMap(({ marketId }) => listed.get(marketId) ?? []);
  const own = [...new Map(found.map(({ event }) => [event.id, event])).values()];
  return fingerprintOf(
    own,
    found.map(({ member }) => member),
    kind,
  );
}

/** An event that is not listed any more says nothing of a market that it left open. */
export function withoutLost(event: CatalogueEvent): CatalogueEvent {
  if (!event.closed) return event;
  return { ...event, members: event.members.filter(({ closed, resolvedValue }) => closed || resolvedValue !== null) };
}

const COMPLETENESS: Record<HumanKind, string> = {
  at_most_one: 'Nothing says that one of them must come true',
  exactly_one: 'The user who added it says that these are all there are',
  ladder: 'A ladder needs no further steps',
};

function titleOf(kind: HumanKind, members: number): string {
  if (kind === 'ladder') return `Each of ${members} steps implies the easier ones`;
  return `${kind === 'exactly_one' ? 'Exactly' : 'At most'} one of ${members} outcomes`;
}

/** Members of one contract that pays one of them at most cannot be voided by themselves. */
function isEnforced(found: readonly Listed[]): boolean {
  const ids = new Set(found.map(({ event }) => event.id));
  return (
    ids.size === 1 && found.every(({ event, member }) => event.exclusive === 'enforced' && member.memberIndex !== null)
  );
}

/** Listed members by market id; the first listing of a market counts. */
function listedIn(events: readonly CatalogueEvent[]): Map<string, Listed> {
  const listed = new Map<string, Listed>();
  for (const event of events)
    for (const member of event.members)
      if (!listed.has(member.marketId)) listed.set(member.marketId, { event, member });
  return listed;
}
