/** The relations that this process follows, which tokens they need, and the quotes that the screen has of those. */
import type { Screen } from '@dutchbook/engine/relation/screen.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { MarketStream } from '@dutchbook/venues/venue.ts';
import type { RelationDistance } from '../relations/store.ts';
import { type BookOf, boundsOf, type Watched, type WatchedMember } from './watched.ts';

/** A relation with what was last shown of it. */
export type Followed = Watched & {
  isPaying: boolean;
  /** A book of it has changed since it was last looked at. */
  isTouched: boolean;
  /** Whether anything that is open of it was found by this run or has been paused by it. */
  isAccountedFor: boolean;
  followedAt: Instant;
  isWritten: boolean;
  point: RelationDistance | null;
};

export type Roster = {
  all: () => Followed[];
  get: (relationId: string) => Followed | undefined;
  follow: (watched: Watched, now: Instant) => void;
  leave: (relationId: string) => void;
  /** Tells the screen what a token's book says now; nothing is judged yet. */
  quote: (tokenId: string) => void;
};

export function createRoster(
  screen: Screen,
  stream: Pick<MarketStream, 'subscribe' | 'unsubscribe'>,
  bookOf: BookOf,
): Roster {
  const followed = new Map<string, Followed>();
  const usersOf = new Map<string, Set<Followed>>();
  /** By token, for as long as it has users: what its book is a quote of. */
  const quoted = new Map<string, { member: WatchedMember; market: number }>();

  const publish = (member: WatchedMember, market: number) => {
    const { low, high } = boundsOf(member, bookOf);
    screen.set(market, low, high);
  };
  const leave = (relationId: string) => {
    const one = followed.get(relationId);
    if (one === undefined) return;
    followed.delete(relationId);
    screen.remove(relationId);
    const unused = tokensOf(one).filter((tokenId) => {
      const users = usersOf.get(tokenId);
      users?.delete(one);
      return users?.size === 0 && usersOf.delete(tokenId) && quoted.delete(tokenId);
    });
    if (unused.length > 0) stream.unsubscribe(unused);
  };
  return {
    all: () => [...followed.values()],
    get: (relationId) => followed.get(relationId),
    follow: (watched, now) => {
      const before = followed.get(watched.row.id);
      const one: Followed = {
        ...watched,
        isPaying: false,
        isTouched: true,
        isAccountedFor: before?.isAccountedFor ?? false,
        followedAt: now,
        isWritten: false,
        point: before?.point ?? null,
      };
      const fresh = tokensOf(one).filter((tokenId) => !usersOf.has(tokenId));
      for (const tokenId of tokensOf(one)) usersOf.set(tokenId, (usersOf.get(tokenId) ?? new Set()).add(one));
      leave(one.row.id);
      followed.set(one.row.id, one);
      screen.add(one.row.id, one.row);
      if (fresh.length > 0) stream.subscribe(fresh);
      for (const member of one.members) {
        const market = screen.marketNumber(member.marketId);
        if (market === null) continue;
        if (member.tokenId !== null) quoted.set(member.tokenId, { member, market });
        publish(member, market);
      }
    },
    leave,
    quote: (tokenId) => {
      const users = usersOf.get(tokenId);
      if (users === undefined) return;
      for (const one of users) one.isTouched = true;
      const known = quoted.get(tokenId);
      if (known !== undefined) publish(known.member, known.market);
    },
  };
}

function tokensOf({ members }: Watched): string[] {
  return [...new Set(members.flatMap(({ tokenId }) => tokenId ?? []))];
}
