import { describe, expect, it } from 'vitest';
import type { Market } from '../matching-engine/market.ts';
import { FollowedIds, Follows } from './follows.ts';

const MARKET = {} as Market;

function openFollows() {
  const followed = new Set<Market>();
  const feed = new Follows<Market>(
    (market) => followed.add(market),
    (market) => followed.delete(market),
  );
  const listed = new Map<string, Market>();
  return { followed, feed, listed, ids: new FollowedIds(feed, (id) => listed.get(id)) };
}

describe('what clients follow by id', () => {
  it('is followed once it is listed, until as many have left as have come', () => {
    const { followed, listed, ids } = openFollows();
    ids.follow('token');
    ids.follow('token');
    ids.listed(['other']);
    expect(followed.size).toBe(0);
    listed.set('token', MARKET);
    ids.listed(['other', 'token']);
    expect(followed.has(MARKET)).toBe(true);
    ids.unfollow('token');
    expect(followed.has(MARKET)).toBe(true);
    ids.unfollow('token');
    expect(followed.size).toBe(0);
  });

  it('ends what is followed for nothing else, whenever it was listed', () => {
    const { followed, feed, listed, ids } = openFollows();
    ids.follow('token');
    listed.set('token', MARKET);
    feed.follow(MARKET);
    ids.unfollow('token');
    ids.unfollow('token');
    feed.follow(MARKET);
    feed.unfollow(MARKET);
    expect(followed.has(MARKET)).toBe(true);
  });
});
