import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Side } from '@polymarket/clob-client-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, openFixture, StreamClient } from '../adapters/polymarket/exchange-fixture.ts';
import { startExchange } from '../start-exchange.ts';

const YES = '1001';
const NO = '1002';
const START_MS = 1_780_795_851_000;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exchange-replay-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** The two rows of one frame: a level of YES, and the same level as NO shows it. */
function frame(
  atMs: number,
  side: 'BID' | 'ASK',
  level: [price: number, size: number],
  [bid, ask]: [number, number],
): string {
  const [price, size] = level;
  const flip = (value: number) => Math.round((1 - value) * 1000) / 1000;
  const row = { timestamp: START_MS + atMs, size, event_type: 'PRICE_CHANGE' };
  const mirrored = {
    price: flip(price),
    best_bid: flip(ask),
    best_ask: flip(bid),
    side: side === 'BID' ? 'ASK' : 'BID',
  };
  return [
    { ...row, price, best_bid: bid, best_ask: ask, side, asset_id: YES },
    { ...row, ...mirrored, asset_id: NO },
  ]
    .map((entry) => JSON.stringify(entry))
    .join('\n');
}

const TRADE = JSON.stringify({
  timestamp: START_MS + 30,
  price: 0.5,
  size: 4,
  best_bid: 0,
  best_ask: 0,
  side: 'BID',
  event_type: 'LAST_TRADE',
  asset_id: YES,
});

/** Time runs backwards once, and the level at 0.52 is never removed by a row. */
const LINES = [
  frame(0, 'ASK', [0.5, 20], [0.45, 0.5]),
  frame(10, 'BID', [0.45, 30], [0.45, 0.5]),
  frame(5, 'ASK', [0.52, 40], [0.45, 0.5]),
  TRADE,
  frame(40, 'ASK', [0.5, 0], [0.45, 0.52]),
  frame(50, 'ASK', [0.55, 10], [0.45, 0.55]),
];

function record(name: string, lines: readonly string[]): string {
  const file = join(folder, name);
  const text = `${lines.join('\n')}\n`;
  writeFileSync(file, name.endsWith('.gz') ? gzipSync(text) : text);
  return file;
}

const threeTokens = JSON.stringify(
  ['1', '2', '3'].map((asset_id) => {
    return { event_type: 'book', market: '0xa', timestamp: '1780795851000', asset_id, bids: [], asks: [] };
  }),
);

interface Frame {
  readonly event_type: string;
  readonly timestamp: string;
  readonly price_changes: readonly Record<string, string>[];
}

async function watchReplay(files: readonly string[]): Promise<{ fixture: Fixture; stream: StreamClient }> {
  const fixture = await openFixture({ replay: { files, speed: 'max' } });
  const stream = await StreamClient.open(fixture.exchange, 'market', { assets_ids: [YES, NO], type: 'market' });
  await stream.untilAnswered();
  return { fixture, stream };
}

const isAt = (atMs: number) => (reported: Frame) => reported.timestamp === String(START_MS + atMs);

