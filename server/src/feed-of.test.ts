import type { VenueName } from '@dutchbook/units/ids.ts';
import { expect, it } from 'vitest';
import { feedOf } from './start-trading.ts';

const HEALTHY = {
  mode: 'stream' as const,
  sockets: 2,
  connected: 2,
  sound: 2,
  readsFail: false,
  tokens: 9,
  staleTokens: 0,
};

it.each([
  ['live', 'every socket is sound', {}],
  ['live', 'the venue has no book of one token', { staleTokens: 1 }],
  ['degraded', 'a socket is down', { connected: 1, sound: 1 }],
  ['degraded', 'a socket is late', { sound: 1 }],
  ['degraded', 'books cannot be read', { readsFail: true }],
  ['down', 'no socket stands', { connected: 0, sound: 0 }],
  ['polled', 'books are polled', { mode: 'poll' as const, staleTokens: 1 }],
  ['down', 'books are polled and do not come', { mode: 'poll' as const, readsFail: true }],
])('the feed is %s when %s', (feed, _, changes) => {
  expect(feedOf({ health: () => ({ ...HEALTHY, ...changes }) }, ['polymarket'])).toBe(feed);
});

it('is degraded when the feed of one venue is down and that of another is not', () => {
  const health = (venue?: VenueName) => (venue === 'kalshi' ? { ...HEALTHY, connected: 0, sound: 0 } : HEALTHY);
  expect(feedOf({ health }, ['polymarket', 'kalshi'])).toBe('degraded');
  expect(feedOf({ health }, ['kalshi'])).toBe('down');
});
