import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { testTime } from '../../../platform/runtime/test-time.ts';
import { DEFAULT_SETTINGS, scriptedSettings } from '../live-prices.fixture.ts';
import { openBooks } from './books.ts';
import { scriptedMarkets } from './scripted-markets.fixture.ts';

it('drops all books and asks for those that are still wanted anew, yielding to the event loop in between', async () => {
  const time = testTime();
  const venue = scriptedMarkets(time.clock);
  const books = openBooks(
    { ...time, log: pino({ level: 'silent' }) },
    venue.venue,
    scriptedSettings(DEFAULT_SETTINGS),
    { onBooks: () => {}, onTick: () => {}, onResolved: () => {} },
  );
  const tokenIds = Array.from({ length: 4500 }, (_, index) => `token-${index}`);
  books.add(tokenIds);
  books.restart();
  expect(venue.subscribed().size).toBe(2000);
  books.remove(tokenIds.slice(-100));
  await vi.waitFor(() => expect(venue.subscribed()).toEqual(new Set(tokenIds.slice(0, -100))));
  books.restart();
  await books.stop();
  await new Promise(setImmediate);
  expect(venue.subscribed()).toEqual(new Set());
});
