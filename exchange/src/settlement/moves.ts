import type { TokenPair } from '../matching/transfer.ts';
import type { Payouts } from '../matching-engine/market.ts';
import type { EventMembers } from './event-members.ts';

/** What an operation on positions gives (positive) and takes (negative), in micro units. */
export interface Moves {
  readonly usd: number;
  readonly tokens: readonly (readonly [tokenId: string, micro: number])[];
}

const BIPS = 10_000;

export function opposite({ usd, tokens }: Moves): Moves {
  return { usd: -usd, tokens: tokens.map(([tokenId, micro]) => [tokenId, -micro]) };
}

/** One dollar becomes one share of each outcome. */
export function split(pair: TokenPair, micro: number): Moves {
  return { usd: -micro, tokens: pair.map((tokenId) => [tokenId, micro]) };
}

/** Redeems shares of a resolved market, each outcome rounded down as the contract does. */
export function redeem(pair: TokenPair, payouts: Payouts, held: readonly [number, number]): Moves {
  const whole = payouts[0] + payouts[1];
  const paid = [0, 1].map((outcome) =>
    Number((BigInt(held[outcome] ?? 0) * BigInt(payouts[outcome] ?? 0)) / BigInt(whole)),
  );
  return {
    usd: (paid[0] ?? 0) + (paid[1] ?? 0),
    tokens: pair.map((tokenId, outcome) => [tokenId, -(held[outcome] ?? 0)]),
  };
}

/** The result of a conversion for its owner, and the fee kept back. */
export interface Conversion {
  readonly owner: Moves;
  readonly vault: Moves;
}

/**
 * NO of the members at `indexes` becomes one dollar less than there are of them, and YES of all the other members; the fee
 * is taken of the dollars and of the YES alike.
 */
export function convert(
  { pairs }: EventMembers,
  indexes: ReadonlySet<number>,
  micro: number,
  feeBips: number,
): Conversion {
  const fee = Number((BigInt(micro) * BigInt(feeBips)) / BigInt(BIPS));
  const others = pairs.filter((_, index) => !indexes.has(index)).map(([yes]) => yes);
  const burnt = pairs.filter((_, index) => indexes.has(index)).map(([, no]) => [no, -micro] as const);
  const owner = { usd: (indexes.size - 1) * (micro - fee), tokens: [...burnt, ...givenOf(others, micro - fee)] };
  return { owner, vault: { usd: (indexes.size - 1) * fee, tokens: givenOf(others, fee) } };
}

/** One dollar becomes YES of every member, the one that stands for all others among them. */
export function horizontalSplit({ pairs }: EventMembers, micro: number): Moves {
  return { usd: -micro, tokens: pairs.map(([yes]) => [yes, micro]) };
}

/** Which side of a line a threshold is on: it wins above, the line included, or below. */
export type ThresholdSide = 'above' | 'below';

/** Buckets from the line on become the threshold above it; those before it and the void become the one below. */
export function composeThreshold(members: EventMembers, line: number, side: ThresholdSide, micro: number): Moves {
  const { pairs, arity } = members;
  const isPart = (index: number) => (side === 'above') === (index >= line && index < arity);
  const parts = pairs.filter((_, index) => isPart(index)).map(([yes]) => yes);
  const whole = members.threshold(line)[side === 'above' ? 0 : 1];
  return { usd: 0, tokens: [...givenOf(parts, -micro), [whole, micro]] };
}

/** Above the low line and below the high one become one dollar and the buckets between. */
export function mergeDirectional(members: EventMembers, low: number, high: number, micro: number): Moves {
  const between = members.pairs.slice(low, high).map(([yes]) => yes);
  const thresholds = [members.threshold(low)[0], members.threshold(high)[1]];
  return { usd: micro, tokens: [...givenOf(thresholds, -micro), ...givenOf(between, micro)] };
}

function givenOf(tokenIds: readonly string[], micro: number): (readonly [string, number])[] {
  return micro === 0 ? [] : tokenIds.map((tokenId) => [tokenId, micro] as const);
}
