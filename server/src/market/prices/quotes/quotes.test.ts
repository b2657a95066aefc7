import { applyLevelChange, KeptBook } from '@dutchbook/engine/book/book.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { openVenues } from '@dutchbook/venues/venues.ts';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { testTime } from '../../../platform/runtime/test-time.ts';
import type { LiveQuote } from '../../markets/live-quotes.ts';
import { DEFAULT_SETTINGS, scriptedSettings } from '../live-prices.fixture.ts';
import { startQuotes } from './quotes.ts';
import { scriptedMarkets } from './scripted-markets.fixture.ts';

const RAIN: Position = { leg: 1, marketId: 'rain', outcome: 'Yes' };

function openFeed(changed: Partial<typeof DEFAULT_SETTINGS> = {}) {
  const time = testTime();
  const venue = scriptedMarkets(time.clock);
  const settings = scriptedSettings({ ...DEFAULT_SETTINGS, ...changed });
  venue.list('rain');
  venue.setBooks({ 'rain:yes': { asks: [['0.46', '10']], bids: [['0.43', '10']] } });
  const runtime = { ...time, log: pino({ level: 'silent' }) };
  const feed = startQuotes(runtime, venue.venue, settings);
  const rain = () => feed.current([RAIN])[0];
  return { time, venue, feed, rain, settings };
}

describe('the feed of quotes of two venues', () => {
  const open = (changed: Partial<typeof DEFAULT_SETTINGS> = {}) => {
    const time = testTime();
    const [first, second] = [scriptedMarkets(time.clock), scriptedMarkets(time.clock)];
    const positions = (['rain', 'kalshi:snow'] as const).map((marketId) => ({ ...RAIN, marketId }));
    for (const [venue, id] of [
      [first, 'rain'],
      [second, 'kalshi:snow'],
    ] as const) {
      venue.list(id);
      venue.setBooks({ [`${id}:yes`]: { asks: [['0.46', '10']] } });
    }
    const venues = openVenues(first.venue, { ...second.venue, names: ['kalshi'] });
    const runtime = { ...time, log: pino({ level: 'silent' }) };
    const settings = scriptedSettings({ ...DEFAULT_SETTINGS, ...changed });
    const feed = startQuotes(runtime, { ...first.venue, ...venues }, settings);
    return { time, first, second, feed, positions };
  };

  it('asks each venue for its own, and knows the other one while one is silent', async () => {
    const { time, first, second, feed, positions } = open();
    second.answers = false;
    feed.watch(positions);
    await time.advance(1);
    const known = () => feed.current(positions).map(({ market, feed: fed }) => [market?.id, fed]);
    expect(known()).toEqual([
      ['rain', 'live'],
      [undefined, 'none'],
    ]);
    second.answers = true;
    await time.advance(4000);
    expect(known()).toEqual([
      ['rain', 'live'],
      ['kalshi:snow', 'live'],
    ]);
    expect([[...first.subscribed()], [...second.subscribed()]]).toEqual([['rain:yes'], ['kalshi:snow:yes']]);
    second.trust('kalshi:snow:yes', 'stale');
    expect([feed.health('polymarket').staleTokens, feed.health('kalshi').staleTokens]).toEqual([0, 1]);
    await feed.stop();
  });

  it('polls the books of one venue while the other is silent, and says which one fails', async () => {
    const { time, second, feed, positions } = open({ ENABLE_WEBSOCKET: false });
    feed.watch(positions);
    await time.advance(3000);
    expect(feed.current(positions).map(({ feed: fed }) => fed)).toEqual(['polled', 'polled']);
    second.answers = false;
    await time.advance(15_000);
    expect(feed.current(positions).map(({ feed: fed }) => fed)).toEqual(['polled', 'stale']);
    expect([feed.health('polymarket').readsFail, feed.health('kalshi').readsFail]).toEqual([false, true]);
    await feed.stop();
  });
});

