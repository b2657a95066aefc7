import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../makers/random.ts';
import {
  isRead,
  type KalshiWorld,
  MOMENTS_MS,
  openKalshiPaper,
  openQuotedWorld,
  QUICK_POLL,
} from './kalshi-world.fixture.ts';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? join(import.meta.dirname, '../../../../../shared/data');
const RECORDED = join(DATA_DIR, 'kalshi/events/events_sports_nested.json.gz');

interface RecordedEvent {
  readonly series_ticker: string;
  readonly markets: readonly { readonly ticker: string }[];
}

const LISTED = '/events?status=open&with_nested_markets=true&limit=200';

let world: KalshiWorld;
let ticker: string;

describe('Kalshi on paper', () => {
  afterEach(() => world.close());
  beforeEach(async () => {
    ({ world, ticker } = await openQuotedWorld());
  });

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
