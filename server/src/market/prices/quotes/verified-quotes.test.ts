import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { pino } from 'pino';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { testTime } from '../../../platform/runtime/test-time.ts';
import { DEFAULT_SETTINGS, scriptedSettings } from '../live-prices.fixture.ts';
import { type QuoteFeed, startQuotes } from './quotes.ts';
import { type ScriptedMarkets, scriptedMarkets } from './scripted-markets.fixture.ts';
import { stillVerified, verifiedQuotes } from './verified-quotes.ts';

const RAIN: Position = { leg: 1, marketId: 'rain', outcome: 'Yes' };

let time: ReturnType<typeof testTime>;
let venue: ScriptedMarkets;
let feed: QuoteFeed;
const verified = () => verifiedQuotes({ quotes: feed, catalogue: venue.venue.catalogue }, [RAIN]);

beforeEach(async () => {
  time = testTime();
  venue = scriptedMarkets(time.clock);
  venue.list('rain');
  venue.setBooks({ 'rain:yes': { asks: [['0.46', '10']], bids: [['0.43', '10']] } });
  feed = startQuotes({ ...time, log: pino({ level: 'silent' }) }, venue.venue, scriptedSettings(DEFAULT_SETTINGS));
  feed.watch([RAIN]);
  await time.advance(1);
  return () => feed.stop();
});

describe('quotes to decide with', () => {
  it('are the stream’s while it is healthy, with markets asked for now', async () => {
    venue.list('rain', { acceptingOrders: false });
    expect(await verified()).toMatchObject([{ feed: 'live', market: { acceptingOrders: false } }]);
    expect(venue.calls).not.toContain('fetchBooks');
  });

  it('are asked for where the stream went stale while the markets were', async () => {
    const { catalogue } = venue.venue;
    vi.spyOn(catalogue, 'marketsById').mockImplementationOnce(async (ids) => {
      venue.trust('rain:yes', 'stale');
      return await catalogue.marketsById(ids);
    });
    expect(await verified()).toMatchObject([{ feed: 'polled' }]);
  });

  it('say that a market has resolved as soon as the stream does', async () => {
    venue.resolve('rain');
    expect(await verified()).toMatchObject([{ market: { closed: true, acceptingOrders: false } }]);
  });

  it('lose the trust that their books have lost since they were read', async () => {
    const quoted = await verified();
    await time.advance(5000);
    venue.trust('rain:yes', 'stale');
    expect(stillVerified(feed, quoted)).toMatchObject([{ feed: 'stale', bookAgeMs: 5001 }]);
    const polled = await feed.fresh([RAIN]);
    expect(stillVerified(feed, polled)).toEqual(polled);
  });
});
