import assert from 'node:assert/strict';
import { bestAsk, bestBid } from '@dutchbook/engine/book/book.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { StreamHealth } from '../venue.ts';
import type { Bench, WatchedMarketStream } from './bench.ts';
import type { ConformanceCase } from './cases.ts';
import { order, place } from './orders.ts';

/** What the streams promise, on a venue that behaves and on one that does not. */
export const STREAM_CASES: readonly ConformanceCase[] = [
  {
    number: 60,
    title: 'shows a subscribed book as live and follows it; both outcomes change in one announcement',
    run: async (bench) => {
      const { yes, no, watched } = await watchQuoted(bench);
      watched.stream.subscribe([no.tokenId]);
      await untilTop(watched, yes.tokenId, '0.4/0.6');
      await untilTop(watched, no.tokenId, '0.4/0.6');
      watched.books.length = 0;
      await bench.control.quote(yes.tokenId, [['0.45', '10']], [['0.6', '10']]);
      await untilTop(watched, yes.tokenId, '0.45/0.6');
      assert.equal(top(watched, no.tokenId), '0.4/0.55');
      for (const tokenIds of watched.books) assert.equal(tokenIds.length, 2);
    },
  },
  {
    number: 61,
    title: 'says nothing of a book before its first snapshot, and never trusts an unlisted token',
    run: async (bench) => {
      const { yes } = await bench.freshMarket();
      const watched = bench.watchMarkets();
      watched.stream.subscribe(['123', yes.tokenId]);
      assert.equal(watched.stream.book(yes.tokenId), undefined);
      await watched.journal.until('the listed token is live', () => isLive(watched, yes.tokenId));
      assert.equal(watched.stream.book('123'), undefined);
      assertSound(watched, { sockets: 1, tokens: 2, staleTokens: 1 });
    },
  },
  {
    number: 62,
    title: 'announces a finer tick, takes the book anew and signs on the new grid',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [['0.95', '10']], [['0.97', '10']]);
      const watched = bench.watchMarkets();
      watched.stream.subscribe([yes.tokenId]);
      await untilTop(watched, yes.tokenId, '0.95/0.97');
      await assert.rejects(bench.trading.signOrder(order(market, yes, 'buy 10 at 0.955')), /tick 0\.01/);
      await bench.control.setTick(yes.tokenId, '0.001');
      await watched.journal.until('the tick is announced', () => watched.ticks.some(([id]) => id === yes.tokenId));
      await bench.control.quote(yes.tokenId, [['0.955', '10']], [['0.97', '10']]);
      await untilTop(watched, yes.tokenId, '0.955/0.97');
      const { outcome } = await place(bench, order(market, yes, 'buy 10 at 0.956'));
      assert.equal(outcome.kind, 'accepted');
      assert.equal((await bench.venue.catalogue.marketsById([market.id])).get(market.id)?.tick, 1_000);
    },
  },
  {
    number: 63,
    title: 'spreads tokens over sockets and closes those it no longer needs',
    run: async (bench) => {
      const { data } = await bench.venue.catalogue.searchMarkets({ skip: 0, limit: 4 });
      const tokenIds = data.flatMap(({ outcomes }) => outcomes.map(({ tokenId }) => tokenId));
      const watched = bench.watchMarkets(await bench.openVenue({ tokensPerSocket: 3 }));
      watched.stream.subscribe(tokenIds);
      await watched.journal.until('all are live', () => watched.stream.health().staleTokens === 0);
      assertSound(watched, { sockets: 3, tokens: 8, staleTokens: 0 });
      watched.stream.unsubscribe(tokenIds.slice(0, 6));
      assertSound(watched, { sockets: 1, tokens: 2, staleTokens: 0 });
      assert.equal(watched.stream.book(tokenIds[0] ?? ''), undefined);
      watched.stream.subscribe(tokenIds.slice(0, 1));
      await watched.journal.until('it is live again', () => isLive(watched, tokenIds[0] ?? ''));
    },
  },
  {
    number: 64,
    title: 'freeze_stream: a feed that answers pings but brings nothing is found out, and made again',
    run: async (bench) => {
      const { yes, watched } = await watchQuoted(bench);
      await untilTop(watched, yes.tokenId, '0.4/0.6');
      await bench.control.fault('freeze_stream', { existing_only: true });
      await bench.control.quote(yes.tokenId, [['0.3', '10']], [['0.7', '10']]);
      await watched.journal.until('the book is called stale', () => watched.stale.includes(yes.tokenId));
      await untilTop(watched, yes.tokenId, '0.3/0.7');
    },
  },
  {
    number: 65,
    title: 'stale_book: an old book over REST does not shake a stream that is right',
    run: async (bench) => {
      const { yes, watched } = await watchQuoted(bench);
      await untilTop(watched, yes.tokenId, '0.4/0.6');
      await bench.control.fault('stale_book', { token_id: yes.tokenId });
      await bench.control.untilNoFaults();
      await bench.control.quote(yes.tokenId, [['0.41', '10']], [['0.6', '10']]);
      await untilTop(watched, yes.tokenId, '0.41/0.6');
      assert.deepEqual(watched.stale, []);
    },
  },
  {
    number: 66,
    title: 'announces how a market was resolved',
    run: async (bench) => {
      const { market, yes, no } = await bench.freshMarket();
      const watched = bench.watchMarkets();
      watched.stream.subscribe([yes.tokenId]);
      await watched.journal.until('it is live', () => isLive(watched, yes.tokenId));
      await bench.control.resolve(market.id, no.outcome);
      const [reported] = await watched.journal.until(
        'it is announced',
        () => watched.resolved.length > 0 && watched.resolved,
      );
      assert.deepEqual(reported, [market.id, no.tokenId]);
    },
  },
  {
    number: 67,
    title: 'tells our orders and fills as they happen, and how their settlement moves on',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const account = bench.watchAccount();
      await account.journal.until('the user stream connects', () => account.stream.connected());
      const resting = await place(bench, order(market, yes, 'buy 10 at 0.3'));
      const statusOf = (hash: string) => account.orders.findLast(({ orderHash }) => orderHash === hash)?.status;
      await account.journal.until('the order is reported', () => statusOf(resting.signed.orderHash) === 'open');
      await bench.trading.cancelOrders([resting.signed.orderHash]);
      await account.journal.until('the cancel is reported', () => statusOf(resting.signed.orderHash) === 'canceled');
      await bench.control.quote(yes.tokenId, [], [['0.5', '100']]);
      const { signed } = await place(bench, order(market, yes, 'buy 10 at 0.5'));
      const fill = () => account.fills.findLast(({ orderHash }) => orderHash === signed.orderHash);
      const first = bench.words.settlesAtOnce ? 'confirmed' : 'matched';
      await account.journal.until('the fill is reported', () => fill()?.settlement === first);
      await bench.control.advanceClock(10_000);
      await account.journal.until('its settlement is reported', () => fill()?.settlement === 'confirmed');
      assert.deepEqual([fill()], await bench.trading.fillsOfOrder(signed.orderHash, market.id, null));
    },
  },
  {
    number: 68,
    title: 'calls a live book verified once the snapshot agrees, and not a new one before it has agreed again',
    run: async (bench) => {
      const { yes, watched } = await watchQuoted(bench);
      await untilVerified(watched, yes.tokenId);
      await bench.control.fault('freeze_stream', { existing_only: true });
      await bench.control.quote(yes.tokenId, [['0.3', '10']], [['0.7', '10']]);
      await watched.journal.until('the book is called stale', () => watched.stale.includes(yes.tokenId));
      await untilVerified(watched, yes.tokenId);
      assert.equal(top(watched, yes.tokenId), '0.3/0.7');
      const trusts = watched.trusted.map(([, trust]) => trust);
      const before = trusts.filter((_, index) => trusts[index + 1] === 'verified');
      assert.deepEqual(new Set(before), new Set(['live']));
    },
  },
];

