import { setTimeout as pause } from 'node:timers/promises';
import { bestAsk, bestBid } from '@dutchbook/engine/book/book.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Journal } from '../../conformance/journal.ts';
import type { FeedTrust, MarketStream, Venue } from '../../venue.ts';
import type { StreamConfig } from '../config.ts';
import { openPolymarket } from '../polymarket.ts';
import { openStandIn, type StandIn, TEST_RUNTIME } from '../stand-in.fixture.ts';

const SIGN: Record<FeedTrust, string> = { stale: '-', live: '+', verified: '=' };

let standIn: StandIn;
let venue: Venue;
let stream: MarketStream;
let journal: Journal;
/** What was announced, in order: `A B` books, `-A` stale, `+A` live, `=A` verified. */
let reported: string[];

beforeEach(async () => {
  standIn = await openStandIn();
});

afterEach(async () => {
  await venue.close();
  await standIn.close();
});

async function watch(tokens: string[], config: Partial<StreamConfig> = {}): Promise<void> {
  venue = await openPolymarket(standIn.config(config), TEST_RUNTIME);
  journal = new Journal();
  reported = [];
  stream = venue.openMarketStream({
    onBooks: (tokenIds) => journal.add(() => reported.push([...tokenIds].sort().join(' '))),
    onTrust: (ids, trust) => journal.add(() => reported.push(`${SIGN[trust]}${[...ids].sort().join(' ')}`)),
    onTick: (tokenId, tick) => journal.add(() => reported.push(`${tokenId} tick ${tick}`)),
    onResolved: () => undefined,
  });
  stream.subscribe(tokens);
  await journal.until('the subscription', () => standIn.said.length > 0);
}

function book(token: string, bid: string, ask: string, timestamp = 1) {
  const levels = (price: string) => (price === '' ? [] : [{ price, size: '10' }]);
  return { event_type: 'book', asset_id: token, timestamp: String(timestamp), bids: levels(bid), asks: levels(ask) };
}

/** `A buy 0.4 10 -> 0.4/0.6`: ten shares bid at 0.40, after which 0.40 and 0.60 are the best. */
function changes(timestamp: number, ...lines: string[]) {
  const price_changes = lines.map((line) => {
    const [asset_id, side = '', price, size, , best = ''] = line.split(' ');
    const [best_bid, best_ask] = best.split('/');
    return { asset_id, side: side.toUpperCase(), price, size, best_bid, best_ask };
  });
  return { event_type: 'price_change', timestamp: String(timestamp), price_changes };
}

function top(token: string): string {
  const streamed = stream.book(token);
  if (!streamed) return 'none';
  const [bid, ask] = [bestBid(streamed.book), bestAsk(streamed.book)];
  return `${(bid ?? 0) / 1e6}/${(ask ?? 1e6) / 1e6} ${streamed.trust}`;
}

const until = (wanted: string) =>
  journal.until(`"${wanted}" in ${reported.join(', ')}`, () => reported.includes(wanted));

async function watchLive(config: Partial<StreamConfig> = {}): Promise<void> {
  await watch(['A', 'B'], config);
  standIn.send([book('A', '0.4', '0.6'), book('B', '0.4', '0.6')]);
  await until('+A B');
  reported.length = 0;
}

