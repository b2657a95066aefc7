import { expect, it } from 'vitest';
import { notifications } from '../notifications/table.ts';
import type { Feed } from '../status/system-status.ts';
import { openTestWorld } from '../world/test-world.ts';
import { tellFeedDown } from './tell-feed-down.ts';

it('a feed that stays down is told once each time, one that comes back soon is not', async () => {
  await using test = await openTestWorld('pglite');
  let feed: Feed = 'live';
  const stop = tellFeedDown(test.world, () => feed);
  const told = async () => (await test.world.db.select().from(notifications)).map((row) => row.notificationType);
  const be = async (now: Feed, ms: number) => {
    feed = now;
    await test.time.advance(ms);
  };
  await be('down', 14_000);
  await be('live', 5000);
  await be('down', 14_000);
  await be('degraded', 1000);
  expect(await told()).toEqual([]);
  await be('down', 60_000);
  expect(await told()).toEqual(['feed_down']);
  await be('live', 1000);
  await be('down', 20_000);
  expect(await told()).toEqual(['feed_down', 'feed_down']);
  stop();
});
