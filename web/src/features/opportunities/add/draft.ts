import type { MarketReply } from '@dutchbook/contract/markets.ts';
import type { MarketCombinations } from '@dutchbook/contract/opportunities.ts';

/** A position to be: its market's id and outcome, and the number of its leg. */
export type DraftPosition = { leg: number; id: string; outcome: string };

/** An opportunity in the making, as it is typed and picked; it need not be valid. */
export type Draft = {
  positions: readonly DraftPosition[];
  targetPrice: string;
  active: boolean;
  source: string;
  sourceDetails: string;
};

export const EMPTY_DRAFT: Draft = { positions: [], targetPrice: '1', active: true, source: '', sourceDetails: '' };

type Named = Pick<DraftPosition, 'id' | 'outcome'>;

export const isSame = (a: Named, b: Named): boolean => a.id === b.id && a.outcome === b.outcome;

/** The number that a leg added now would carry. */
export function nextLeg(positions: readonly DraftPosition[]): number {
  return positions.reduce((highest, { leg }) => Math.max(highest, leg), 0) + 1;
}

/** Takes a position into a leg; one that is there already leaves instead. */
export function toggled(draft: Draft, { id, outcome }: Named, leg: number): Draft {
  const others = draft.positions.filter((position) => !isSame(position, { id, outcome }));
  const wasPicked = others.length < draft.positions.length;
  return { ...draft, positions: wasPicked ? others : [...others, { leg, id, outcome }] };
}

export function movedTo(draft: Draft, moving: Named, leg: number): Draft {
  const positions = draft.positions.map((position) => (isSame(position, moving) ? { ...position, leg } : position));
  return { ...draft, positions };
}

/** The legs in the order of their numbers, as the contract writes them. */
export function legsOf(positions: readonly DraftPosition[]): MarketCombinations {
  const byLeg = Map.groupBy(positions, ({ leg }) => leg);
  return [...byLeg]
    .sort(([a], [b]) => a - b)
    .map(([leg, members]) => ({ leg, markets: members.map(({ id, outcome }) => ({ id, outcome })) }));
}

export type EventSide = 'YES' | 'NO';

/**
 * Yes or No on every market of an event of which exactly one wins, a leg each, with what such a set is worth: one of k
 * Yes pays, and k-1 of k No.
 */
export function onAll(draft: Draft, markets: readonly MarketReply[], side: EventSide): Draft {
  return {
    ...draft,
    positions: markets.map(({ id, outcomes }, index) => ({
      leg: index + 1,
      id,
      outcome: (side === 'YES' ? outcomes.at(0) : outcomes.at(-1))?.outcome ?? '',
    })),
    targetPrice: String(side === 'YES' ? 1 : markets.length - 1),
  };
}