describe('the market stream', () => {
  it('subscribes as the venue wants it, and is not trusted before the first book', async () => {
    await watch(['A', 'B']);
    expect(JSON.parse(standIn.said[0] ?? '')).toEqual({
      type: 'market',
      assets_ids: ['A', 'B'],
      custom_feature_enabled: true,
    });
    expect(top('A')).toBe('none');
    expect(stream.health()).toEqual({
      sockets: 1,
      connected: 1,
      sound: 1,
      readsFail: false,
      tokens: 2,
      staleTokens: 2,
    });
  });

  it('applies a whole frame before it announces anything, both outcomes together', async () => {
    await watchLive();
    standIn.send(changes(2, 'A buy 0.5 5 -> 0.5/0.6', 'B sell 0.5 5 -> 0.4/0.5'));
    await until('A B');
    expect([top('A'), top('B')]).toEqual(['0.5/0.6 live', '0.4/0.5 live']);
    expect(reported).toEqual(['A B']);
  });

  it('drops the levels beyond the stated best, whose removal it never received', async () => {
    await watchLive();
    standIn.send(changes(2, 'A buy 0.3 7 -> 0.3/0.6'));
    await until('A');
    expect(top('A')).toBe('0.3/0.6 live');
  });

  it('waits for the rest of a burst that already states its final best prices', async () => {
    await watchLive({ settleMs: 60_000 });
    standIn.send(changes(2, 'A buy 0.3 7 -> 0.45/0.6'));
    await until('-A');
    standIn.send(changes(2, 'A buy 0.45 9 -> 0.45/0.6'));
    await until('A');
    expect(top('A')).toBe('0.45/0.6 live');
    expect(reported).toEqual(['-A', '+A', 'A']);
    expect(standIn.requests).toEqual([]);
  });

  it('asks for a fresh book when a disagreement remains, and trusts it once it shows what the stream states', async () => {
    await watchLive();
    standIn.answer('POST /books', () => [{ ...book('A', '0.45', '0.6', 3) }]);
    standIn.send(changes(2, 'A buy 0.3 7 -> 0.45/0.6'));
    await until('+A');
    expect(top('A')).toBe('0.45/0.6 live');
    expect(reported[0]).toBe('-A');
    expect(standIn.requests).toEqual(['POST /books']);
  });

  it('takes a fresh book that does not show what the stream states for old, and makes a new connection', async () => {
    await watchLive();
    standIn.answer('POST /books', () => [{ ...book('A', '0.01', '0.99', 3) }]);
    const before = standIn.said.length;
    standIn.send(changes(2, 'A buy 0.3 7 -> 0.45/0.6'));
    await journal.until('a new subscription', () => standIn.said.length > before);
    expect(top('A')).toMatch(/stale$/);
    standIn.send(book('A', '0.45', '0.6', 4));
    await until('+A');
  });

  it('does not lose the changes that arrive while a fresh book is under way', async () => {
    await watchLive();
    standIn.answer('POST /books', () => {
      standIn.send(changes(9, 'A buy 0.47 3 -> 0.47/0.6'));
      return [book('A', '0.45', '0.6', 3)];
    });
    standIn.send(changes(2, 'A buy 0.3 7 -> 0.45/0.6'));
    await journal.until('it shows the newest', () => top('A') === '0.47/0.6 live');
  });

  it('reads a snapshot over REST where no book frame comes', async () => {
    standIn.answer('POST /books', ({ body }) => {
      const asked = (JSON.parse(body) as { token_id: string }[]).map(({ token_id }) => token_id);
      return asked.filter((token) => token === 'A').map((token) => book(token, '0.2', '0.8'));
    });
    await watch(['A', 'unlisted'], { snapshotWaitMs: 20 });
    await until('+A');
    expect(top('A')).toBe('0.2/0.8 live');
    expect(top('unlisted')).toBe('none');
  });

  it('asks ever more rarely for an unlisted book', async () => {
    standIn.answer('POST /books', () => []);
    await watch(['unlisted'], { snapshotWaitMs: 5, backoffMinMs: 5, backoffMaxMs: 1000 });
    await journal.until('the first question', () => standIn.requests.length > 0);
    await pause(300);
    expect(standIn.requests.length).toBeLessThanOrEqual(8);
  });

  it('means nothing by changes after a change of tick until the next book', async () => {
    await watchLive();
    standIn.send({ event_type: 'tick_size_change', asset_id: 'A', new_tick_size: '0.001', timestamp: '2' });
    standIn.send(changes(3, 'A buy 0.401 5 -> 0.401/0.6'));
    await until('-A');
    expect(reported).toContain('A tick 1000');
    standIn.send(book('A', '0.405', '0.6', 4));
    await until('+A');
    expect(top('A')).toBe('0.405/0.6 live');
  });

  it('loses trust in one token over a malformed change, and survives any frame', async () => {
    await watchLive({ resyncAfterMs: 60_000 });
    standIn.send(changes(2, 'A buy NaN 5 -> 0.4/0.6', 'B buy 0.41 5 -> 0.41/0.6'));
    await until('-A');
    standIn.send('{"event_type":');
    standIn.send('NO NEW ASSETS');
    standIn.send({ event_type: 'surprise' });
    standIn.send(changes(3, 'B buy 0.42 5 -> 0.42/0.6'));
    await journal.until('the other token goes on', () => top('B') === '0.42/0.6 live');
    expect(top('A')).toBe('0.4/0.6 stale');
  });

  it('drops a connection that sends ten megabytes at once, and makes a new one', async () => {
    await watchLive();
    standIn.send(' '.repeat(10 * 1024 * 1024));
    await until('-A B');
    await journal.until('a new subscription', () => standIn.said.length > 1);
    standIn.send(book('A', '0.4', '0.6'));
    await until('+A');
  });

  it('trusts nothing while the connection is down, and starts from fresh books', async () => {
    await watchLive();
    standIn.dropConnections();
    await until('-A B');
    expect(top('A')).toBe('0.4/0.6 stale');
    await journal.until('a new subscription', () => standIn.said.length > 1);
    standIn.send(changes(5, 'A buy 0.5 5 -> 0.5/0.6'));
    standIn.send([book('A', '0.55', '0.6'), book('B', '0.3', '0.45')]);
    await until('+A B');
    expect([top('A'), top('B')]).toEqual(['0.55/0.6 live', '0.3/0.45 live']);
  });

  it('trusts nothing while the keep-alive is late, and gives the connection up when it stays away', async () => {
    await watchLive({ pingEveryMs: 100, pongLateMs: 200, pongTimeoutMs: 800 });
    standIn.setAnswersPings(false);
    await until('-A B');
    await journal.until('a new subscription', () => standIn.said.length > 1);
  });

  it('asks at once whether a venue that has fallen silent is still there, and trusts nothing when it does not answer', async () => {
    standIn.answer('POST /books', () => 500);
    await watchLive({ silenceMs: 50, pongLateMs: 50 });
    standIn.setAnswersPings(false);
    await until('-A B');
    standIn.setAnswersPings(true);
    standIn.send(book('A', '0.4', '0.6', 8));
    await until('+A B');
  });

  it('trusts nothing that was held up, nor what is added meanwhile, before a keep-alive is answered in time', async () => {
    standIn.answer('POST /books', () => 500);
    await watchLive({ silenceMs: 50 });
    standIn.setAnswersPings(false);
    await until('-A B');
    standIn.send(changes(2, 'A buy 0.5 5 -> 0.5/0.6'));
    stream.subscribe(['C']);
    await journal.until('the second subscription', () => standIn.said.length > 1);
    standIn.send(book('C', '0.4', '0.6', 3));
    await journal.until('all was read', () => top('C').startsWith('0.4/0.6'));
    expect([top('A'), top('B'), top('C')]).toEqual(['0.5/0.6 stale', '0.4/0.6 stale', '0.4/0.6 stale']);
    standIn.setAnswersPings(true);
    await until('+A B C');
    expect(top('A')).toBe('0.5/0.6 live');
  });

  it('trusts nothing while the keep-alive is late, although data flows', async () => {
    await watchLive({ pingEveryMs: 100, pongLateMs: 200 });
    const flow = setInterval(() => standIn.send(book('A', '0.4', '0.6', 8)), 20);
    try {
      standIn.setAnswersPings(false);
      await until('-A B');
      standIn.send(book('B', '0.5', '0.6', 9));
      await journal.until('it is read', () => top('B').startsWith('0.5/0.6'));
      expect([top('A'), top('B')]).toEqual(['0.4/0.6 stale', '0.5/0.6 stale']);
    } finally {
      clearInterval(flow);
    }
  });

  it('finds out a feed that brings nothing although its pings are answered', async () => {
    standIn.answer('POST /books', () => [book('A', '0.2', '0.8', 7), book('B', '0.4', '0.6', 7)]);
    await watchLive({ silenceMs: 300 });
    await until('-A');
    await until('-B');
    await journal.until('a new subscription', () => standIn.said.length > 1);
  });

  it('compares many silent sockets one after the other, and leaves none out', async () => {
    standIn.answer('POST /books', ({ body }) => {
      const asked = JSON.parse(body) as { token_id: string }[];
      return asked.map(({ token_id }) => book(token_id, '0.4', '0.6', 7));
    });
    await watch(['A', 'B', 'C'], { tokensPerSocket: 1, comparisonsPerSecond: 1, silenceMs: 400, silenceMaxMs: 60_000 });
    await journal.until('three sockets', () => standIn.said.length === 3);
    standIn.send([book('A', '0.4', '0.6'), book('B', '0.4', '0.6'), book('C', '0.4', '0.6')]);
    await journal.until('all are verified', () => ['A', 'B', 'C'].every((token) => reported.includes(`=${token}`)));
  });

  it('concludes nothing from a REST that does not answer', async () => {
    standIn.answer('POST /books', () => 500);
    await watchLive({ silenceMs: 30, compareEveryMs: 20 });
    await journal.until('several comparisons', () => standIn.requests.length > 3);
    expect([top('A'), reported]).toEqual(['0.4/0.6 live', []]);
  });

  it('calls a book verified once REST agrees with it, and only live again when that lies too far back', async () => {
    await watchLive({ compareEveryMs: 20 });
    standIn.answer('POST /books', () => [book('A', '0.4', '0.6', 7)]);
    await until('=A');
    standIn.answer('POST /books', () => 500);
    await until('+A');
    expect([top('A'), top('B')]).toEqual(['0.4/0.6 live', '0.4/0.6 live']);
    expect(new Set(reported)).toEqual(new Set(['=A', '+A']));
  });

  it('holds a verified book for no more than live once it was mended or begun anew, until REST agrees again', async () => {
    await watchLive({ silenceMs: 20 });
    standIn.answer('POST /books', () => [book('A', '0.4', '0.6', 7)]);
    await until('=A');
    standIn.answer('POST /books', () => 500);
    standIn.send(book('A', '0.41', '0.6', 8));
    await journal.until('the venue repeats its picture', () => top('A') === '0.41/0.6 verified');
    standIn.send(changes(9, 'A buy 0.3 7 -> 0.45/0.6'));
    await until('-A');
    standIn.answer('POST /books', () => [book('A', '0.45', '0.6', 9)]);
    await journal.until('it is verified again', () => top('A') === '0.45/0.6 verified');
    expect(reported.filter((what) => /^[-+=]/.test(what))).toEqual(['=A', '-A', '+A', '=A']);
    standIn.answer('POST /books', () => 500);
    reported.length = 0;
    standIn.dropConnections();
    await until('-A B');
    await journal.until('a new subscription', () => standIn.said.length > 1);
    standIn.send(book('A', '0.5', '0.6', 10));
    await until('+A');
    standIn.answer('POST /books', () => [book('A', '0.5', '0.6', 11)]);
    await until('=A');
    expect(reported.filter((what) => /^[-+=]/.test(what))).toEqual(['-A B', '+A', '=A']);
  });

  it('gives up no book whose changes are still on their way while REST has them', async () => {
    await watchLive({ compareEveryMs: 20, settleMs: 5, pongLateMs: 60_000 });
    standIn.setAnswersPings(false);
    standIn.answer('POST /books', () => [book('A', '0.45', '0.6', 9)]);
    await journal.until('a comparison', () => standIn.requests.length > 0);
    await pause(100);
    standIn.send(changes(9, 'A buy 0.45 10 -> 0.45/0.6'));
    standIn.setAnswersPings(true);
    await journal.until('it is verified', () => top('A') === '0.45/0.6 verified');
    expect(reported.filter((what) => what.startsWith('-'))).toEqual([]);
    expect(standIn.said).toHaveLength(1);
  });

  it('goes on comparing where REST does not answer the second question about a book that differs', async () => {
    await watchLive({ silenceMs: 20 });
    const answers = [() => [book('A', '0.2', '0.8', 7)], () => 500];
    standIn.answer('POST /books', () => (answers.shift() ?? (() => [book('A', '0.4', '0.6', 7)]))());
    await until('=A');
    expect(reported).toEqual(['=A']);
  });
});
