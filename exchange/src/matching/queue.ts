import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { addShares, minShares, SHARES_ZERO, type Shares, subtractShares } from '@dutchbook/units/shares.ts';
import type { BookSide } from './order.ts';

/**
 * Where a standing order is in the queue of a level that another venue shows: behind everything that was displayed when it came. A
 * trade there and the smaller level that follows from it arrive in any order, and count once.
 */
export interface QueuePlace {
  readonly ahead: Shares;
  /** What has left the level without a trade that explains it, until `explainedBy`. */
  readonly unexplained: Shares;
  /** What was traded there without a smaller level, until `explainedBy`. */
  readonly unseen: Shares;
  readonly explainedBy: Instant;
}

/** How long a trade and the change of its level may be apart. */
const TOGETHER_MS = 2_000;

export function behind(displayed: Shares): QueuePlace {
  return { ahead: displayed, unexplained: SHARES_ZERO, unseen: SHARES_ZERO, explainedBy: 0 as Instant };
}

/** After the level has changed from one displayed size to another: what has left was ahead where no more is left. */
export function afterLevel(place: QueuePlace, before: Shares, size: Shares, at: Instant): QueuePlace {
  const now = forgetting(place, at);
  const left = Math.max(0, before - size) as Shares;
  const traded = minShares(left, now.unseen);
  return {
    ahead: minShares(now.ahead, size),
    unexplained: addShares(now.unexplained, subtractShares(left, traded)),
    unseen: subtractShares(now.unseen, traded),
    explainedBy: until(at),
  };
}

/** After a trade at the order's price. @returns its new place, and how much of the trade has reached it */
export function afterTrade(place: QueuePlace, size: Shares, at: Instant): { place: QueuePlace; reach: Shares } {
  const now = forgetting(place, at);
  const explained = minShares(size, now.unexplained);
  const fresh = subtractShares(size, explained);
  const passed = minShares(fresh, now.ahead);
  return {
    place: {
      ahead: subtractShares(now.ahead, passed),
      unexplained: subtractShares(now.unexplained, explained),
      unseen: addShares(now.unseen, passed),
      explainedBy: until(at),
    },
    reach: subtractShares(fresh, passed),
  };
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
 * What a trade elsewhere would have given to orders here, best price first and then by age: those at better prices come before it whole,
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

function forgetting(place: QueuePlace, at: Instant): QueuePlace {
  return at <= place.explainedBy ? place : { ...place, unexplained: SHARES_ZERO, unseen: SHARES_ZERO };
}

function until(at: Instant): Instant {
  return (at + TOGETHER_MS) as Instant;
}
