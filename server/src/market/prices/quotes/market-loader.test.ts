import { type Venue, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { type TestTime, testTime } from '../../../platform/runtime/test-time.ts';
import { DEFAULT_SETTINGS, scriptedSettings } from '../live-prices.fixture.ts';
import { startQuotes } from './quotes.ts';
import { scriptedMarkets } from './scripted-markets.fixture.ts';

const IDS = Array.from({ length: 250 }, (_, index) => `market ${index}`);
const CHUNKS = [IDS.slice(0, 100), IDS.slice(100, 200), IDS.slice(200)];
const POSITIONS = IDS.map((marketId) => ({ leg: 1, marketId, outcome: 'Yes' }));
const tokensOf = (marketIds: readonly string[]) => new Set(marketIds.map((id) => `${id}:yes`));

/** In steps that are not awaited: between its calls a load waits for time that only the next step lets pass. */
async function pass(time: TestTime, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 20) {
    void time.advance(20);
    await new Promise(setImmediate);
  }
}

/** Has the venue stay silent to the picked ones of the calls about markets, and says what was asked from then on. */
function silence(venue: Venue, isSilent: (call: number, marketIds: readonly string[]) => boolean) {
  const { marketsById } = venue.catalogue;
  let calls = 0;
  const spy = vi.spyOn(venue.catalogue, 'marketsById').mockImplementation((marketIds) => {
    calls++;
    if (isSilent(calls, marketIds)) return Promise.reject(new VenueUnavailable('the scripted venue is silent'));
    return marketsById(marketIds);
  });
  return { asked: () => spy.mock.calls.map(([marketIds]) => marketIds) };
}

function openFeed() {
  const time = testTime();
  const scripted = scriptedMarkets(time.clock);
  for (const id of IDS) scripted.list(id);
  const runtime = { ...time, log: pino({ level: 'silent' }) };
  const feed = startQuotes(runtime, scripted.venue, scriptedSettings(DEFAULT_SETTINGS));
  return { ...scripted, time, feed };
}

describe('the loading of markets', () => {
  it.each([1, 2, 3])('has all of them subscribed soon after call %i about them failed', async (failing) => {
    const { feed, subscribed, time, venue } = openFeed();
    const { asked } = silence(venue, (call) => call === failing);
    feed.watch(POSITIONS);
    await pass(time, 3000);
    expect(subscribed()).toEqual(tokensOf(IDS));
    expect(asked()).toEqual([...CHUNKS, CHUNKS[failing - 1]]);
    await feed.stop();
  });

  it.each([0, 1, 2])('goes on with the others while chunk %i of them fails at every attempt', async (failing) => {
    const { feed, subscribed, time, venue } = openFeed();
    const silent = CHUNKS[failing]?.[0] ?? '';
    silence(venue, (_, marketIds) => marketIds.includes(silent));
    const loaded = new Set<string>();
    feed.onChange((marketIds) => {
      for (const id of marketIds) loaded.add(id);
    });
    feed.watch(POSITIONS);
    await pass(time, 7000);
    const others = CHUNKS.filter((chunk) => !chunk.includes(silent)).flat();
    expect(subscribed()).toEqual(tokensOf(others));
    expect(loaded).toEqual(new Set(others));
    await feed.stop();
  });

  it('has those subscribed soon that are wanted while others are loaded', async () => {
    const { feed, subscribed, time } = openFeed();
    feed.watch(POSITIONS.slice(0, 150));
    await pass(time, 20);
    feed.watch(POSITIONS.slice(150));
    await pass(time, 1000);
    expect(subscribed()).toEqual(tokensOf(IDS));
    await feed.stop();
  });

  it('hears that a market has closed although the chunk before it fails', async () => {
    const { feed, list, time, venue } = openFeed();
    feed.watch(POSITIONS);
    await pass(time, 1000);
    silence(venue, (_, marketIds) => marketIds.includes('market 0'));
    list('market 249', { closed: true, acceptingOrders: false });
    const loaded = new Set<string>();
    feed.onChange((marketIds) => {
      for (const id of marketIds) loaded.add(id);
    });
    await pass(time, 31_000);
    expect(feed.current(POSITIONS.slice(-1))).toMatchObject([{ market: { closed: true, acceptingOrders: false } }]);
    expect(feed.current(POSITIONS.slice(0, 1))).toMatchObject([{ market: { closed: false } }]);
    expect(loaded).toContain('market 249');
    await feed.stop();
  });

  it('has those subscribed that another caller had loaded before failing', async () => {
    const { feed, subscribed, time, venue } = openFeed();
    silence(venue, (_, marketIds) => marketIds.includes('market 249'));
    feed.watch(POSITIONS.slice(0, 1));
    const fresh = feed.fresh(POSITIONS.slice(0, 1).concat(POSITIONS.slice(150)));
    const failed = expect(fresh).rejects.toThrow(VenueUnavailable);
    await new Promise(setImmediate);
    expect(feed.current(POSITIONS.slice(0, 1))).toMatchObject([{ tokenId: 'market 0:yes' }]);
    await pass(time, 3000);
    await failed;
    expect(subscribed()).toEqual(tokensOf(['market 0']));
    await feed.stop();
  });
});
