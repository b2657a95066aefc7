/** Statements about markets that hold whatever happens, as data: what a basket can be built on. */
import type { EventId, MarketId } from '@dutchbook/units/ids.ts';

/**
 * `pair`: the two outcomes of one market pay a dollar together. `at_most_one`, `exactly_one` of the members resolves to its
 * first outcome. `ladder`: each member implies all that follow it. `buckets`: ranges of one variable, of which exactly one
 * comes true, with thresholds on the same variable between them.
 */
export const RELATION_KINDS = ['pair', 'at_most_one', 'exactly_one', 'ladder', 'buckets'] as const;
export type RelationKind = (typeof RELATION_KINDS)[number];

/**
 * Who says so, strongest first. `enforced`: the contract cannot resolve otherwise. `declared`: the venue's own field.
 * `parsed`: read here from strikes or words. `human`: typed or imported by a user.
 */
export const BASES = ['enforced', 'declared', 'parsed', 'human'] as const;
export type Basis = (typeof BASES)[number];

/**
 * `void`: the rules, a date, a flag or the members changed after it was read, or its event ended or vanished; nothing is
 * bought by it before a user approves what it says now.
 */
export const RELATION_STATES = ['proposed', 'approved', 'rejected', 'void'] as const;
export type RelationState = (typeof RELATION_STATES)[number];

/**
 * `outcome` of a pair or of exclusive members; `threshold` of a ladder or between buckets: it comes true with every bucket
 * before it; `bucket`: one range.
 */
export type MemberRole = 'outcome' | 'threshold' | 'bucket';
export type RelationMember = { eventId: EventId; marketId: MarketId; role: MemberRole };

/** What has been read of one event, or of several on one variable. */
export type Relation = {
  /** Names it among all that are ever read from the same venue: kind and ids, no words. */
  key: string;
  kind: RelationKind;
  basis: Basis;
  /** Sentence for people: "Exactly one of 6 outcomes". */
  title: string;
  /** In order: hardest first in a ladder; with buckets each threshold follows the buckets that imply it. */
  members: readonly RelationMember[];
  /** The fields and words it was read from, as `negRisk = true`. */
  readFrom: readonly string[];
  /** Whether the members are all there are, and how that is known, or what it is not known for. */
  isComplete: boolean;
  completeness: string;
  /** A basket pays no less where a market is voided at 50-50. */
  isVoidSafe: boolean;
  /** All rules and ids it depends on, as one text: it is void once this is another. A member's end is no part of it. */
  fingerprintText: string;
  /** A fingerprint without numbers and dates, equal for each event of a series; null where the event has no series. */
  template: string | null;
};

/** Whether hits of a relation become opportunities. */
export function mayTrade(
  { kind, basis, state }: { kind: RelationKind; basis: Basis; state: RelationState },
  isSwitchedOn: Readonly<Record<RelationKind, boolean>>,
): boolean {
  if (state === 'approved') return true;
  return state === 'proposed' && isByVenue(basis) && isSwitchedOn[kind];
}

/** Whether the contract or the venue itself says so, so that what it rests on is no reading of ours. */
export function isByVenue(basis: Basis | null): boolean {
  return basis === 'enforced' || basis === 'declared';
}
