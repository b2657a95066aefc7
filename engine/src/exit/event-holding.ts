/** The shares held in one event, and what its contracts can convert. */
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Level } from '../book/level.ts';
import type { Market } from '../market/market.ts';

/** `shares`: those that may leave now, settled and in no order. `bids`: best first; null where no book can be trusted. */
export type ExitToken = { tokenId: TokenId; shares: Shares; bids: readonly Level[] | null };

/**
 * One market with its two tokens, in the order of its outcomes. `hasComeTrue`: which of them it has resolved to, before others of its
 * event; absent while that is open, or was not asked.
 */
export type ExitMember = { market: Market; tokens: readonly [ExitToken, ExitToken]; hasComeTrue?: boolean };

/**
 * `markets`: each stands by itself. `negative_risk`: one member at most comes true, exactly one where `isComplete`; converting
 * takes `feeBips` of the dollars and of the shares handed out, and is not planned where they are not known. `whole_event`: Protocol V2, with the member that stands for all
 * others. `thresholds`: first the members that are "above a line", lowest line first, each true from the range `lines` on, counted
 * from 0; behind them all ranges of the variable, lowest first. No member is true where the event is voided.
 */
export type ExitStructure =
  | { kind: 'markets' }
  | { kind: 'negative_risk'; feeBips: number | null; isComplete: boolean }
  | { kind: 'whole_event' }
  | { kind: 'thresholds'; lines: readonly number[] };

export type EventHolding = { structure: ExitStructure; members: readonly ExitMember[] };

/** Shares of each token, in millionths: the first outcome of member `i` is at `2 * i`, the second behind it. */
export type Balances = readonly number[];

export function balancesOf({ members }: EventHolding): number[] {
  return members.flatMap(({ tokens }) => tokens.map(({ shares }) => shares as number));
}

/** Members that resolve together, and for every way in which they may: whether each comes true. */
export type Worlds = { members: readonly number[]; outcomes: readonly (readonly boolean[])[] };

/** The worlds that resolved members do not rule out. */
export function worldsOfHolding(holding: EventHolding): Worlds[] {
  return allWorlds(holding).map(({ members, outcomes }) => {
    const known = members.map((member) => holding.members[member]?.hasComeTrue);
    const open = outcomes.filter((outcome) =>
      known.every((isTrue, nth) => isTrue === undefined || isTrue === outcome[nth]),
    );
    return { members, outcomes: open.length === 0 ? outcomes : open };
  });
}

function allWorlds({ structure, members }: EventHolding): Worlds[] {
  const places = members.map((_, place) => place);
  switch (structure.kind) {
    case 'markets':
      return places.map((place) => ({ members: [place], outcomes: [[true], [false]] }));
    case 'negative_risk': {
      const one = places.map((winner) => places.map((place) => place === winner));
      return [{ members: places, outcomes: structure.isComplete ? one : [...one, places.map(() => false)] }];
    }
    case 'whole_event':
      return [{ members: places, outcomes: places.map((winner) => places.map((place) => place === winner)) }];
    case 'thresholds': {
      const { lines } = structure;
      const ranges = places.slice(lines.length).map((_, range) => range);
      const isTrue = (place: number, range: number) => {
        const line = lines[place];
        return line === undefined ? place - lines.length === range : line <= range;
      };
      const within = ranges.map((range) => places.map((place) => isTrue(place, range)));
      return [{ members: places, outcomes: [...within, places.map(() => false)] }];
    }
  }
}

/** What the shares pay in the worst and in the best case when everything has resolved, in millionths of a dollar. */
export function payoutRange(holding: EventHolding, balances: Balances): { least: number; most: number } {
  let least = 0;
  let most = 0;
  for (const { members, outcomes } of worldsOfHolding(holding)) {
    const pays = outcomes.map((outcome) =>
      members.reduce((sum, member, nth) => sum + (balances[2 * member + (outcome[nth] === true ? 0 : 1)] ?? 0), 0),
    );
    least += Math.min(...pays);
    most += Math.max(...pays);
  }
  return { least, most };
}
