import { expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import type { Feed } from '../../trading/trading-controls/system-status.ts';
import { notifyFeedDown } from './notify-feed-down.ts';

it('a feed that stays down is notified once each time, one that comes back soon is not', async () => {
  await using test = await openTestRuntime();
  let feed: Feed = 'live';
  const stop = notifyFeedDown(test.runtime, { venue: 'polymarket', label: null }, () => feed);
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

it('of two venues whose feeds are down each is notified by its name', async () => {
  await using test = await openTestRuntime();
  let second: Feed = 'live';
  const stops = [
    notifyFeedDown(test.runtime, { venue: 'polymarket', label: 'Polymarket' }, () => 'down'),
    notifyFeedDown(test.runtime, { venue: 'kalshi', label: 'Kalshi' }, () => second),
  ];
  const said = async () => (await test.runtime.db.select().from(notifications)).map(({ message }) => message);
  const ofPolymarket = expect.stringMatching(/^The price feed of Polymarket has been down/);
  await test.time.advance(10_000);
  second = 'down';
  await test.time.advance(10_000);
  expect(await said()).toEqual([ofPolymarket]);
  await test.time.advance(10_000);
  expect((await said()).toSorted()).toEqual([expect.stringMatching(/^The price feed of Kalshi/), ofPolymarket]);
  for (const stop of stops) stop();
});