/** A fresh market, quoted at 0.40 and 0.60, whose first outcome is subscribed. */
async function watchQuoted(bench: Bench) {
  const { yes, no } = await bench.freshMarket();
  await bench.control.quote(yes.tokenId, [['0.4', '10']], [['0.6', '10']]);
  const watched = bench.watchMarkets();
  watched.stream.subscribe([yes.tokenId]);
  return { yes, no, watched };
}

type Following = Pick<StreamHealth, 'sockets' | 'tokens' | 'staleTokens'>;

function assertSound({ stream }: WatchedMarketStream, following: Following): void {
  const { sockets } = following;
  assert.deepEqual(stream.health(), { ...following, connected: sockets, sound: sockets, readsFail: false });
}

function top({ stream }: WatchedMarketStream, tokenId: TokenId): string {
  const streamed = stream.book(tokenId);
  if (streamed === undefined || streamed.trust === 'stale') return '';
  return [bestBid(streamed.book), bestAsk(streamed.book)].map((price) => (price ?? 0) / 1_000_000).join('/');
}

function untilTop(watched: WatchedMarketStream, tokenId: TokenId, wanted: string): Promise<boolean> {
  return watched.journal.until(`the book shows ${wanted} and is live`, () => top(watched, tokenId) === wanted);
}

function untilVerified({ stream, journal }: WatchedMarketStream, tokenId: TokenId): Promise<boolean> {
  return journal.until('the book is verified', () => stream.book(tokenId)?.trust === 'verified');
}

function isLive({ stream }: WatchedMarketStream, tokenId: TokenId): boolean {
  const trust = stream.book(tokenId)?.trust;
  return trust === 'live' || trust === 'verified';
}
