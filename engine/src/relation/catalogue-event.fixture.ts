import { instantFromIso } from '@dutchbook/units/instant.ts';
import type { CatalogueEvent, EventMember } from './catalogue-event.ts';

export const END = instantFromIso('2026-12-31T00:00:00Z');

/** A market that is open and can be traded. */
export function memberOf(question: string, fields: Partial<EventMember> = {}): EventMember {
  const marketId = fields.marketId ?? question;
  return {
    marketId,
    slug: '',
    question,
    groupTitle: '',
    rules: '',
    clarifications: '',
    resolutionSource: '',
    endDate: END,
    outcomes: ['Yes', 'No'],
    tokenIds: [`${marketId}:yes`, `${marketId}:no`],
    memberIndex: null,
    arity: null,
    strike: null,
    game: null,
    feeSchedule: null,
    closed: false,
    resolvedValue: null,
    leftOut: null,
    ...fields,
  };
}

/** Read as a whole, with markets that stand beside one another. */
export function eventOf(
  members: readonly (EventMember | string)[],
  fields: Partial<CatalogueEvent> = {},
): CatalogueEvent {
  return {
    id: 'e1',
    slug: '',
    title: '',
    series: null,
    endDate: END,
    closed: false,
    exclusive: null,
    augmented: false,
    nested: null,
    isWhole: true,
    members: members.map((member) => (typeof member === 'string' ? memberOf(member) : member)),
    ...fields,
  };
}

/** Its members are counted by the contract in their order, and it pays at most one of them. */
export function exclusiveOf(
  members: readonly (EventMember | string)[],
  fields: Partial<CatalogueEvent> = {},
): CatalogueEvent {
  const event = eventOf(members, { exclusive: 'enforced', ...fields });
  return {
    ...event,
    members: event.members.map((member, place) => ({ ...member, memberIndex: member.memberIndex ?? place })),
  };
}
