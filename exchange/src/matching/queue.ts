import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { addShares, minShares, SHARES_ZERO, type Shares, subtractShares } from '@dutchbook/units/shares.ts';
import type { BookSide } from './order.ts';

/**
 * Where a standing order is in the queue of a level that another venue shows: behind everything that was displayed when it came. A
 * trade there and the smaller level that follows from it arrive in any order and however late, and count once.
 */
export interface QueuePlace {
  readonly ahead: Shares;
  /** Moves up the queue by shrinking levels that no trade has explained yet, the oldest first. */
  readonly unexplained: readonly MovedUp[];
}

interface MovedUp {
  readonly shares: Shares;
  readonly at: Instant;
}

/** A level that shrank explains trades of up to so long after it. */
const TOGETHER_MS = 2_000;
/** Beyond this many the oldest two moves are merged, which explains no less. */
const MOVES_MAX = 32;

export function behind(displayed: Shares): QueuePlace {
  return { ahead: displayed, unexplained: [] };
}

/** After its level shows another size: no more can be ahead of it. Those who came behind it may be what has left. */
export function afterLevel({ ahead, unexplained }: QueuePlace, size: Shares, at: Instant): QueuePlace {
  const shares = subtractShares(ahead, minShares(ahead, size));
  return shares === 0
    ? { ahead, unexplained }
    : { ahead: size, unexplained: bounded([...unexplained, { shares, at }]) };
}

/**
 * After a trade at the order's price. What has moved the order up before, or within moments of the trade, may have been the trade: it
 * moves it up no further.
 * @returns its new place, and how much of the trade has reached it
 */
export function afterTrade(place: QueuePlace, size: Shares, at: Instant): { place: QueuePlace; reach: Shares } {
  let fresh = size;
  const unexplained = place.unexplained.flatMap((moved) => {
    const explained = at <= moved.at + TOGETHER_MS ? minShares(fresh, moved.shares) : SHARES_ZERO;
    fresh = subtractShares(fresh, explained);
    const shares = subtractShares(moved.shares, explained);
    return shares === 0 ? [] : [{ ...moved, shares }];
  });
  const passed = minShares(fresh, place.ahead);
  return {
    place: { ahead: subtractShares(place.ahead, passed), unexplained },
    reach: subtractShares(fresh, passed),
  };
}

function bounded(moves: readonly MovedUp[]): readonly MovedUp[] {
  const [first, second, ...others] = moves;
  if (moves.length <= MOVES_MAX || first === undefined || second === undefined) return moves;
  return [{ shares: addShares(first.shares, second.shares), at: second.at }, ...others];
}

export interface QueuedOrder {
  readonly id: string;
  /** In the unified book, as its side. */
  readonly side: BookSide;
  readonly price: Price;
  readonly remaining: Shares;
  readonly place: QueuePlace;
}

/** A trade that has met the standing orders of one side of the unified book. */
export interface QueuedTrade {
  readonly side: BookSide;
  readonly price: Price;
  readonly size: Shares;
  readonly at: Instant;
}

export interface QueueOutcome {
  readonly id: string;
  readonly filled: Shares;
  readonly place: QueuePlace;
}

/**
 * Divides a trade at the venue among resting orders here, best price first and then by age: those at better prices fill before it whole,
 * those at its price behind what is ahead of them, and all of them share its size.
 */
export function fillsOf(trade: QueuedTrade, orders: readonly QueuedOrder[]): QueueOutcome[] {
  let given = SHARES_ZERO;
  const met = orders.filter(({ side, price }) => side === trade.side && isReached(side, price, trade.price));
  const best = met.toSorted((a, b) => (trade.side === 'bid' ? b.price - a.price : a.price - b.price));
  return best.map(({ id, price, remaining, place }) => {
    const left = subtractShares(trade.size, given);
    const through = { place: { ...place, ahead: SHARES_ZERO }, reach: left };
    const { place: next, reach } = price === trade.price ? afterTrade(place, left, trade.at) : through;
    const filled = minShares(remaining, reach);
    given = addShares(given, filled);
    return { id, filled, place: next };
  });
}

function isReached(side: BookSide, price: Price, traded: Price): boolean {
  return side === 'bid' ? traded <= price : traded >= price;
}
