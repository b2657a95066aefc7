import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../makers/random.ts';
import { isRead, type KalshiWorld, openKalshiPaper, openKalshiWorld, openWay } from './kalshi-world.fixture.ts';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? join(import.meta.dirname, '../../../../../shared/data');
const RECORDED = join(DATA_DIR, 'kalshi/events/events_sports_nested.json.gz');

interface RecordedEvent {
  readonly series_ticker: string;
  readonly markets: readonly { readonly ticker: string }[];
}

const QUICK_POLL = { timeout: 10_000 };
/** Times of the venue are known to a second before answers have told more. */
const MOMENTS_MS = 5_000;
const LISTED = '/events?status=open&with_nested_markets=true&limit=200';

let world: KalshiWorld;
/** A market of a series without maker fees, on the first shard. */
let ticker: string;

async function open(...options: Parameters<typeof openKalshiWorld>): Promise<void> {
  world = await openKalshiWorld(...options);
  const { markets } = await world.real.read<{ markets: { ticker: string; exchange_index: number }[] }>(
    '/markets?limit=1000',
  );
  ticker = markets.find(({ exchange_index }) => exchange_index === 0)?.ticker ?? '';
  await world.real.quote(
    ticker,
    [
      [39, 10],
      [40, 100],
    ],
    [
      [42, 50],
      [45, 30],
    ],
  );
  await world.real.join();
  await world.paper.join();
  await expect.poll(() => isRead(world.paper), QUICK_POLL).toBe(true);
}

