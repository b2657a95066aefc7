/** What a relation depended on when it was read or approved, kept so that a change can be shown and not only noticed. */
import type { MarketId } from '@dutchbook/units/ids.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import type { CatalogueEvent, EventMember } from './catalogue-event.ts';
import type { RelationMember } from './relation.ts';

/** Names and values as text, so that any two can be compared and shown side by side. */
type Fields = Readonly<Record<string, string | null>>;

export type Snapshot = {
  readonly events: Readonly<Record<string, Fields>>;
  /** Members by market id, in the order of the relation. */
  readonly members: Readonly<Record<string, Fields>>;
};

/** Stands for the members' current fields in the catalogue: every relation has an event. */
export const AS_LISTED: Snapshot = { events: {}, members: {} };

export function isAsListed({ events, members }: Snapshot): boolean {
  return Object.keys(events ?? {}).length === 0 && Object.keys(members ?? {}).length === 0;
}

/** `marketId` is null for a field of an event. `before` is null where there was no such field, `after` where there is none any more. */
export type Difference = { marketId: MarketId | null; field: string; before: string | null; after: string | null };

/** How members end is no part of it: a member that has resolved changes no rule. Those that the events lack are left out. */
export function snapshotOf(members: readonly RelationMember[], events: readonly CatalogueEvent[]): Snapshot {
  const known = new Map(events.map((event) => [event.id, event]));
  const eventIds = new Set(members.map(({ eventId }) => eventId));
  const marketsOf = new Map(events.flatMap((event) => event.members.map((member) => [member.marketId, member])));
  return {
    events: Object.fromEntries(
      [...eventIds].flatMap((id) => {
        const event = known.get(id);
        return event === undefined ? [] : [[id, eventFields(event)]];
      }),
    ),
    members: Object.fromEntries(
      members.flatMap(({ marketId }) => {
        const member = marketsOf.get(marketId);
        return member === undefined ? [] : [[marketId, memberFields(member)]];
      }),
    ),
  };
}

/** Every field that differs: of events first, then of members in their order. None means that the rules are the same. */
export function differencesBetween(before: Snapshot, after: Snapshot): Difference[] {
  return [
    ...differing(before.events, after.events).map((difference) => ({ ...difference, marketId: null })),
    ...differing(before.members, after.members),
  ];
}

/** Snapshots stored before this field existed lack it; that alone is no change of the market. */
const ADDED_FIELD = 'game';

function differing(before: Snapshot['members'], after: Snapshot['members']): Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((marketId) => {
    const was = before[marketId] ?? {};
    const is = after[marketId] ?? {};
    return [...new Set([...Object.keys(was), ...Object.keys(is)])]
      .map((field) => ({ marketId, field, before: was[field] ?? null, after: is[field] ?? null }))
      .filter(({ field, before, after }) => before !== after && !(field === ADDED_FIELD && !(field in was)));
  });
}

function eventFields({ title, series, exclusive, augmented, nested, endDate }: CatalogueEvent): Fields {
  return {
    title,
    series,
    exclusive: exclusive ?? 'no',
    augmented: augmented ? 'yes' : 'no',
    nested: nested ?? 'no',
    'end date': endDate === null ? null : instantToIso(endDate),
  };
}

function memberFields(member: EventMember): Fields {
  const { question, groupTitle, rules, clarifications, resolutionSource, endDate, outcomes } = member;
  const { tokenIds, memberIndex, arity, strike, game } = member;
  return {
    question,
    'group title': groupTitle,
    rules,
    clarifications: clarifications || null,
    'resolution source': resolutionSource,
    'end date': endDate === null ? null : instantToIso(endDate),
    outcomes: outcomes.join(' / '),
    tokens: tokenIds.join(' / '),
    index: memberIndex === null ? null : String(memberIndex),
    'members of the contract': arity === null ? null : String(arity),
    strike: strike === null ? null : JSON.stringify(strike),
    game: game ? [game.type, game.line, game.gameId].filter((part) => part !== null).join(' / ') : null,
  };
}
