/** A relation that is followed, with what its members' books say of it now. */
import type { Book } from '@dutchbook/engine/book/book.ts';
import type { Level } from '@dutchbook/engine/book/level.ts';
import type { FeeSchedule } from '@dutchbook/engine/market/market.ts';
import { curveOfAsks } from '@dutchbook/engine/opportunity/curve.ts';
import { takerFee } from '@dutchbook/engine/opportunity/fee.ts';
import { type Basket, bestBaskets } from '@dutchbook/engine/relation/baskets.ts';
import { type Bounds, boundsOfBook, boundsOfResolved, UNQUOTED } from '@dutchbook/engine/relation/bounds.ts';
import type { EventFacts } from '@dutchbook/engine/relation/event-facts.ts';
import { complement, type Price } from '@dutchbook/units/price.ts';
import { ONE_SHARE, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { PricedBasket } from '../relations/priced.ts';
import type { StoredRelation } from '../relations/store.ts';

export type WatchedMember = {
  marketId: string;
  /** Of the first outcome, whose book says what the other one costs as well. */
  tokenId: string | null;
  name: string;
  outcomes: readonly string[];
  feeSchedule: FeeSchedule | null;
  resolved: Price | null;
};

export type Watched = { row: StoredRelation; members: readonly WatchedMember[] };

/** As much of it as says what pays. */
export type Assessable = { row: Parameters<typeof bestBaskets>[0]; members: readonly WatchedMember[] };

/** `ageMs`: since the book was last known to be right. */
export type SeenBook = { book: Book; ageMs: number };
/** Undefined where there is no book that can be trusted. */
export type BookOf = (tokenId: string) => SeenBook | undefined;

/** What one basket makes at its best size. */
export type Found = { basket: Basket; profit: Usd; size: Shares };

export type Assessed = {
  /** Those that pay, at most one of each direction. */
  found: Found[];
  distance: Usd | null;
  distanceWithVoids: Usd | null;
  limitedBy: string | null;
  profit: Usd;
  size: Shares;
  quoted: number;
  oldestBookMs: number | null;
  basket: PricedBasket | null;
};

export function watchedOf(row: StoredRelation, events: ReadonlyMap<string, EventFacts>): Watched {
  const members = row.members.map(({ eventId, marketId }): WatchedMember => {
    const facts = events.get(eventId)?.members.find((member) => member.marketId === marketId);
    const isTraded = facts !== undefined && facts.leftOut === null && !facts.closed;
    return {
      marketId,
      tokenId: isTraded ? (facts.tokenIds[0] ?? null) : null,
      name: facts?.groupTitle || facts?.question || marketId,
      outcomes: facts?.outcomes ?? [],
      feeSchedule: facts?.feeSchedule ?? null,
      resolved: facts?.resolvedValue ?? null,
    };
  });
  return { row, members };
}

export function boundsOf({ resolved, tokenId, feeSchedule }: WatchedMember, bookOf: BookOf): Bounds {
  if (resolved !== null) return boundsOfResolved(resolved);
  const seen = tokenId === null ? undefined : bookOf(tokenId);
  return seen === undefined ? UNQUOTED : boundsOfBook(seen.book, feeSchedule);
}

export function assessRelation({ row, members }: Assessable, bookOf: BookOf): Assessed {
  const books = members.map(({ tokenId }) => (tokenId === null ? undefined : bookOf(tokenId)));
  const quoted = members.map(({ feeSchedule }, index) => ({
    yes: feeSchedule !== null && (books[index]?.book.asks.length ?? 0) > 0,
    no: feeSchedule !== null && (books[index]?.book.bids.length ?? 0) > 0,
  }));
  const bounds = members.map((member) => boundsOf(member, bookOf));
  const resolved = members.map((member) => member.resolved);
  const baskets = bestBaskets(row, bounds, quoted, resolved).sort((one, other) => distanceOf(one) - distanceOf(other));
  const [nearest] = baskets;
  const offered = (basket: Basket) =>
    basket.legs.map(({ member, outcome }) => offeredOf(members[member], books[member], outcome));
  const found = baskets.filter((basket) => distanceOf(basket) < 0).map((basket) => sized(basket, offered(basket)));
  const best = found[0] ?? null;
  return {
    found: found.filter(({ profit }) => profit > 0),
    distance: nearest === undefined ? null : distanceOf(nearest),
    distanceWithVoids: nearest === undefined ? null : ((nearest.cost - nearest.payoutWithVoids) as Usd),
    limitedBy: nearest === undefined ? null : widestLeg(nearest, members, bounds),
    profit: best?.profit ?? USD_ZERO,
    size: best?.size ?? SHARES_ZERO,
    quoted: quoted.filter(({ yes, no }) => yes && no).length,
    oldestBookMs:
      nearest === undefined ? null : Math.max(0, ...nearest.legs.map(({ member }) => books[member]?.ageMs ?? 0)),
    basket: nearest === undefined ? null : pricedBasket(nearest, offered(nearest)),
  };
}

function distanceOf({ cost, payout }: Basket): Usd {
  return (cost - payout) as Usd;
}

type Offered = { asks: readonly Level[]; schedule: FeeSchedule | null };

/** The other outcome is offered at what the first one is bid for. */
function offeredOf(member: WatchedMember | undefined, seen: SeenBook | undefined, outcome: 0 | 1): Offered {
  const { asks = [], bids = [] } = seen?.book ?? {};
  const mirrored = () => bids.map(({ price, size }) => ({ price: complement(price), size }));
  return { asks: outcome === 0 ? asks : mirrored(), schedule: member?.feeSchedule ?? null };
}

function sized(basket: Basket, offered: readonly Offered[]): Found {
  const positions = offered.flatMap(({ asks, schedule }) => (schedule === null ? [] : [{ asks, schedule }]));
  let best: Found = { basket, profit: USD_ZERO, size: SHARES_ZERO };
  if (positions.length < offered.length) return best;
  for (const { size, profit } of curveOfAsks(positions, basket.payout)) {
    if (profit > best.profit) best = { basket, profit, size };
  }
  return best;
}

/** Of all legs the one between whose buyers and sellers there is most room: the likeliest to close the gap. */
function widestLeg({ legs }: Basket, members: readonly WatchedMember[], bounds: readonly Bounds[]): string | null {
  const room = ({ member }: Basket['legs'][number]) => (bounds[member]?.high ?? 0) - (bounds[member]?.low ?? 0);
  const [widest] = legs.toSorted((one, other) => room(other) - room(one));
  return widest === undefined ? null : `leg ${widest.member + 1}: ${members[widest.member]?.name ?? ''}`;
}

function pricedBasket({ direction, legs, payout, payoutWithVoids }: Basket, offered: readonly Offered[]): PricedBasket {
  return {
    direction,
    legs: legs.map(({ member, outcome }, index) => {
      const { asks = [], schedule = null } = offered[index] ?? {};
      const price = asks[0]?.price ?? (0 as Price);
      return { member, outcome, price, fee: schedule === null ? USD_ZERO : takerFee(ONE_SHARE, price, schedule) };
    }),
    payout,
    payoutWithVoids,
  };
}
