import { expect, it } from 'vitest';
import { feedState } from './system-status.ts';

it.each([
  ['live', 'live', 'Live'],
  ['live', 'degraded', 'Stale'],
  ['live', 'down', 'Feed down'],
  ['live', 'starting', 'Starting'],
  ['live', 'polled', 'Polled'],
  ['live', 'live without its database', 'Database away'],
  ['live', undefined, 'Connecting'],
  ['stale', 'live', 'Stale'],
  ['offline', 'live', 'Offline'],
  ['offline', 'live without its database', 'Offline'],
  ['connecting', 'live', 'Connecting'],
] as const)('a %s link to a %s feed reads %s', (link, feed, text) => {
  const isAway = feed === 'live without its database';
  const known = feed === undefined ? undefined : { feed: isAway ? ('live' as const) : feed, database_away: isAway };
  expect(feedState(link, known).text).toBe(text);
});
