import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  isRead,
  type KalshiWorld,
  MOMENTS_MS,
  openKalshiPaper,
  openQuotedWorld,
  openWay,
  QUICK_POLL,
} from './kalshi-world.fixture.ts';

let world: KalshiWorld;
let ticker: string;

async function open(...options: Parameters<typeof openQuotedWorld>): Promise<void> {
  ({ world, ticker } = await openQuotedWorld(...options));
}

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
