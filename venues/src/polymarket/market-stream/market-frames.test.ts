import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MarketFrameSink, readJson, readMarketFrames } from './market-frames.ts';

/** Writes down what a text says, one line for each call. */
function callsOf(text: string, read: (text: string, sink: MarketFrameSink) => void = readMarketFrames): string[] {
  const fields: string[] = [];
  const note = (...parts: unknown[]) => void fields.push(parts.map((part) => JSON.stringify(part)).join(' '));
  read(text, {
    frame: (timestamp) => note('frame', timestamp),
    endOfChanges: () => note('end'),
    book: (tokenId, bids, asks, tick) => note('book', tokenId, bids, asks, tick),
    change: ({ tokenId, side, price, size, bestBid, bestAsk }) =>
      note('change', tokenId, side, price, size, bestBid, bestAsk),
    tick: (tokenId, tick) => note('tick', tokenId, tick),
    resolved: (marketId, winner) => note('resolved', marketId, winner),
    unreadable: (tokenId, what) => note('unreadable', tokenId, what),
    unknown: (what) => note('unknown', what),
  });
  return fields;
}

const CHANGE = {
  asset_id: '71',
  price: '0.39',
  size: '198',
  side: 'BUY',
  hash: 'ab',
  best_bid: '0.39',
  best_ask: '0.4',
};

function priceChange(...changes: object[]): string {
  return JSON.stringify({
    event_type: 'price_change',
    market: '0x1',
    timestamp: '1780795851472',
    price_changes: changes,
  });
}

describe('frames of the market channel', () => {
  it('tells the changes of a frame together', () => {
    const mirror = { ...CHANGE, asset_id: '72', price: '0.61', side: 'SELL', best_bid: '0.6', best_ask: '0.61' };
    expect(callsOf(priceChange(CHANGE, mirror))).toEqual([
      '"frame" 1780795851472',
      '"change" "71" "buy" 390000 198000000 390000 400000',
      '"change" "72" "sell" 610000 198000000 600000 610000',
      '"end"',
    ]);
  });

  it('tells an empty side as the far end of the scale, and a best price that was left out as not said', () => {
    const { best_bid, ...withoutBid } = CHANGE;
    expect(best_bid).toBe('0.39');
    expect(callsOf(priceChange({ ...CHANGE, best_bid: '0', best_ask: '' }))[1]).toMatch(/ 0 1000000$/);
    expect(callsOf(priceChange(withoutBid))[1]).toMatch(/ null 400000$/);
  });

  it('tells books, alone and in arrays, with levels in any order', () => {
    const book = { event_type: 'book', asset_id: '71', market: '0x1', timestamp: '5', bids: [], asks: [] };
    const full = {
      ...book,
      bids: [{ price: '0.1', size: '1' }],
      asks: [{ price: '.48', size: '30' }],
      tick_size: '0.01',
    };
    expect(callsOf(JSON.stringify([book, full]))).toEqual([
      '"frame" 5',
      '"book" "71" [] [] null',
      '"frame" 5',
      '"book" "71" [{"price":100000,"size":1000000}] [{"price":480000,"size":30000000}] 10000',
    ]);
  });

  it('tells ticks and resolutions, and passes over what only repeats', () => {
    const tick = { event_type: 'tick_size_change', asset_id: '71', old_tick_size: '0.01', new_tick_size: '0.001' };
    expect(callsOf(JSON.stringify(tick))).toEqual(['"tick" "71" 1000']);
    const resolved = { event_type: 'market_resolved', market: '0x1', winning_asset_id: '71' };
    expect(callsOf(JSON.stringify(resolved))).toEqual(['"resolved" "0x1" "71"']);
    expect(callsOf('{"event_type":"last_trade_price","asset_id":"71"}')).toEqual([]);
  });

  it.each([
    ['a negative size', { size: '-1' }],
    ['no number', { price: 'NaN' }],
    ['a price above one', { price: '1.01' }],
    ['an exponent', { size: '1e400' }],
    ['an unknown side', { side: 'HOLD' }],
    ['a best price above one', { best_ask: '1.5' }],
  ])('calls a change with %s unreadable for its token', (_, wrong) => {
    const fields = callsOf(priceChange({ ...CHANGE, ...wrong }));
    expect(fields).toEqual(['"frame" 1780795851472', '"unreadable" "71" "price_change"', '"end"']);
  });

  it('calls a book with a bad level unreadable for its token', () => {
    const book = { event_type: 'book', asset_id: '71', timestamp: '5', bids: [{ price: '0.1', size: '-3' }], asks: [] };
    expect(callsOf(JSON.stringify(book))).toEqual(['"unreadable" "71" "book"']);
  });

  it('names what it does not know', () => {
    expect(callsOf('{"event_type":"new_thing"}')).toEqual(['"unknown" "new_thing"']);
    expect(callsOf('[1]')).toEqual(['"unknown" "not an object"']);
    expect(callsOf('{')).toEqual(['"unknown" "not JSON"']);
  });

  it('never throws, whatever comes', () => {
    const wild = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string().map((text) => `{"event_type":"price_change",${text}`),
    );
    fc.assert(
      fc.property(wild, (text) => void callsOf(text)),
      { numRuns: 500 },
    );
  });

  it('tells the same fields with and without the shortcut, however the frame is written', () => {
    const value = fc.oneof(
      fc.constantFrom('0.39', '198', '0', '', '.5', '1', '1.000000', '-1', 'x', '1e3', 'BUY', 'SELL', '71', 'ä'),
      fc.constantFrom(null, 5, true, ['1']),
    );
    const key = fc.constantFrom('asset_id', 'price', 'size', 'side', 'hash', 'best_bid', 'best_ask', 'other');
    const change = fc.oneof(
      fc.constant(CHANGE),
      fc.dictionary(key, value).map((fields) => ({ ...CHANGE, ...fields })),
      fc.dictionary(key, value),
    );
    const frame = fc.record({
      event_type: fc.constantFrom('price_change', 'price_change', 'price_changes'),
      timestamp: fc.constantFrom('1780795851472', '0', '', 'x'),
      price_changes: fc.array(change, { maxLength: 4 }),
    });
    const spaced = fc.tuple(frame, fc.constantFrom(undefined, 1), fc.boolean());
    fc.assert(
      fc.property(spaced, ([{ event_type, timestamp, price_changes }, space, isReversed]) => {
        const ordered = isReversed
          ? { price_changes, timestamp, event_type }
          : { event_type, timestamp, price_changes };
        const text = JSON.stringify(ordered, null, space);
        expect(callsOf(text)).toEqual(callsOf(text, readJson));
      }),
      { numRuns: 1000 },
    );
  });
});
