import type { MarketReply } from '@dutchbook/contract/markets.ts';
import { type Draft, type EventSide, isSame, onAll } from './draft.ts';

/** An event that was taken whole, and the set that came of it. */
export type WholeEvent = {
  title: string;
  side: EventSide;
  outcomes: number;
  /** Markets of the event that the venue does not offer: closed ones, and such as cannot be traded. */
  unlisted: number;
  set: Pick<Draft, 'positions' | 'targetPrice'>;
};

/** The event of these markets, which are all that the venue offers of it. */
export function wholeEventOf(draft: Draft, markets: readonly MarketReply[], side: EventSide): WholeEvent {
  const event = markets[0]?.event;
  const { positions, targetPrice } = onAll(draft, markets, side);
  return {
    title: event?.title ?? '',
    side,
    outcomes: markets.length,
    unlisted: Math.max(0, (event?.market_count ?? 0) - markets.length),
    set: { positions, targetPrice },
  };
}

/** Whether the draft holds every position of the set and no other, in whatever legs. */
export function isWhole({ positions }: Draft, { set }: WholeEvent): boolean {
  const isIn = positions.every((position) => set.positions.some((own) => isSame(own, position)));
  return isIn && positions.length === set.positions.length;
}

/** Why the target price that came with the event may be more than the set pays; undefined where it is not. */
export function targetWarning(draft: Draft, event: WholeEvent): string | undefined {
  const { title, side, outcomes, unlisted, set } = event;
  if (draft.positions.length === 0 || draft.targetPrice !== set.targetPrice) return undefined;
  if (!isWhole(draft, event)) return `It is what ${side} on all ${outcomes} outcomes of “${title}” pays, not this set.`;
  if (side === 'NO' || unlisted === 0) return undefined;
  const others = unlisted === 1 ? 'One market' : `${unlisted} markets`;
  return `${others} of “${title}” cannot be bought. If that is where the winner is, YES on all the others pays nothing.`;
}
