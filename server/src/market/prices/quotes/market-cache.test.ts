import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { expect, it, vi } from 'vitest';
import { testTime } from '../../../platform/runtime/test-time.ts';
import { createMarketCache } from './market-cache.ts';
import { scriptedMarkets } from './scripted-markets.fixture.ts';

it('keeps every watched market, and only the latest of the unwatched ones', async () => {
  const time = testTime();
  const { venue, list } = scriptedMarkets(time.clock);
  list('rain');
  list('snow');
  const cache = createMarketCache(venue.catalogue, time.timers, (marketId) => marketId === 'rain');
  await cache.load(['rain', 'snow']);
  for (let asked = 0; asked < 10_100; asked += 100) {
    await cache.load(Array.from({ length: 100 }, (_, index) => `made up ${asked + index}`));
  }
  await cache.load([]);
  expect(cache.market('rain')).toMatchObject({ id: 'rain' });
  expect(cache.marketIdOfToken('rain:yes')).toBe('rain');
  expect(cache.market('snow')).toBeUndefined();
  expect(cache.marketIdOfToken('snow:yes')).toBeUndefined();
  expect(cache.market('made up 0')).toBeUndefined();
  expect(cache.market('made up 10099')).toBeNull();
});

it('drops a market that is no longer watched like one that never was', async () => {
  const time = testTime();
  const { venue, list } = scriptedMarkets(time.clock);
  list('rain');
  list('snow');
  const watched = new Set(['rain', 'snow']);
  const cache = createMarketCache(venue.catalogue, time.timers, (marketId) => watched.has(marketId));
  await cache.load(['rain', 'snow']);
  watched.delete('rain');
  cache.noteUnwatched([{ leg: 1, marketId: 'rain', outcome: 'Yes' }]);
  for (let asked = 0; asked < 10_100; asked += 100) {
    await cache.load(Array.from({ length: 100 }, (_, index) => `made up ${asked + index}`));
  }
  expect(cache.market('rain')).toBeUndefined();
  expect(cache.market('snow')).toMatchObject({ id: 'snow' });
});

it('keeps and reports the markets of later calls when one call fails, and then throws', async () => {
  const { clock, timers } = testTime();
  const { venue, list } = scriptedMarkets(clock);
  const ids = Array.from({ length: 250 }, (_, index) => `market ${index}`);
  for (const id of ids) list(id);
  const cache = createMarketCache(venue.catalogue, { ...timers, after: atOnce }, () => true);
  vi.spyOn(venue.catalogue, 'marketsById').mockRejectedValueOnce(new VenueUnavailable('silent'));
  const received: string[] = [];
  await expect(cache.load(ids, { onKept: (marketIds) => void received.push(...marketIds) })).rejects.toThrow(
    VenueUnavailable,
  );
  expect(received).toEqual(ids.slice(100));
  expect(ids.filter((id) => cache.market(id) !== undefined)).toEqual(received);
});

function atOnce(_: number, work: () => void): () => void {
  work();
  return () => {};
}

it('says why a market of the venue was left out, and gives no reason for one that the venue does not have', async () => {
  const { clock, timers } = testTime();
  const { venue } = scriptedMarkets(clock);
  const why = 'version v9 is not known';
  vi.spyOn(venue.catalogue, 'whyLeftOut').mockImplementation((id) => (id === 'future' ? why : null));
  const cache = createMarketCache(venue.catalogue, timers, () => true);
  expect(cache.known('future')).toEqual({ market: undefined, whyLeftOut: null });
  await cache.load(['future', 'made up']);
  expect(cache.known('future')).toEqual({ market: null, whyLeftOut: why });
  expect(cache.known('made up')).toEqual({ market: null, whyLeftOut: null });
});
