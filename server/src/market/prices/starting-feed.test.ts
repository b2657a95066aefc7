import type { Instant } from '@dutchbook/units/instant.ts';
import { expect, it } from 'vitest';
import { startingFeed } from './starting-feed.ts';

function feeds() {
  const clock = { at: 0, now: () => clock.at as Instant };
  const state = { feed: 'down' as 'down' | 'degraded' | 'live' };
  return { clock, state, feed: startingFeed({ clock }, () => state.feed) };
}

it('is starting until it is up, and down whenever it is after that', () => {
  const { state, feed } = feeds();
  expect(feed()).toBe('starting');
  state.feed = 'degraded';
  expect(feed()).toBe('starting');
  state.feed = 'live';
  expect([feed(), feed('kalshi')]).toEqual(['live', 'live']);
  state.feed = 'down';
  expect([feed(), feed('kalshi')]).toEqual(['down', 'down']);
});

it('is down where it does not come up in time, each venue by itself', () => {
  const { clock, feed } = feeds();
  clock.at = 14_999;
  expect(feed('kalshi')).toBe('starting');
  clock.at = 15_000;
  expect(feed('kalshi')).toBe('down');
});
