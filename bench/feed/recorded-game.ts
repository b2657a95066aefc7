/** A recorded game, made fit to be played on any markets and to be checked: every frame states the best prices of its own books. */
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { applyLevelChange, type Book, bestAsk, bestBid, createBook } from '@dutchbook/engine/book/book.ts';
import type { Side } from '@dutchbook/engine/book/level.ts';
import { type Price, priceFromText, priceToText } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, sharesFromText } from '@dutchbook/units/shares.ts';
import * as z from 'zod';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? join(import.meta.dirname, '../../../shared/data');
const FILE = join(DATA_DIR, 'polymarket/ticks/nhl-final-2026-06-07T0130Z.jsonl.gz');

const recordedRow = z.object({
  price: z.number(),
  size: z.number(),
  side: z.enum(['BID', 'ASK']),
  event_type: z.enum(['PRICE_CHANGE', 'LAST_TRADE']),
  asset_id: z.string(),
});
type RecordedRow = z.output<typeof recordedRow>;

/** One level of one of the two tokens of a market, in the words of the venue's market channel. */
export type GameRow = { token: 0 | 1; side: Side; price: string; size: string; bestBid: string; bestAsk: string };

/** One change of a price on one market of the game: the same level on both of its tokens. */
export type GameFrame = { market: number; rows: readonly [GameRow, GameRow] };

/** `books`: what a reader of all frames, who began with empty books, holds in the end, by market and token. */
export type Game = { frames: readonly GameFrame[]; books: readonly (readonly [Book, Book])[] };

/** The first `count` frames of the recorded hockey final; null where the recording is not there. */
export async function readGame(count: number): Promise<Game | null> {
  if (!existsSync(FILE)) return null;
  const frames: GameFrame[] = [];
  const places = new Map<string, number>();
  const books: [Book, Book][] = [];
  let first: RecordedRow | null = null;
  for await (const line of createInterface({ input: createReadStream(FILE).pipe(createGunzip()) })) {
    const row = recordedRow.parse(JSON.parse(line));
    if (row.event_type === 'LAST_TRADE') continue;
    if (first === null) {
      first = row;
      continue;
    }
    const tokens = [first.asset_id, row.asset_id].toSorted();
    const market = places.get(tokens.join()) ?? places.size;
    places.set(tokens.join(), market);
    books[market] ??= [createBook(), createBook()];
    const pair = books[market];
    const rowOf = (recorded: RecordedRow) => stated(recorded, recorded.asset_id === tokens[0] ? 0 : 1, pair);
    frames.push({ market, rows: [rowOf(first), rowOf(row)] });
    first = null;
    if (frames.length === count) break;
  }
  return { frames, books };
}

/** Applies the change to the token's book, takes off what it crosses, and states what is best after it. */
function stated(row: RecordedRow, token: 0 | 1, books: readonly [Book, Book]): GameRow {
  const side = row.side === 'BID' ? 'buy' : 'sell';
  const [price, size] = [priceFromText(String(row.price)), sharesFromText(String(row.size))];
  const book = books[token];
  applyLevelChange(book, side, price, size);
  if (size > SHARES_ZERO) dropCrossed(book, side, price);
  const [bid, ask] = [bestBid(book), bestAsk(book)];
  return {
    token,
    side,
    price: String(row.price),
    size: String(row.size),
    bestBid: bid === null ? '0' : priceToText(bid),
    bestAsk: ask === null ? '1' : priceToText(ask),
  };
}

function dropCrossed(book: Book, side: Side, price: Price): void {
  if (side === 'buy') book.asks = book.asks.filter((level) => level.price > price);
  else book.bids = book.bids.filter((level) => level.price < price);
}

/** The frame's rows as the venue writes them, about these tokens and at this time; `rows` may be one of the two. */
export function wireText(rows: readonly GameRow[], marketId: string, tokenIds: readonly string[], timestampMs: number) {
  const changes = rows.map(
    ({ token, side, price, size, bestBid, bestAsk }) =>
      `{"asset_id":"${tokenIds[token]}","price":"${price}","size":"${size}","side":"${side === 'buy' ? 'BUY' : 'SELL'}",` +
      `"hash":"0f1c6c1b1d1e5c5f4a8f0c1b7f7a1a1d2e3f4a5b","best_bid":"${bestBid}","best_ask":"${bestAsk}"}`,
  );
  return `{"market":"${marketId}","price_changes":[${changes.join()}],"timestamp":"${timestampMs}","event_type":"price_change"}`;
}
