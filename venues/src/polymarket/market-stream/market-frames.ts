/**
 * Reads the frames of the market channel. Written by hand rather than with schemas: it runs for every change of every
 * book, and what is malformed must cost one token's trust, not the process.
 */

import type { Level, Side } from '@dutchbook/engine/book/level.ts';
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, PRICE_ZERO, type Price, type Tick } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { microOrNaN } from '../decimal.ts';
import { type ScannedChanges, scanPriceChanges, type TokenChange } from './price-change-scanner.ts';

/** What the frames of the market channel say, one call per statement. */
export type MarketFrameSink = {
  /** A frame begins; all its calls belong together. */
  frame(timestamp: Instant): void;
  /** All changes of the frame that began last were passed on. */
  endOfChanges(): void;
  book(tokenId: TokenId, bids: Level[], asks: Level[], tick: Tick | null): void;
  /** The object may be used again for the next change: what is to stay is copied out of it. */
  change(change: Readonly<TokenChange>): void;
  tick(tokenId: TokenId, tick: Tick): void;
  resolved(marketId: MarketId, winningTokenId: TokenId): void;
  /** A frame about this token made no sense; its book cannot be trusted any more. */
  unreadable(tokenId: TokenId, what: string): void;
  /** A frame of a type we do not know, or no frame at all. */
  unknown(what: string): void;
};

type Wire = { readonly [field: string]: unknown };

const PRICE_MAX = PRICE_ONE;

/** Reads one text of the socket: a frame or an array of frames. Never throws. */
export function readMarketFrames(text: string, sink: MarketFrameSink): void {
  const scanned = scanPriceChanges(text);
  if (scanned === null) readJson(text, sink);
  else tellChanges(scanned, sink);
}

function tellChanges({ timestampMs, count, changes }: ScannedChanges, sink: MarketFrameSink): void {
  sink.frame(timestampMs as Instant);
  for (let index = 0; index < count; index++) sink.change(changes[index] as TokenChange);
  sink.endOfChanges();
}

/** Reads any frame, at the cost of parsing it as JSON. */
export function readJson(text: string, sink: MarketFrameSink): void {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    sink.unknown('not JSON');
    return;
  }
  if (!Array.isArray(parsed)) readFrame(parsed, sink);
  else for (const frame of parsed) readFrame(frame, sink);
}

function readFrame(frame: unknown, sink: MarketFrameSink): void {
  if (!isWire(frame)) {
    sink.unknown('not an object');
    return;
  }
  switch (frame.event_type) {
    case 'price_change':
      readPriceChanges(frame, sink);
      break;
    case 'book':
      readBook(frame, sink);
      break;
    case 'tick_size_change':
      readTickChange(frame, sink);
      break;
    case 'market_resolved':
      readResolved(frame, sink);
      break;
    case 'last_trade_price':
    case 'best_bid_ask':
    case 'new_market':
      break;
    default:
      sink.unknown(typeof frame.event_type === 'string' ? frame.event_type.slice(0, 40) : 'no event type');
  }
}

function readPriceChanges(frame: Wire, sink: MarketFrameSink): void {
  const changes = frame.price_changes;
  const timestamp = frameTime(frame);
  if (!Array.isArray(changes) || timestamp === null) {
    sink.unknown('price_change without changes or time');
    return;
  }
  sink.frame(timestamp);
  for (const change of changes) readChange(change, sink);
  sink.endOfChanges();
}

function readChange(change: unknown, sink: MarketFrameSink): void {
  if (!isWire(change) || typeof change.asset_id !== 'string') {
    sink.unknown('price_change without a token');
    return;
  }
  const price = microOrNaN(change.price);
  const size = microOrNaN(change.size);
  const side = wireSide(change.side);
  const bestBid = statedBest(change.best_bid, PRICE_ZERO);
  const bestAsk = statedBest(change.best_ask, PRICE_ONE);
  const isPlaced = price >= 0 && price <= PRICE_MAX && size >= 0;
  if (!isPlaced || side === null || Number.isNaN(bestBid) || Number.isNaN(bestAsk)) {
    sink.unreadable(change.asset_id, 'price_change');
    return;
  }
  sink.change({ tokenId: change.asset_id, side, price: price as Price, size: size as Shares, bestBid, bestAsk });
}

function readBook(frame: Wire, sink: MarketFrameSink): void {
  if (typeof frame.asset_id !== 'string') {
    sink.unknown('book without a token');
    return;
  }
  const timestamp = frameTime(frame);
  const bids = readLevels(frame.bids);
  const asks = readLevels(frame.asks);
  const tick = frame.tick_size === undefined || frame.tick_size === '' ? null : wireTick(frame.tick_size);
  if (timestamp === null || bids === null || asks === null) {
    sink.unreadable(frame.asset_id, 'book');
    return;
  }
  sink.frame(timestamp);
  sink.book(frame.asset_id, bids, asks, tick);
}

function readTickChange(frame: Wire, sink: MarketFrameSink): void {
  const tick = wireTick(frame.new_tick_size);
  if (typeof frame.asset_id !== 'string' || tick === null) {
    sink.unknown('tick_size_change without token or tick');
    return;
  }
  sink.tick(frame.asset_id, tick);
}

function readResolved(frame: Wire, sink: MarketFrameSink): void {
  if (!isText(frame.market) || !isText(frame.winning_asset_id)) {
    sink.unknown('market_resolved without market or winner');
    return;
  }
  sink.resolved(frame.market, frame.winning_asset_id);
}

export function readLevels(raw: unknown): Level[] | null {
  if (!Array.isArray(raw)) return null;
  const levels: Level[] = [];
  for (const one of raw) {
    const price = isWire(one) ? microOrNaN(one.price) : Number.NaN;
    const size = isWire(one) ? microOrNaN(one.size) : Number.NaN;
    if (!(price >= 0 && price <= PRICE_MAX && size >= 0)) return null;
    levels.push({ price: price as Price, size: size as Shares });
  }
  return levels;
}

/** A best price as stated: null when left out, `empty` (the far end of the scale) when the side is stated as empty. */
function statedBest(text: unknown, empty: Price): Price | null {
  if (text === undefined || text === null) return null;
  if (text === '') return empty;
  const micro = microOrNaN(text);
  if (micro === 0) return empty;
  return (micro <= PRICE_MAX ? micro : Number.NaN) as Price;
}

export function wireTick(text: unknown): Tick | null {
  const micro = microOrNaN(typeof text === 'number' ? String(text) : text);
  return micro > 0 && micro < PRICE_MAX ? (micro as Tick) : null;
}

function wireSide(side: unknown): Side | null {
  if (side === 'BUY') return 'buy';
  return side === 'SELL' ? 'sell' : null;
}

export function frameTime(frame: Wire): Instant | null {
  const ms = Number(frame.timestamp);
  return Number.isSafeInteger(ms) && ms > 0 && ms < 8.64e15 ? instantFromMs(ms) : null;
}

export function isWire(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