describe('Kalshi on paper', () => {
  afterEach(() => world.close());
  beforeEach(() => open());

  it('lists what the venue lists, field by field, and what changes there', async () => {
    const lists = [LISTED, '/series', `/markets/${ticker}`, `/markets?tickers=${ticker}`, '/exchange/schedule'];
    const of = (side: 'real' | 'paper') => Promise.all(lists.map((path) => world[side].read(path)));
    await expect.poll(() => of('paper'), QUICK_POLL).toEqual(await of('real'));
    await world.real.control('market', { ticker, rules: 'Something else is asked.' });
    await expect
      .poll(() => world.paper.read(`/markets/${ticker}`), QUICK_POLL)
      .toMatchObject({ market: { rules_primary: 'Something else is asked.' } });
    expect(await world.paper.venue.get('/_control/paper')).toMatchObject({
      kalshi: { fills: 'touch', cash: '10000', left_out: [], upstream: ['127.0.0.1'], catalogue_trouble: null },
    });
  });

  it('shows the books of the venue, on the stream and after a cut', async () => {
    expect(await world.paper.book(ticker)).toEqual(await world.real.book(ticker));
    const stream = await world.paper.follow(ticker);
    await expect.poll(() => stream.frames.map(({ type }) => type), QUICK_POLL).toContain('orderbook_snapshot');
    await world.real.quote(ticker, [[41, 7]], [[43, 9]]);
    await expect.poll(() => world.paper.book(ticker), QUICK_POLL).toEqual(await world.real.book(ticker));
    await expect.poll(() => stream.frames.filter(({ type }) => type === 'orderbook_delta').length, QUICK_POLL).toBe(6);
    world.cable.cut(600_000);
    await stream.ended;
    const [status, refused] = await world.paper.order({ ticker, side: 'bid', price: '0.43' });
    expect([status, refused.error?.code]).toEqual([409, 'trading_is_paused']);
    await world.real.quote(ticker, [[30, 1]], [[31, 2]]);
    world.cable.cut(0);
    const again = await world.paper.follow(ticker);
    await expect
      .poll(() => again.frames.at(-1), QUICK_POLL)
      .toMatchObject({
        type: 'orderbook_snapshot',
        msg: { yes_dollars_fp: [['0.3000', '1.00']], no_dollars_fp: [['0.3100', '2.00']] },
      });
    expect(await world.paper.book(ticker)).toEqual(await world.real.book(ticker));
  });

  it('fills an order by what is displayed, which stays away until the venue moves there', async () => {
    const [status, placed] = await world.paper.order({ ticker, side: 'bid', price: '0.42', count: '20' });
    expect([status, placed.fill_count]).toEqual([201, '20.00']);
    const asks = async () => (await world.paper.book(ticker)).no_dollars;
    expect(await asks()).toEqual([
      ['0.5500', '30.00'],
      ['0.5800', '30.00'],
    ]);
    expect((await world.real.book(ticker)).no_dollars).toEqual([
      ['0.5500', '30.00'],
      ['0.5800', '50.00'],
    ]);
    await world.real.quote(
      ticker,
      [[41, 5]],
      [
        [42, 50],
        [45, 30],
      ],
    );
    await expect
      .poll(async () => (await world.paper.book(ticker)).yes_dollars, QUICK_POLL)
      .toEqual([['0.4100', '5.00']]);
    expect(await asks()).toEqual([
      ['0.5500', '30.00'],
      ['0.5800', '30.00'],
    ]);
    await world.real.quote(ticker, [[41, 5]], [[42, 45]]);
    await expect.poll(asks, QUICK_POLL).toEqual([['0.5800', '45.00']]);
  });

  it('fills an order that rests by trades at its price, behind what was displayed', async () => {
    const [, { order_id }] = await world.paper.order({
      ...{ ticker, side: 'bid', price: '0.4', count: '30', time_in_force: 'good_till_canceled' },
    });
    const filled = async () => (await world.paper.state()).orders.find(({ id }) => id === order_id)?.filled;
    await world.real.venue.control('clock', { advance_ms: MOMENTS_MS });
    await world.real.order({ ticker, side: 'ask', price: '0.4', count: '60' });
    await expect
      .poll(async () => (await world.paper.book(ticker)).yes_dollars, QUICK_POLL)
      .toEqual([
        ['0.3900', '10.00'],
        ['0.4000', '70.00'],
      ]);
    expect(await filled()).toBe('0');
    await world.real.order({ ticker, side: 'ask', price: '0.39', count: '45' });
    await expect.poll(filled, QUICK_POLL).toBe('5');
  });

  it.each(['real', 'paper'] as const)(
    'fills an order that rests by no trade of before it, where the clock of the %s venue is ahead',
    async (side) => {
      await world[side].venue.control('clock', { advance_ms: 60_000 });
      await world.real.order({ ticker, side: 'ask', price: '0.4', count: '60' });
      const bids = async () => (await world.paper.book(ticker)).yes_dollars;
      await expect.poll(bids, QUICK_POLL).toContainEqual(['0.4000', '40.00']);
      const [, { order_id }] = await world.paper.order({
        ...{ ticker, side: 'bid', price: '0.4', count: '30', time_in_force: 'good_till_canceled' },
      });
      await world.real.venue.control('clock', { advance_ms: MOMENTS_MS });
      await world.real.order({ ticker, side: 'ask', price: '0.39', count: '45' });
      const filled = async () => (await world.paper.state()).orders.find(({ id }) => id === order_id)?.filled;
      await expect.poll(filled, QUICK_POLL).toBe('5');
    },
  );

  it('settles by the result of the venue, once, also when it comes in steps', async () => {
    await world.paper.order({ ticker, side: 'bid', price: '0.42', count: '20' });
    await world.real.control('resolve', { ticker, yes_pays: '1', status: 'determined', finalize: false });
    const status = async () =>
      (await world.paper.read<{ market: { status: string } }>(`/markets/${ticker}`)).market.status;
    await expect.poll(status, QUICK_POLL).toBe('determined');
    const cash = async () => (await world.paper.state()).pockets['member/0#0']?.usd;
    const before = Number(await cash());
    await world.real.control('resolve', { ticker, yes_pays: '0.25', status: 'amended' });
    await expect.poll(status, QUICK_POLL).toBe('finalized');
    const [, { settlements }] = await world.paper.call<{ settlements: unknown[] }>('GET', '/portfolio/settlements');
    expect(settlements).toMatchObject([{ ticker, market_result: 'scalar', revenue: 500 }]);
    expect(Number(await cash()) - before).toBeCloseTo(5, 6);
    await expect
      .poll(() => world.paper.order({ ticker, side: 'bid' }))
      .toMatchObject([409, { error: { code: 'trading_is_paused' } }]);
  });

  it('has the same fills, fees and cash as the venue that fills by what it displays, to the micro-dollar', async () => {
    const { unit } = seededRandom(7);
    for (let round = 0; round < 12; round++) {
      const middle = 30 + Math.floor(unit() * 40);
      const sizes = () => Math.round(500 + unit() * 6_000) / 100;
      const bids = [2, 1].map((step): [number, number] => [middle - step, sizes()]);
      const asks = [1, 2].map((step): [number, number] => [middle + step, sizes()]);
      await world.real.quote(ticker, bids, asks);
      const shown = await world.real.book(ticker);
      await expect.poll(() => world.paper.book(ticker), QUICK_POLL).toEqual(shown);
      const isBid = unit() < 0.5;
      const order = {
        ticker,
        side: isBid ? 'bid' : 'ask',
        price: isBid ? '0.95' : '0.05',
        count: String(Math.ceil(unit() * 90)),
      };
      const [here, there] = [await world.paper.order(order), await world.real.order(order)];
      expect([here[0], here[1].fill_count]).toEqual([there[0], there[1].fill_count]);
    }
    const [ours, theirs] = [await world.paper.state(), await world.real.state()];
    expect(ours.fills.length).toBeGreaterThan(12);
    const money = ({ fills }: typeof ours) =>
      fills.map(({ side, yes_price, count, fee }) => ({ side, yes_price, count, fee }));
    expect(money(ours)).toEqual(money(theirs));
    expect(ours.pockets['member/0#0']).toEqual(theirs.pockets['member/0#0']);
  });
});

