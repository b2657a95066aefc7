import { setImmediate } from 'node:timers/promises';
import type { Level } from '@dutchbook/engine/book/level.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { type Price, priceFromNumber } from '@dutchbook/units/price.ts';
import type { ReadPriority } from '../read-budget.ts';
import type { JsonApi } from '../transport.ts';
import { type BookSnapshot, type Quote, type VenuePrices, type VenueRuntime, VenueUnavailable } from '../venue.ts';
import { frameTime, isWire, readLevels, wireTick } from './market-stream/market-frames.ts';
import type { Ticks } from './ticks.ts';
import { lastTrades, midpoint, midpoints, sidePrices } from './wire.ts';

/** The venue caps these calls without stating the number; 500 is stated for the last trades. */
const TOKENS_PER_CALL = 100;
/** Some three milliseconds: a comparison of all sockets has thousands. */
const BOOKS_PER_TICK = 50;

/** Order books and midpoints over REST. */
export function openPrices(clob: JsonApi, runtime: VenueRuntime, ticks: Ticks): VenuePrices {
  return {
    fetchBooks: async (tokenIds, priority) => {
      const snapshots = new Map<TokenId, BookSnapshot>();
      const answers = await perChunk(tokenIds, (body) => clob.post('/books', body, priority));
      for (const [nth, raw] of answers.entries()) {
        if (nth > 0 && nth % BOOKS_PER_TICK === 0) await setImmediate();
        const snapshot = readBook(raw, runtime);
        if (!snapshot) continue;
        if (snapshot.tick !== null) ticks.set(snapshot.tokenId, snapshot.tick);
        snapshots.set(snapshot.tokenId, snapshot);
      }
      return snapshots;
    },
    fetchQuotes: async (tokenIds, priority) => {
      const asked: Asked = { clob, tokenIds, priority };
      const [mids, lasts, twoSided] = await Promise.all([
        readMidpoints(asked),
        readLastTrades(asked),
        readTwoSided(asked),
      ]);
      const quotes = new Map<TokenId, Quote>();
      for (const tokenId of tokenIds) {
        const quote = {
          tokenId,
          midpoint: twoSided.has(tokenId) ? (mids.get(tokenId) ?? null) : null,
          lastTrade: lasts.get(tokenId) ?? null,
        };
        if (quote.midpoint !== null || quote.lastTrade !== null) quotes.set(tokenId, quote);
      }
      return quotes;
    },
  };
}

/** Null where it cannot be read. */
function readBook(raw: unknown, runtime: VenueRuntime): BookSnapshot | null {
  const snapshot = bookSnapshot(raw);
  if (snapshot === null) runtime.log.warn({}, 'order book could not be read');
  return snapshot;
}

/**
 * A book as the venue wrote it, in our units, best level first whatever order it came in. By hand rather than with a schema, as frames are
 * read: what the stream says is compared with thousands of levels a second.
 */
function bookSnapshot(raw: unknown): BookSnapshot | null {
  if (!isWire(raw) || typeof raw.asset_id !== 'string') return null;
  const [bids, asks, timestamp] = [readLevels(raw.bids), readLevels(raw.asks), frameTime(raw)];
  const hasTick = (raw.tick_size ?? '') !== '';
  const tick = hasTick ? wireTick(raw.tick_size) : null;
  if (bids === null || asks === null || timestamp === null || (hasTick && tick === null)) return null;
  return {
    tokenId: raw.asset_id,
    bids: bids.filter(hasShares).sort((a, b) => b.price - a.price),
    asks: asks.filter(hasShares).sort((a, b) => a.price - b.price),
    timestamp,
    tick,
  };
}

function hasShares({ size }: Level): boolean {
  return size > 0;
}

type Asked = { clob: JsonApi; tokenIds: readonly TokenId[]; priority: ReadPriority | undefined };

async function readMidpoints({ clob, tokenIds, priority }: Asked): Promise<Map<string, Price>> {
  const prices = new Map<string, Price>();
  for (const raw of await perChunk(tokenIds, async (body) => [await clob.post('/midpoints', body, priority)])) {
    const parsed = midpoints.safeParse(raw);
    if (!parsed.success) throw new VenueUnavailable('the midpoints came in an unknown shape');
    for (const [tokenId, raw] of Object.entries(parsed.data)) {
      const value = midpoint.safeParse(raw).data;
      if (value === undefined) continue;
      const text = typeof value === 'string' ? value : value.mid || value.mid_price;
      if (isPrice(text)) prices.set(tokenId, priceFromNumber(Number(text)));
    }
  }
  return prices;
}

/**
 * The tokens that have both a bid and an ask. The midpoint of a book with one side only is the middle between its
 * best price and the end of the scale, which is no price.
 */
async function readTwoSided({ clob, tokenIds, priority }: Asked): Promise<Set<string>> {
  const found = new Set<string>();
  const call = async (body: { token_id: string }[]) => [
    await clob.post(
      '/prices',
      body.flatMap((entry) => [
        { ...entry, side: 'BUY' },
        { ...entry, side: 'SELL' },
      ]),
      priority,
    ),
  ];
  for (const raw of await perChunk(tokenIds, call)) {
    const parsed = sidePrices.safeParse(raw);
    if (!parsed.success) throw new VenueUnavailable('the best prices came in an unknown shape');
    for (const [tokenId, { BUY, SELL }] of Object.entries(parsed.data)) {
      if (isOrderPrice(BUY) && isOrderPrice(SELL)) found.add(tokenId);
    }
  }
  return found;
}

async function readLastTrades({ clob, tokenIds, priority }: Asked): Promise<Map<string, Price>> {
  const prices = new Map<string, Price>();
  for (const raw of await perChunk(tokenIds, (body) => clob.post('/last-trades-prices', body, priority))) {
    const parsed = lastTrades.safeParse([raw]);
    const last = parsed.success ? parsed.data[0] : undefined;
    if (last?.side && isPrice(last.price)) prices.set(last.token_id, priceFromNumber(Number(last.price)));
  }
  return prices;
}

async function perChunk(
  tokenIds: readonly TokenId[],
  call: (body: { token_id: string }[]) => Promise<unknown>,
): Promise<unknown[]> {
  const chunks: Promise<unknown>[] = [];
  for (let from = 0; from < tokenIds.length; from += TOKENS_PER_CALL) {
    chunks.push(call(tokenIds.slice(from, from + TOKENS_PER_CALL).map((tokenId) => ({ token_id: tokenId }))));
  }
  const answers = await Promise.all(chunks);
  return answers.flatMap((answer) => {
    if (!Array.isArray(answer)) throw new VenueUnavailable('a list was expected and something else came');
    return answer as unknown[];
  });
}

/** Zero stands for a token that never traded, and midpoints may carry more decimals than any order. */
function isPrice(text: string | null | undefined): text is string {
  return Boolean(text) && Number(text) > 0 && Number(text) <= 1;
}

/** The ends of the scale stand for a side that is empty: no order has such a price. */
function isOrderPrice(text: string | null | undefined): boolean {
  return isPrice(text) && Number(text) < 1;
}
