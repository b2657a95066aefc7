import { expect, it } from 'vitest';
import { feedState } from './system-status.ts';

it.each([
  ['live', 'live', 'Live'],
  ['live', 'degraded', 'Stale'],
  ['live', 'down', 'Feed down'],
  ['live', 'polled', 'Polled'],
  ['live', undefined, 'Connecting'],
  ['stale', 'live', 'Stale'],
  ['offline', 'live', 'Offline'],
  ['connecting', 'live', 'Connecting'],
] as const)('a %s link to a %s feed reads %s', (link, feed, text) => {
  expect(feedState(link, feed).text).toBe(text);
});