it.runIf(existsSync(RECORDED))(
  'lists recorded pages of the venue as they were recorded, and trades what can be traded',
  async () => {
    const recorded = JSON.parse(gunzipSync(readFileSync(RECORDED)).toString('utf8')) as RecordedEvent[];
    const names = [...new Set(recorded.map(({ series_ticker }) => series_ticker))];
    const series = names.map((name) => ({ ticker: name, title: name, fee_type: 'quadratic', fee_multiplier: 1 }));
    const level = [['0.0100', '12.50']];
    const standIn = createServer((request, reply) => {
      const { pathname } = new URL(request.url ?? '', 'http://stand-in');
      const answers: Record<string, object> = {
        '/trade-api/v2/series': { series },
        '/trade-api/v2/events': { events: recorded, cursor: '' },
        '/trade-api/v2/markets': { markets: recorded.flatMap(({ markets }) => markets), cursor: '' },
      };
      const book = { orderbook_fp: { yes_dollars: level, no_dollars: null } };
      reply.setHeader('content-type', 'application/json').end(JSON.stringify(answers[pathname] ?? book));
    });
    await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve));
    const paper = await openKalshiPaper(`http://127.0.0.1:${(standIn.address() as AddressInfo).port}`);
    try {
      await expect.poll(() => isRead(paper), QUICK_POLL).toBe(true);
      const { events } = await paper.read<{ events: RecordedEvent[] }>(LISTED);
      expect(events).toEqual(recorded);
      const { kalshi } = await paper.venue.get<{ kalshi: object }>('/_control/paper');
      expect(kalshi).toMatchObject({ markets: 245, left_out: [], catalogue_trouble: null });
      expect(await paper.book(recorded[0]?.markets[0]?.ticker ?? '')).toEqual({ yes_dollars: level, no_dollars: [] });
    } finally {
      await paper.venue.close();
      standIn.close();
    }
  },
);

