import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { bestAsk, bestBid, isCrossed, KeptBook } from '@dutchbook/engine/book/book.ts';
import { describe, expect, it } from 'vitest';
import { deltaMessage, snapshotMessage, type WireFrame, wireFrame } from '../wire.ts';
import { readBids, readChange, takeChange, takeSnapshot } from './market-books.ts';
import { Sequence } from './sequence.ts';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? join(import.meta.dirname, '../../../../../shared/data');
const FILE = join(DATA_DIR, 'kalshi/ws/orderbook-stream-2026-08-07.json.gz');
const isPresent = existsSync(FILE);
if (!isPresent)
  process.stdout.write('recorded market data is not there: books are not tested on recorded Kalshi frames\n');

type MarketBooks = { yes: KeptBook; no: KeptBook };

function readFrames(): WireFrame[] {
  const { frames } = JSON.parse(gunzipSync(readFileSync(FILE)).toString()) as { frames: { frame: unknown }[] };
  return frames.map(({ frame }) => wireFrame.parse(frame));
}

/** Applies frames as they come; `gaps` counts numbers that were left out. */
class Reader {
  readonly books = new Map<string, MarketBooks>();
  readonly #sequence = new Sequence();
  gaps = 0;
  deltas = 0;
  impossible = 0;

  read(frame: WireFrame): void {
    if (frame.seq != null && !this.#sequence.take(frame.seq)) this.gaps += 1;
    if (frame.type === 'orderbook_snapshot') {
      const { market_ticker, yes_dollars_fp, no_dollars_fp } = snapshotMessage.parse(frame.msg);
      const books = { yes: new KeptBook(), no: new KeptBook() };
      takeSnapshot(books, readBids(yes_dollars_fp, no_dollars_fp));
      this.books.set(market_ticker, books);
    }
    if (frame.type !== 'orderbook_delta') return;
    const delta = deltaMessage.parse(frame.msg);
    const books = this.books.get(delta.market_ticker);
    this.deltas += 1;
    if (books === undefined || !takeChange(books, readChange(delta))) this.impossible += 1;
  }
}

describe.runIf(isPresent)('recorded Kalshi frames', () => {
  it('are 245 changes of 12 books in one unbroken sequence, and leave no level below nothing and no book crossed', () => {
    const reader = new Reader();
    for (const frame of readFrames()) {
      reader.read(frame);
      for (const { yes, no } of reader.books.values()) expect(isCrossed(yes) || isCrossed(no)).toBe(false);
    }
    expect([reader.books.size, reader.deltas, reader.gaps, reader.impossible]).toEqual([12, 245, 0, 0]);
    for (const { yes, no } of reader.books.values()) {
      expect((bestAsk(yes) ?? 0) + (bestBid(no) ?? 0)).toBe(1_000_000);
      expect((bestAsk(no) ?? 0) + (bestBid(yes) ?? 0)).toBe(1_000_000);
    }
  });

  it('show the loss of any one of them that has a number', () => {
    const frames = readFrames();
    const numbered = frames.flatMap(({ seq }, place) => (seq == null || place + 1 === frames.length ? [] : [place]));
    expect(numbered.length).toBeGreaterThan(260);
    for (const lost of numbered.slice(1)) {
      const sequence = new Sequence();
      const gaps = frames.filter(({ seq }, place) => place !== lost && seq != null && !sequence.take(seq));
      expect(gaps.length).toBe(1);
    }
  });
});
