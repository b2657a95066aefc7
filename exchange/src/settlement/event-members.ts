import { LINE, tokenIdOf } from '../catalogue/ids.ts';
import type { EventListing, MarketListing } from '../catalogue/listing.ts';
import type { TokenPair } from '../matching/transfer.ts';

/** The members of an event as its contract counts them, listed or not. */
export interface EventMembers {
  readonly event: EventListing;
  /** How many members have a name; in Protocol V2 one more, which stands for all others, is behind them. */
  readonly arity: number;
  /** The outcome tokens of each member, by its index. */
  readonly pairs: readonly TokenPair[];
  /** The tokens above and below a line of the event's variable. */
  threshold(line: number): TokenPair;
}

const NO_THRESHOLDS = () => {
  throw new Error('only events of Protocol V2 have thresholds');
};

/** The place of a question in its negative-risk event: the last byte of its id. */
function questionIndex({ questionId }: MarketListing): number {
  return Number.parseInt(questionId.slice(-2), 16);
}

/** Undefined for an event whose members the contract does not hold together. */
export function eventMembers(event: EventListing): EventMembers | undefined {
  const [first] = event.markets;
  if (first === undefined) return undefined;
  if (first.protocol === 'v1') return event.negRisk ? countedMembers(event) : undefined;
  const parts = partsOf(first.tokens[0]);
  return parts.isGrouped && (event.negRisk || event.variable !== null) ? structuredMembers(event) : undefined;
}

function countedMembers(event: EventListing): EventMembers {
  const listed = new Map(event.markets.map((market) => [questionIndex(market), market.tokens]));
  const arity = Math.max(...listed.keys()) + 1;
  const unlisted = (index: number): TokenPair => [
    tokenIdOf('unlisted', event.negRiskMarketId, index, 0),
    tokenIdOf('unlisted', event.negRiskMarketId, index, 1),
  ];
  const pairs = Array.from({ length: arity }, (_, index) => listed.get(index) ?? unlisted(index));
  return { event, arity, pairs, threshold: NO_THRESHOLDS };
}

function structuredMembers(event: EventListing): EventMembers {
  const { root, arity } = partsOf(event.markets[0]?.tokens[0] ?? '0');
  const pair = (condition: number): TokenPair => {
    const first = (root << 24n) | (BigInt(condition) << 8n);
    return [first.toString(), (first + 1n).toString()];
  };
  const pairs = Array.from({ length: arity + 1 }, (_, index) => pair(index));
  return { event, arity, pairs, threshold: (line) => pair(LINE | line) };
}

interface IdParts {
  /** Whether the module is one that holds members together. */
  readonly isGrouped: boolean;
  /** The first 29 bytes, which name the event. */
  readonly root: bigint;
  readonly arity: number;
}

const GROUPING_MODULES: readonly bigint[] = [2n, 4n];

function partsOf(tokenId: string): IdParts {
  const id = BigInt(tokenId);
  return { isGrouped: GROUPING_MODULES.includes(id >> 248n), root: id >> 24n, arity: Number((id >> 104n) & 0xffffn) };
}

/** The event of Protocol V2 that a token belongs to, as 29 bytes; undefined where the module holds nothing together. */
export function eventRoot(tokenId: string): bigint | undefined {
  const { isGrouped, root } = partsOf(tokenId);
  return isGrouped ? root : undefined;
}