describe('the mirror of Kalshi', () => {
  afterEach(() => world.close());

  it('has a resting order filled by trades since it rests, and by none of before that are read later', async () => {
    await open({ kalshiPace: { tradesEveryMs: 1_000 } });
    const rest = async (price: string) => {
      const order = { ticker, side: 'bid', price, count: '30', time_in_force: 'good_till_canceled' };
      return (await world.paper.order(order))[1].order_id;
    };
    await rest('0.02');
    await world.real.order({ ticker, side: 'ask', price: '0.39', count: '105' });
    const id = await rest('0.41');
    await world.real.venue.control('clock', { advance_ms: MOMENTS_MS });
    await world.real.order({ ticker, side: 'ask', price: '0.39', count: '5' });
    const filled = async () => (await world.paper.state()).orders.find((order) => order.id === id)?.filled;
    await expect.poll(filled, QUICK_POLL).not.toBe('0');
    expect(await filled()).toBe('5');
  });

  it('keeps a book that was asked for later than one that comes after it', async () => {
    await open();
    const release = Promise.withResolvers<void>();
    let [asked, answered] = [0, 0];
    const way = createServer((request, reply) => {
      void (async () => {
        const text = await (await fetch(`${world.real.venue.url}${request.url}`)).text();
        if (request.url?.includes(`${ticker}/orderbook`) === true) {
          if (++asked === 1) {
            await world.real.quote(ticker, [[12, 3]], [[14, 3]]);
            await release.promise;
          } else if (text.includes('0.1200')) answered += 1;
        }
        reply.setHeader('content-type', 'application/json').end(text);
      })();
    });
    await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
    const kalshiPace = { touchEveryMs: 60_000, bookEveryMs: 100 };
    const paper = await openKalshiPaper(`http://127.0.0.1:${(way.address() as AddressInfo).port}`, { kalshiPace });
    try {
      await expect.poll(() => isRead(paper), QUICK_POLL).toBe(true);
      const first = paper.book(ticker);
      await expect.poll(() => answered, QUICK_POLL).toBeGreaterThan(1);
      release.resolve();
      expect(await first).toEqual(await world.real.book(ticker));
    } finally {
      await paper.venue.close();
      way.close();
    }
  });

  it('refuses an order whose book the venue does not give in time, and takes none of it later', async () => {
    await open();
    let isHeldOff = false;
    const way = await openWay(world.real.venue, async (path) =>
      isHeldOff && path.includes('/orderbook') ? [429, { 'retry-after': '60' }] : undefined,
    );
    const paper = await openKalshiPaper(way.url, { kalshiPace: { bookWaitMs: 300 } });
    try {
      await paper.join();
      await expect.poll(() => isRead(paper), QUICK_POLL).toBe(true);
      const order = { ticker, side: 'bid', price: '0.42', count: '20' };
      expect((await paper.order(order))[0]).toBe(201);
      isHeldOff = true;
      const details = 'the book of the real venue could not be read in time';
      expect(await paper.order(order)).toMatchObject([409, { error: { code: 'trading_is_paused', details } }]);
      expect((await paper.state()).orders).toHaveLength(1);
    } finally {
      await paper.venue.close();
      way.close();
    }
  });

  it('follows what a client follows before it is listed, once it is', async () => {
    await open();
    const listed = Promise.withResolvers<undefined>();
    const way = await openWay(world.real.venue, (path) =>
      path.includes('/events?') ? listed.promise : Promise.resolve(undefined),
    );
    const paper = await openKalshiPaper(way.url);
    try {
      await paper.join();
      const stream = await paper.follow(ticker);
      await expect.poll(() => stream.frames.map(({ type }) => type), QUICK_POLL).toEqual(['subscribed']);
      listed.resolve(undefined);
      await expect.poll(() => stream.frames[1]?.type, QUICK_POLL).toBe('orderbook_snapshot');
      await world.real.quote(ticker, [[41, 7]], [[43, 9]]);
      await expect.poll(() => stream.frames.length, QUICK_POLL).toBeGreaterThan(2);
    } finally {
      await paper.venue.close();
      way.close();
    }
  });

  it('lets go of markets that nothing is held, ordered or followed in, and lists one anew that is asked for again', async () => {
    await open({ kalshiPace: { lingerMs: 50 } });
    const { markets } = await world.real.read<{ markets: { ticker: string }[] }>('/markets?limit=20&status=open');
    await world.paper.order({ ticker, side: 'bid', price: '0.42', count: '20' });
    const shown = () => Promise.all(markets.map((market) => world.paper.book(market.ticker)));
    const before = await shown();
    const matched = async () =>
      (await world.paper.venue.get<{ kalshi: { matched: number } }>('/_control/paper')).kalshi.matched;
    await expect.poll(matched, QUICK_POLL).toBe(1);
    expect((await shown()).length).toBe(before.length);
    expect((await world.paper.state()).fills).toHaveLength(1);
  });

  it('has an order that travels for one latency meet the book as it is when it arrives, at its limit or better', async () => {
    // On the clock of the exchange, which only the test moves.
    const latencyMs = 3_600_000;
    await open({ fills: 'latency', latencyMs });
    const answer = world.paper.order({ ticker, side: 'bid', price: '0.42', count: '20' });
    await world.real.quote(
      ticker,
      [[30, 10]],
      [
        [40, 12],
        [42, 5],
        [43, 50],
      ],
    );
    let isAnswered = false;
    void answer.then(() => {
      isAnswered = true;
    });
    await expect
      .poll(async () => {
        await world.paper.venue.control('clock', { advance_ms: latencyMs });
        return isAnswered;
      }, QUICK_POLL)
      .toBe(true);
    expect(await answer).toMatchObject([201, { fill_count: '17.00' }]);
    // Twelve at 40 cents and five at 42, which is 6.90, and 7 % of each price times what it is less than a dollar.
    const { fills, pockets } = await world.paper.state();
    expect(fills.map(({ yes_price, count, fee }) => [yes_price, count, fee])).toEqual([
      ['0.4', '12', '0.2016'],
      ['0.42', '5', '0.0853'],
    ]);
    expect(pockets['member/0#0']).toMatchObject({ usd: '2492.8131', tokens: { [`${ticker}:yes`]: '17' } });
  });

  it('keeps to its calls, whatever is followed, and reads the best level of what it has no call for', async () => {
    await open({ kalshiPace: { bookCallsPerSecond: 10, listCallsPerSecond: 5, wholeBooks: 1, touchEveryMs: 200 } });
    await world.real.control('limits', {
      ...{ tier: 'basic', read: { refill: 200, capacity: 200 }, write: { refill: 100, capacity: 100 } },
      without_key: { refill: 200, capacity: 200 },
    });
    const { markets } = await world.real.read<{ markets: { ticker: string }[] }>('/markets?limit=20&status=open');
    const others = markets.map((market) => market.ticker).filter((other) => other !== ticker);
    await world.paper.follow(ticker);
    for (const other of others) {
      await world.real.quote(
        other,
        [
          [20, 5],
          [30, 5],
        ],
        [
          [60, 5],
          [70, 5],
        ],
      );
      await world.paper.follow(other);
    }
    await expect
      .poll(() => Promise.all(others.map((other) => world.paper.book(other))), QUICK_POLL)
      .toEqual(others.map(() => ({ yes_dollars: [['0.3000', '5.00']], no_dollars: [['0.4000', '5.00']] })));
    await expect.poll(() => world.paper.book(ticker), QUICK_POLL).toEqual(await world.real.book(ticker));
    expect(await world.paper.venue.get('/_control/paper')).toMatchObject({
      kalshi: { followed: others.length + 1, books: 1, catalogue_trouble: null },
    });
    expect(await world.real.state()).toMatchObject({ refused_calls: 0 });
  });

  it('knows after a restart what is held, before the venue is asked', async () => {
    const journal = join(mkdtempSync(join(tmpdir(), 'kalshi-paper-')), 'journal');
    await open({}, journal);
    await world.paper.order({ ticker, side: 'bid', price: '0.42', count: '20' });
    const before = await world.paper.state();
    await world.paper.venue.close();
    const again = await openKalshiPaper('http://127.0.0.1:1', {}, journal);
    const { orders, fills, pockets } = await again.state();
    expect([orders, fills, pockets['member/0#0']]).toEqual([before.orders, before.fills, before.pockets['member/0#0']]);
    expect(await again.call('GET', '/portfolio/positions')).toMatchObject([
      200,
      { market_positions: [{ ticker, position_fp: '20.00' }] },
    ]);
    await again.venue.close();
  });
});
