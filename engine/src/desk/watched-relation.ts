/** A followed relation, assessed by the current books of its members. */
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import { PRICE_ONE, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import { ONE_SHARE, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type Book, bestAsk, bestBid } from '../book/book.ts';
import type { FeeSchedule } from '../market/market.ts';
import { takerFee } from '../opportunity/fee.ts';
import { type Basket, type BasketLeg, bestBaskets, type Structure } from '../relation/baskets.ts';
import { type Bounds, UNQUOTED } from '../relation/bounds.ts';
import { bestHits, bestOfferOf, bestSizeOf, boundsOfMember, type Hit, type MemberOffers } from '../relation/hits.ts';

export type WatchedMember = {
  marketId: MarketId;
  /** Token of the first outcome, whose book prices the other one as well. */
  tokenId: TokenId | null;
  name: string;
  outcomes: readonly string[];
  feeSchedule: FeeSchedule | null;
  resolved: Price | null;
};

/** The fields of a relation that decide what pays. */
export type Assessable = { row: Structure; members: readonly WatchedMember[] };

/** `ageMs`: since the book was last known to be right. */
export type SeenBook = { book: Book; ageMs: number };
/** Undefined where there is no book that can be trusted. */
export type BookOf = (tokenId: TokenId) => SeenBook | undefined;

/** The best basket of a relation as its books stood when it was last looked at. */
export type PricedBasket = Pick<Basket, 'direction' | 'payout' | 'payoutWithVoids'> & {
  /** `member`: its place among the members, from 0. `outcome`: 0 the first one, 1 the other. */
  legs: (BasketLeg & { price: Price; fee: Usd })[];
};

export type Assessed = {
  /** The most profitable hit of each direction, if any, best first. */
  found: Hit[];
  distance: Usd | null;
  distanceWithVoids: Usd | null;
  limitedBy: string | null;
  profit: Usd;
  size: Shares;
  quoted: number;
  oldestBookMs: number | null;
  basket: PricedBasket | null;
};

export function boundsOf(member: WatchedMember, bookOf: BookOf): Bounds {
  return boundsOfMember(offersOf(member, bookOf));
}

/** What a basket makes at its best size with the current books: nothing where a leg is not on offer. */
export function profitNow({ members }: Pick<Assessable, 'members'>, basket: Basket, bookOf: BookOf): Usd {
  const offers = members.map((member) => offersOf(member, bookOf));
  return bestSizeOf(basket, offers).profit;
}

function offersOf({ tokenId, feeSchedule, resolved }: WatchedMember, bookOf: BookOf): MemberOffers {
  return { book: tokenId === null ? undefined : bookOf(tokenId)?.book, feeSchedule, resolved };
}

export function assessRelation({ row, members }: Assessable, bookOf: BookOf): Assessed {
  const offers = members.map((member) => offersOf(member, bookOf));
  const bounds = offers.map(boundsOfMember);
  const resolved = members.map((member) => member.resolved);
  const baskets = bestBaskets(row, bounds, resolved).sort((one, other) => distanceOf(one) - distanceOf(other));
  const found = baskets.some((basket) => distanceOf(basket) < 0) ? bestHits(row, offers) : [];
  const [best] = found;
  const nearest = best?.basket ?? baskets[0];
  return {
    found,
    distance: nearest === undefined ? null : distanceOf(nearest),
    distanceWithVoids: nearest === undefined ? null : ((nearest.cost - nearest.payoutWithVoids) as Usd),
    limitedBy: nearest === undefined ? null : widestLeg(nearest, members, bounds),
    profit: best?.profit ?? USD_ZERO,
    size: best?.size ?? SHARES_ZERO,
    quoted: offers.filter(isQuoted).length,
    oldestBookMs: nearest === undefined ? null : oldestOf(nearest, members, bookOf),
    basket: nearest === undefined ? null : pricedBasket(nearest, offers),
  };
}

/** A leg without a book has resolved, and its price is of no age. */
function oldestOf({ legs }: Basket, members: readonly WatchedMember[], bookOf: BookOf): number {
  const books = atLegs(legs, members).flatMap(({ tokenId }) => (tokenId === null ? [] : (bookOf(tokenId) ?? [])));
  return Math.max(0, ...books.map(({ ageMs }) => ageMs));
}

/** Picks the values of the members behind these legs, in the order of the legs. */
function atLegs<T>(legs: Basket['legs'], ofMembers: readonly T[]): T[] {
  return legs.flatMap(({ member }) => ofMembers[member] ?? []);
}

function isQuoted({ book, feeSchedule }: MemberOffers): boolean {
  return feeSchedule !== null && book !== undefined && bestAsk(book) !== null && bestBid(book) !== null;
}

function distanceOf({ cost, payout }: Basket): Usd {
  return (cost - payout) as Usd;
}

/** The leg with the widest spread: the likeliest to close the gap. */
function widestLeg({ legs }: Basket, members: readonly WatchedMember[], bounds: readonly Bounds[]): string | null {
  const rooms = members.map(({ name }, place) => ({ words: `leg ${place + 1}: ${name}`, room: roomOf(bounds[place]) }));
  const [widest] = atLegs(legs, rooms).toSorted((one, other) => other.room - one.room);
  return widest?.words ?? null;
}

function roomOf({ low, high }: Bounds = UNQUOTED): number {
  return Math.min(high, PRICE_ONE) - Math.max(low, 0);
}

function pricedBasket(
  { direction, legs, payout, payoutWithVoids }: Basket,
  offers: readonly MemberOffers[],
): PricedBasket {
  return {
    direction,
    legs: legs.map(({ member, outcome }) => {
      const best = bestOfferOf(offers[member], outcome);
      if (best === null) return { member, outcome, price: PRICE_ZERO, fee: USD_ZERO };
      return { member, outcome, price: best.price, fee: takerFee(ONE_SHARE, best.price, best.schedule) };
    }),
    payout,
    payoutWithVoids,
  };
}