describe('the feed of quotes', () => {
  it('knows nothing of what is not watched, and drops what is not watched any more', async () => {
    const { feed, rain, time, venue } = openFeed();
    expect(rain()).toMatchObject({ market: undefined, book: undefined, feed: 'none' });
    const other = { ...RAIN, leg: 7 };
    feed.watch([RAIN]);
    feed.watch([other]);
    await time.advance(1);
    expect(rain()).toMatchObject({ tokenId: 'rain:yes', feed: 'live', bookAgeMs: 0 });
    feed.unwatch([RAIN]);
    expect(venue.subscribed()).toEqual(new Set(['rain:yes']));
    feed.unwatch([other]);
    expect(venue.subscribed()).toEqual(new Set());
    expect(rain()?.feed).toBe('none');
    await feed.stop();
  });

  it('follows the token that an outcome has by now', async () => {
    const { feed, rain, time, venue } = openFeed();
    venue.list('rain', {
      outcomes: [
        { outcome: 'Yes', tokenId: 'rain:no' },
        { outcome: 'No', tokenId: 'rain:yes' },
      ],
    });
    feed.watch([RAIN]);
    await time.advance(1);
    expect([rain()?.tokenId, ...venue.subscribed()]).toEqual(['rain:no', 'rain:no']);
    venue.list('rain');
    await time.advance(30_000);
    expect([rain()?.tokenId, ...venue.subscribed()]).toEqual(['rain:yes', 'rain:yes']);
    await feed.stop();
  });

  it('asks for the markets of many positions in one call', async () => {
    const { feed, time, venue } = openFeed();
    for (const id of ['a', 'b', 'c', 'a']) feed.watch([{ leg: 1, marketId: id, outcome: 'Yes' }]);
    await time.advance(1);
    expect(venue.calls).toEqual(['marketsById']);
    await feed.stop();
  });

  it('shows the books of markets as they were, whatever becomes of them', async () => {
    const { feed, rain, time, venue } = openFeed();
    venue.list('snow');
    const snow = { ...RAIN, marketId: 'snow' };
    feed.watch([RAIN, snow]);
    venue.setBooks({ 'snow:yes': { asks: [['0.20', '10']] } });
    await time.advance(1);
    const then = feed.frozen(new Set(['rain']));
    const bestAsks = (quotes: readonly (LiveQuote | undefined)[]) => quotes.map((quote) => quote?.book?.asks[0]?.price);
    const book = rain()?.book;
    if (book instanceof KeptBook) applyLevelChange(book, 'sell', priceFromText('0.45'), sharesFromText('10'));
    venue.setBooks({ 'snow:yes': { asks: [['0.30', '10']] } });
    expect(bestAsks([rain()])).toEqual([450_000]);
    expect(bestAsks(then([RAIN, snow]))).toEqual([460_000, 300_000]);
    await feed.stop();
  });

  it('calls recorders token by token, after all other listeners, also for books that are dropped', async () => {
    const { feed, time, venue } = openFeed();
    const received: (string | readonly string[])[] = [];
    feed.onChange(() => void received.push('every other listener'));
    feed.watch([RAIN]);
    await time.advance(1);
    feed.tokens.onChange((tokenIds) => void received.push(tokenIds));
    received.length = 0;
    venue.setBooks({ 'rain:yes': { asks: [['0.47', '10']] } });
    venue.trust('rain:yes', 'stale');
    expect(received).toEqual(expect.arrayContaining(['every other listener', ['rain:yes']]));
    expect(received[0]).toBe('every other listener');
    expect(feed.tokens.ids()).toEqual(['rain:yes']);
    expect(feed.tokens.held('rain:yes')).toMatchObject({ feed: 'stale' });
    expect(feed.tokens.other('rain:yes')).toBe('rain:no');
    expect(feed.tokens.other('snow:yes')).toBeUndefined();
    received.length = 0;
    feed.unwatch([RAIN]);
    expect(received).toEqual([['rain:yes']]);
    expect(feed.tokens.held('rain:yes')).toBeUndefined();
    await feed.stop();
  });

  it('tells whether a book can be trusted, and how old one is that cannot', async () => {
    const { feed, rain, time, venue } = openFeed();
    feed.watch([RAIN]);
    await time.advance(20_000);
    expect(rain()).toMatchObject({ feed: 'live', bookAgeMs: 0 });
    venue.trust('rain:yes', 'stale');
    await time.advance(28_000);
    expect(rain()).toMatchObject({ feed: 'stale' });
    expect(rain()?.bookAgeMs).toBeGreaterThan(47_000);
    await feed.stop();
  });

  it('passes on that the venue’s snapshot has agreed with a streamed book, which is as recent as a live one', async () => {
    const { feed, rain, time, venue } = openFeed();
    feed.watch([RAIN]);
    await time.advance(1);
    let received = 0;
    feed.onChange(() => void received++);
    for (const trust of ['verified', 'live', 'verified'] as const) {
      venue.trust('rain:yes', trust);
      expect(rain()).toMatchObject({ feed: trust, bookAgeMs: 0 });
    }
    expect(received).toBe(3);
    await time.advance(60_000);
    expect(rain()).toMatchObject({ feed: 'verified', bookAgeMs: 0 });
    expect(feed.health()).toMatchObject({ staleTokens: 0 });
    venue.trust('rain:yes', 'stale');
    expect(rain()?.feed).toBe('stale');
    expect(rain()?.bookAgeMs).toBeGreaterThanOrEqual(60_000);
    await feed.stop();
  });

  it('polls books when the stream is switched off, marks them stale when the venue falls silent, and switches back', async () => {
    const { feed, rain, settings, time, venue } = openFeed({ ENABLE_WEBSOCKET: false });
    feed.watch([RAIN]);
    await time.advance(2001);
    expect(feed.health()).toMatchObject({ mode: 'poll', tokens: 1 });
    expect(venue.calls.filter((call) => call === 'fetchBooks')).toHaveLength(1);
    venue.setBooks({ 'rain:yes': { asks: [['0.40', '10']] } });
    await time.advance(2000);
    expect(rain()).toMatchObject({ feed: 'polled', bookAgeMs: expect.any(Number) });
    expect(rain()?.book?.asks[0]?.price).toBe(400_000);
    venue.answers = false;
    await time.advance(11_000);
    expect(rain()?.feed).toBe('stale');
    settings.change({ ENABLE_WEBSOCKET: true });
    expect(rain()).toMatchObject({ feed: 'live' });
    expect(feed.health().mode).toBe('stream');
    await feed.stop();
  });

  it('polls many books in calls of a hundred, spaced as the venue wants them', async () => {
    const { feed, time, venue } = openFeed({ ENABLE_WEBSOCKET: false });
    const ids = Array.from({ length: 250 }, (_, index) => `market ${index}`);
    for (const id of ids) venue.list(id);
    const asked: { at: number; tokenIds: readonly string[] }[] = [];
    vi.spyOn(venue.venue.prices, 'fetchBooks').mockImplementation(async (tokenIds) => {
      asked.push({ at: time.clock.now(), tokenIds });
      return new Map();
    });
    feed.watch(ids.map((marketId) => ({ leg: 1, marketId, outcome: 'Yes' })));
    await vi.waitFor(
      () => {
        // Not awaited: a poll waits between its calls for time that only the next step lets pass.
        void time.advance(20);
        expect(asked.length).toBeGreaterThanOrEqual(3);
      },
      { timeout: 60_000, interval: 1 },
    );
    const [first, second, third] = asked;
    expect([first, second, third].map((call) => call?.tokenIds.length)).toEqual([100, 100, 50]);
    const all = [first, second, third].flatMap((call) => call?.tokenIds ?? []);
    expect(new Set(all)).toEqual(new Set(ids.map((id) => `${id}:yes`)));
    for (const [one, next] of [
      [first, second],
      [second, third],
    ]) {
      expect((next?.at ?? 0) - (one?.at ?? 0)).toBeGreaterThanOrEqual(40);
    }
    await feed.stop();
  });

  it('takes the stream at its word on a finer tick and on a market that has resolved, whatever the catalogue says', async () => {
    const { feed, rain, time, venue } = openFeed();
    feed.watch([RAIN]);
    await time.advance(1);
    venue.changeTick('rain:yes', '0.001');
    expect(rain()?.market?.tick).toBe(1000);
    venue.resolve('rain');
    expect(rain()?.market).toMatchObject({ closed: true, acceptingOrders: false });
    await time.advance(61_000);
    expect(venue.calls.filter((call) => call === 'marketsById').length).toBeGreaterThan(1);
    expect(rain()?.market).toMatchObject({ closed: true, acceptingOrders: false });
    feed.forget();
    await time.advance(2001);
    expect(rain()?.market).toMatchObject({ closed: true, acceptingOrders: false });
    await feed.stop();
  });

  it('takes midpoints from the books it streams, and from the venue where it polls', async () => {
    const streamed = openFeed({ USE_ORDER_BOOK_PRICES: false });
    const polled = openFeed({ USE_ORDER_BOOK_PRICES: false, ENABLE_WEBSOCKET: false });
    const quote = { tokenId: 'rain:yes', midpoint: priceFromText('0.47'), lastTrade: priceFromText('0.48') };
    for (const { feed, time, venue } of [streamed, polled]) {
      venue.setQuote(quote);
      feed.watch([RAIN]);
      await time.advance(4001);
    }
    expect(streamed.rain()).toMatchObject({ midpoint: 445_000, lastTrade: 480_000 });
    expect(polled.rain()).toMatchObject({ midpoint: 470_000, lastTrade: 480_000 });
    expect(await polled.feed.fresh([RAIN])).toMatchObject([{ midpoint: 470_000, lastTrade: 480_000 }]);
    await streamed.feed.stop();
    await polled.feed.stop();
  });

  it('fetches markets and books on demand, in the order asked, or says that the venue is silent', async () => {
    const { feed, venue } = openFeed();
    const nowhere: Position = { leg: 2, marketId: 'nowhere', outcome: 'Yes' };
    expect(await feed.fresh([nowhere, RAIN, nowhere])).toMatchObject([
      { marketId: 'nowhere', market: undefined, tokenId: null, feed: 'none' },
      { marketId: 'rain', feed: 'polled', bookAgeMs: 0 },
      { marketId: 'nowhere' },
    ]);
    expect(feed.hasAnswered([nowhere])).toBe(true);
    venue.answers = false;
    await expect(feed.fresh([RAIN])).rejects.toThrow(VenueUnavailable);
    await feed.stop();
  });

  it('asks the venue once for all who look at the same at the same time, and anew for who trades', async () => {
    const { feed, venue } = openFeed();
    await feed.fresh([RAIN]);
    venue.calls.length = 0;
    const answers = await Promise.all(Array.from({ length: 12 }, () => feed.fresh([{ ...RAIN }], 'display')));
    expect(answers.flat().map(({ feed }) => feed)).toEqual(answers.map(() => 'polled'));
    expect(venue.calls.toSorted()).toEqual(['fetchBooks', 'marketsById']);
    await Promise.all([feed.fresh([RAIN], 'display'), feed.fresh([RAIN])]);
    expect(venue.calls).toHaveLength(6);
    await feed.stop();
  });

  it('takes the stream’s book where the venue serves an older one, and says how old an answer is by the time it is whole', async () => {
    const { feed, time, venue } = openFeed();
    const old = await venue.venue.prices.fetchBooks(['rain:yes']);
    const { catalogue, prices } = venue.venue;
    feed.watch([RAIN]);
    await time.advance(1000);
    venue.setBooks({ 'rain:yes': { asks: [['0.90', '10']] } });
    vi.spyOn(prices, 'fetchBooks').mockResolvedValue(old);
    const best = { asks: [{ price: priceFromText('0.9') }] };
    expect(await feed.fresh([RAIN])).toMatchObject([{ feed: 'live', book: best }]);
    venue.trust('rain:yes', 'stale');
    vi.spyOn(catalogue, 'marketsById').mockImplementationOnce(async (ids) => {
      await time.advance(12_000);
      return await catalogue.marketsById(ids);
    });
    const served = { asks: [{ price: priceFromText('0.46') }] };
    const [late] = await feed.fresh([RAIN]);
    expect(late).toMatchObject({ feed: 'polled', book: served });
    expect(late?.bookAgeMs).toBeGreaterThan(10_000);
    await feed.stop();
  });

  it('asks the venue again for everything once it has forgotten it, and concludes nothing until then', async () => {
    const { feed, rain, settings, time, venue } = openFeed({ USE_ORDER_BOOK_PRICES: false });
    venue.setQuote({ tokenId: 'rain:yes', midpoint: null, lastTrade: priceFromText('0.48') });
    feed.watch([RAIN]);
    await time.advance(2001);
    expect(rain()).toMatchObject({ feed: 'live', lastTrade: 480_000, market: { question: 'Will rain happen?' } });
    venue.list('rain', { question: 'Will it rain?' });
    venue.answers = false;
    feed.forget();
    expect(venue.calls).toContain('forget');
    await time.advance(1);
    expect(rain()).toMatchObject({ market: undefined, lastTrade: null });
    expect(feed.hasAnswered([RAIN])).toBe(false);
    venue.answers = true;
    await time.advance(2000);
    expect(rain()).toMatchObject({ feed: 'live', lastTrade: 480_000, market: { question: 'Will it rain?' } });
    expect(feed.hasAnswered([RAIN])).toBe(true);
    settings.change({ USE_ORDER_BOOK_PRICES: true });
    settings.change({ USE_ORDER_BOOK_PRICES: false });
    expect(rain()).toMatchObject({ lastTrade: null });
    await time.advance(1);
    expect(rain()).toMatchObject({ lastTrade: 480_000 });
    await feed.stop();
  });

  it('tells its listeners once for a group of changes', async () => {
    const { feed, time, venue } = openFeed();
    venue.list('snow');
    feed.watch([RAIN, { leg: 2, marketId: 'snow', outcome: 'Yes' }]);
    await time.advance(1);
    const changes: string[][] = [];
    feed.onChange((marketIds) => void changes.push([...marketIds].sort()));
    venue.setBooks({ 'rain:yes': { asks: [] }, 'snow:yes': { asks: [] }, 'rain:no': { asks: [] } });
    expect(changes).toEqual([['rain', 'snow']]);
    await feed.stop();
  });
});