describe('a replay', () => {
  it('waits for resume, then sends the recorded frames in their order with their times and best prices', async () => {
    const files = [record('one.jsonl', LINES.slice(0, 3)), record('two.jsonl.gz', LINES.slice(3))];
    const { fixture, stream } = await watchReplay(files);
    expect(stream.frames.filter((reported) => typeof reported === 'object')).toMatchObject([
      { asks: [] },
      { asks: [] },
    ]);
    await fixture.control('resume');
    await stream.expect(isAt(50));
    const reported = (stream.frames as Frame[]).filter(({ event_type }) => event_type && event_type !== 'book');
    expect(reported.map(({ event_type, timestamp }) => `${event_type} ${Number(timestamp) - START_MS}`)).toEqual([
      'price_change 0',
      'price_change 10',
      'price_change 5',
      'last_trade_price 30',
      'price_change 40',
      'price_change 50',
    ]);
    expect(reported[0]?.price_changes).toMatchObject([
      { asset_id: YES, price: '0.5', size: '20', side: 'SELL', best_bid: '0.45', best_ask: '0.5' },
      { asset_id: NO, price: '0.5', size: '20', side: 'BUY', best_bid: '0.5', best_ask: '0.55' },
    ]);
    stream.close();
    await fixture.exchange.close();
  });

  it('plays frames of the venue’s market channel, alone and in arrays, and whole books in place of what stood there', async () => {
    const reported = (event_type: string, atMs: number, rest: object, market = '0xa') =>
      JSON.stringify({ event_type, market, timestamp: String(START_MS + atMs), ...rest });
    const book = (asset_id: string, bids: string[][], asks: string[][]) => {
      const levels = (side: string[][]) => side.map(([price, size]) => ({ price, size }));
      return { asset_id, bids: levels(bids), asks: levels(asks), hash: 'x' };
    };
    const change = (asset_id: string, side: string, [price, size]: string[], [best_bid, best_ask]: string[]) => {
      return { asset_id, side, price, size, best_bid, best_ask };
    };
    const lines = [
      `[${[
        reported(
          'book',
          0,
          book(
            YES,
            [['.45', '30']],
            [
              ['0.5', '20'],
              ['0.6', '1'],
            ],
          ),
        ),
        reported(
          'book',
          0,
          book(
            NO,
            [
              ['0.5', '20'],
              ['0.4', '1'],
            ],
            [['0.55', '30']],
          ),
        ),
        reported('book', 0, book('2001', [['0.1', '5']], []), '0xb'),
      ]}]`,
      reported('tick_size_change', 5, { asset_id: YES, old_tick_size: '0.01', new_tick_size: '0.001' }),
      reported('price_change', 10, {
        price_changes: [
          change(YES, 'BUY', ['0.46', '7'], ['0.46', '0.5']),
          change(NO, 'SELL', ['0.54', '7'], ['0.5', '0.54']),
        ],
      }),
      reported('last_trade_price', 20, { asset_id: YES, side: 'BUY', price: '0.5', size: '4', fee_rate_bps: '0' }),
      reported('price_change', 30, { price_changes: [change(NO, 'BUY', ['0.52', '3'], ['', ''])] }),
      // What the other outcome does not have any more is gone from both.
      reported(
        'book',
        40,
        book(
          NO,
          [['0.52', '3']],
          [
            ['0.54', '7'],
            ['0.55', '30'],
          ],
        ),
      ),
      reported('book', 50, book('2001', [['0.2', '6']], []), '0xb'),
    ];
    const { fixture, stream } = await watchReplay([record('frames.jsonl', lines)]);
    await fixture.control('resume');
    await stream.expect(isAt(40));
    const frames = stream.frames as Frame[];
    expect(frames.find(isAt(10))?.price_changes).toMatchObject([
      { asset_id: YES, price: '0.46', size: '7', side: 'BUY', best_bid: '0.46', best_ask: '0.5' },
      { asset_id: NO, price: '0.54', size: '7', side: 'SELL', best_bid: '0.5', best_ask: '0.54' },
    ]);
    expect(frames.find(isAt(20))).toMatchObject({ event_type: 'last_trade_price', price: '0.5', size: '4' });
    const booksOf = async (token: string) => (await fetch(`${fixture.exchange.url}/book?token_id=${token}`)).json();
    expect(await booksOf(YES)).toMatchObject({
      bids: [
        { price: '0.45', size: '30' },
        { price: '0.46', size: '7' },
      ],
      asks: [{ price: '0.48', size: '3' }],
    });
    await expect.poll(() => booksOf('2001')).toMatchObject({ bids: [{ price: '0.2', size: '6' }], asks: [] });
    stream.close();
    await fixture.exchange.close();
  });

  it('plays whole books that come in ticks, a row for each level', async () => {
    const level = (asset_id: string, side: string, price: number, size: number) =>
      JSON.stringify({ event_type: 'BOOK', timestamp: START_MS + 20, asset_id, side, price, size });
    const books = [
      ...[level(YES, 'BID', 0.44, 5), level(YES, 'ASK', 0.51, 6)],
      ...[level(NO, 'BID', 0.49, 6), level(NO, 'ASK', 0.56, 5)],
    ];
    const { fixture, stream } = await watchReplay([record('ticks.jsonl', [...LINES.slice(0, 2), ...books])]);
    await fixture.control('resume');
    await stream.expect(isAt(20));
    const booksOf = async (token: string) => (await fetch(`${fixture.exchange.url}/book?token_id=${token}`)).json();
    await expect
      .poll(() => booksOf(YES))
      .toMatchObject({
        bids: [{ price: '0.44', size: '5' }],
        asks: [{ price: '0.51', size: '6' }],
      });
    stream.close();
    await fixture.exchange.close();
  });

  it('drops levels beyond the stated best from its own books', async () => {
    const { fixture, stream } = await watchReplay([record('all.jsonl', LINES)]);
    await fixture.control('resume');
    await stream.expect(isAt(50));
    const book = await (await fetch(`${fixture.exchange.url}/book?token_id=${YES}`)).json();
    expect(book).toMatchObject({ bids: [{ price: '0.45', size: '30' }], asks: [{ price: '0.55', size: '10' }] });
    stream.close();
    await fixture.exchange.close();
  });

  it('sells a recorded share once, and tells everyone that it is gone', async () => {
    const file = record('steps.jsonl', LINES.slice(0, 2));
    const { fixture, stream } = await watchReplay([file]);
    await fixture.control('resume');
    await stream.expect(isAt(10));
    const trader = await fixture.trader();
    const buy = { tokenID: YES, price: 0.5, size: 15, side: Side.BUY };
    expect(await trader.client.createAndPostOrder(buy, undefined, undefined, false, true)).toMatchObject({
      takingAmount: '15',
    });
    const rest = { ...buy, size: 10 };
    const second = await trader.client.createAndPostOrder(rest, undefined, undefined, false, true);
    expect(second).toMatchObject({ takingAmount: '5' });
    const reported = await stream.expect<Frame>(({ price_changes }) => price_changes?.[0]?.size === '5');
    expect(reported.price_changes[0]).toMatchObject({ asset_id: YES, price: '0.5', side: 'SELL' });
    stream.close();
    await fixture.exchange.close();
  });

  it('skips blank lines', async () => {
    const file = record('blank.jsonl', ['', LINES[0] ?? '', '   ', ...LINES.slice(1), '']);
    const { fixture, stream } = await watchReplay([file]);
    await fixture.control('resume');
    await stream.expect(isAt(50));
    stream.close();
    await fixture.exchange.close();
  });

  it.each([
    ['a line that is null', 'null', 'line 4: a line must be a tick (event_type PRICE_CHANGE, LAST_TRADE or'],
    [
      'a frame of another channel',
      '{"market":"0xa","event_type":"trade","timestamp":"1780795851000"}',
      "line 4: a line must be a tick (event_type PRICE_CHANGE, LAST_TRADE or, with a row for each level, BOOK) or a frame of Polymarket's market channel (event_type book, price_change or last_trade_price), alone or in an array",
    ],
    ['a market of three tokens', threeTokens, 'line 4: market 0xa has more than two tokens'],
    [
      'a price off every grid',
      (LINES[0] ?? '').replace('"price":0.5', '"price":0.50005'),
      'line 4: price must be a multiple of 0.0001',
    ],
    [
      'a best price off every grid',
      (LINES[0] ?? '').replace('"best_bid":0.45', '"best_bid":0.45001'),
      'line 4: best_bid must be a multiple',
    ],
  ])('names file and line of %s', async (_, line, message) => {
    const file = record('odd.jsonl', [LINES[0] ?? '', '', line]);
    await expect(startExchange({ replay: { files: [file], speed: 1 } })).rejects.toThrow(`odd.jsonl, ${message}`);
  });

  it('says that a recording is empty', async () => {
    const file = record('empty.jsonl', ['', '']);
    await expect(startExchange({ replay: { files: [file], speed: 1 } })).rejects.toThrow(
      'empty.jsonl: the recording is empty',
    );
  });

  it('refuses a recording it cannot read, naming file and line', async () => {
    const file = record('broken.jsonl', [LINES[0] ?? '', '{"event_type":"PRICE_CHANGE"}']);
    await expect(startExchange({ replay: { files: [file], speed: 1 } })).rejects.toThrow(/broken\.jsonl, line 3: side/);
    await expect(startExchange({ replay: { files: ['/nowhere.jsonl'], speed: 1 } })).rejects.toThrow('/nowhere.jsonl');
    const alone = record('alone.jsonl', [TRADE]);
    await expect(startExchange({ replay: { files: [alone], speed: 1 } })).rejects.toThrow(`token ${YES} never appears`);
  });
});
