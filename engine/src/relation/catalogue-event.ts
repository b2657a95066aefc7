/** What a venue says of an event in fields and words, read as one whole: what relations are read from. */
import type { EventId, MarketId, TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { FeeSchedule } from '../market/market.ts';

/**
 * Which values of the event's variable let a market resolve to its first outcome. `above` and `below` have one end, `between`
 * both; an end belongs to the range where `hasFloor` or `hasCap` says so, null where the venue does not say.
 */
export type Strike =
  | { kind: 'above'; floor: number; hasFloor: boolean | null }
  | { kind: 'below'; cap: number; hasCap: boolean | null }
  | { kind: 'between'; floor: number; cap: number; hasFloor: boolean | null; hasCap: boolean | null };

/** `type`: the venue's name for what is asked of a game. `gameId` and `startsAt` are null where the venue does not say. */
export type GameMarket = { type: string; line: number | null; gameId: string | null; startsAt: Instant | null };

/** A market of an event, open or not, tradable here or not. */
export type EventMember = {
  marketId: MarketId;
  slug: string;
  question: string;
  /** The market's title within its event: "over $16 million", "December 31". */
  groupTitle: string;
  /** The rules text, and where the venue looks the result up. Empty where it says nothing. */
  rules: string;
  /** Additions to the rules since the market was listed; null where the venue was asked and did not say. */
  clarifications: string | null;
  resolutionSource: string;
  endDate: Instant | null;
  /** Names of the outcomes, and their tokens in the same order; the first outcome is what a relation is about. */
  outcomes: readonly string[];
  tokenIds: readonly TokenId[];
  /** Its place among the event's members, as the contract counts them, from 0; null where nothing says it. */
  memberIndex: number | null;
  /** How many members the contract knows, where the ids carry that; null elsewhere. */
  arity: number | null;
  /** From the venue's own fields; null where it has none. */
  strike: Strike | null;
  /** Null where it is not a market of a game. */
  game: GameMarket | null;
  feeSchedule: FeeSchedule | null;
  closed: boolean;
  /** What one share of the first outcome is worth; null while that is open. */
  resolvedValue: Price | null;
  /** The venue may still change the resolved value. */
  isProvisional?: true;
  /** Why it cannot be traded here; null where it can. */
  leftOut: string | null;
};

export type CatalogueEvent = {
  id: EventId;
  slug: string;
  title: string;
  /** Recurring events of one kind share it; null where the event stands alone. */
  series: string | null;
  endDate: Instant | null;
  closed: boolean;
  /** Who sees to it that at most one member resolves to its first outcome; null: no rule does. */
  exclusive: 'enforced' | 'declared' | null;
  /** An outcome that no listed market covers may come true. */
  augmented: boolean;
  /** Whether the members are nested, each harder one implying the easier ones, and who says so; null: no rule does. */
  nested: 'enforced' | 'declared' | null;
  /** Read by its id or from the venue's list of events. False of what a page of markets shows of it: members may be missing. */
  isWhole: boolean;
  members: readonly EventMember[];
};

/** The rules with later additions. */
export function rulesOf({ rules, clarifications }: Pick<EventMember, 'rules' | 'clarifications'>): string {
  return clarifications ? `${rules}\n\nAdded after it was listed:\n${clarifications}` : rules;
}

/** Whether the market is listed in reverse: its first outcome is named like one that pays when the event does not happen. */
export function isReversed({ outcomes: [first = ''] }: Pick<EventMember, 'outcomes'>): boolean {
  return /^\s*(?:no|false)\s*$/i.test(first);
}

/** Reason to leave out a reversed member, or an event that has one. */
export const REVERSED = 'its outcomes are listed as No and Yes: which token pays when it comes true is not known';
export const HAS_REVERSED = `A member is left out, because ${REVERSED}`;
