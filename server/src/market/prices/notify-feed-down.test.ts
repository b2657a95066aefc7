import { expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import type { Feed } from '../../trading/trading-controls/system-status.ts';
import { notifyFeedDown } from './notify-feed-down.ts';

it('a feed that stays down is notified once each time, one that comes back soon is not', async () => {
  await using test = await openTestRuntime();
  let feed: Feed = 'live';
  const stop = notifyFeedDown(test.runtime, () => feed);
  const notified = async () => (await test.runtime.db.select().from(notifications)).map((row) => row.notificationType);
  const be = async (now: Feed, ms: number) => {
    feed = now;
    await test.time.advance(ms);
  };
  await be('down', 14_000);
  await be('live', 5000);
  await be('down', 14_000);
  await be('degraded', 1000);
  expect(await notified()).toEqual([]);
  await be('down', 60_000);
  expect(await notified()).toEqual(['feed_down']);
  await be('live', 1000);
  await be('down', 20_000);
  expect(await notified()).toEqual(['feed_down', 'feed_down']);
  stop();
});
