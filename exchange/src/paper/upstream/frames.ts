import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, type Price, priceFromText, type Tick, tickFromText } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import type { Side } from '../../matching/order.ts';
import { scanChanges } from './scan-changes.ts';

export interface UpstreamLevel {
  readonly tokenId: string;
  readonly side: Side;
  readonly price: Price;
  readonly size: Shares;
}

/** Frames of the market channel that a mirror uses. */
export type UpstreamFrame =
  | {
      readonly kind: 'book';
      readonly tokenId: string;
      readonly levels: readonly UpstreamLevel[];
      readonly at: Instant;
      readonly tick: Tick | undefined;
    }
  | { readonly kind: 'levels'; readonly levels: readonly UpstreamLevel[]; readonly at: Instant }
  | ({ readonly kind: 'trade'; readonly at: Instant } & UpstreamLevel)
  | { readonly kind: 'tick'; readonly tokenId: string; readonly tick: Tick }
  | { readonly kind: 'resolved'; readonly conditionId: string }
  /** Best prices, which follow from the levels: only sent on. */
  | { readonly kind: 'best'; readonly tokenId: string }
  /** A frame of a known kind that cannot be read. */
  | { readonly kind: 'unreadable'; readonly tokenId: string };

type Fields = Readonly<Record<string, unknown>>;

/** The frames of one text, which holds one or a list of them; unknown kinds are left out. */
export function readFrames(text: string): UpstreamFrame[] {
  const first = text.charCodeAt(0);
  if (first !== OPENING_BRACE && first !== OPENING_BRACKET) return [];
  const scanned = scannedLevels(text);
  if (scanned !== undefined) return [scanned];
  const parsed = parse(text);
  const frames = Array.isArray(parsed) ? (parsed as unknown[]) : [parsed];
  return frames.flatMap((frame) => {
    if (!isFields(frame)) return [];
    const read = READERS[String(frame.event_type)];
    if (read === undefined) return [];
    try {
      return read(frame);
    } catch {
      return { kind: 'unreadable', tokenId: String(frame.asset_id ?? '') };
    }
  });
}

/** Undefined where the text is something else, or unusual: then it is parsed. */
function scannedLevels(text: string): UpstreamFrame | undefined {
  const scanned = scanChanges(text);
  if (scanned === undefined) return undefined;
  try {
    const levels = scanned.rows.map((row) => levelOf(textOf(row.asset_id), sideOf(row.side), row));
    return { kind: 'levels', levels, at: timeOf(scanned.timestamp) };
  } catch {
    return undefined;
  }
}

/** A book as REST answers it; undefined where it is none. */
export function readRestBook(raw: unknown): Extract<UpstreamFrame, { kind: 'book' }> | undefined {
  if (!isFields(raw)) return undefined;
  try {
    return readBook(raw);
  } catch {
    return undefined;
  }
}

const READERS: Readonly<Record<string, (frame: Fields) => UpstreamFrame>> = {
  book: readBook,
  price_change: (frame) => ({
    kind: 'levels',
    levels: listOf(frame.price_changes).map((row) => readLevel(row, textOf(row.asset_id), sideOf(row.side))),
    at: timeOf(frame.timestamp),
  }),
  last_trade_price: (frame) => ({
    kind: 'trade',
    ...readLevel(frame, textOf(frame.asset_id), sideOf(frame.side)),
    at: timeOf(frame.timestamp),
  }),
  tick_size_change: (frame) => ({
    kind: 'tick',
    tokenId: textOf(frame.asset_id),
    tick: tickFromText(decimalOf(frame.new_tick_size)),
  }),
  best_bid_ask: (frame) => ({ kind: 'best', tokenId: textOf(frame.asset_id) }),
  market_resolved: (frame) => ({ kind: 'resolved', conditionId: textOf(frame.market) }),
};

function readBook(frame: Fields): Extract<UpstreamFrame, { kind: 'book' }> {
  const tokenId = textOf(frame.asset_id);
  const levels = (key: string, side: Side) => listOf(frame[key]).map((level) => readLevel(level, tokenId, side));
  const { tick_size: tick } = frame;
  return {
    kind: 'book',
    tokenId,
    levels: [...levels('bids', 'BUY'), ...levels('asks', 'SELL')].filter(({ size }) => size > 0),
    at: timeOf(frame.timestamp),
    tick: tick === undefined || tick === null || tick === '' ? undefined : tickFromText(decimalOf(tick)),
  };
}

function readLevel(row: Fields, tokenId: string, side: Side): UpstreamLevel {
  return levelOf(tokenId, side, { price: decimalOf(row.price), size: decimalOf(row.size) });
}

function levelOf(tokenId: string, side: Side, row: { readonly price: string; readonly size: string }): UpstreamLevel {
  const price = priceFromText(row.price);
  if (price === 0 || price === PRICE_ONE) throw new Error('no price of an order');
  return { tokenId, side, price, size: sharesFromText(row.size) };
}

function textOf(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Error('a text is missing');
}

function decimalOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : textOf(value);
}

function sideOf(value: unknown): Side {
  const side = textOf(value).toUpperCase();
  if (side === 'BUY' || side === 'SELL') return side;
  throw new Error('no side');
}

function timeOf(value: unknown): Instant {
  return instantFromMs(Number(value ?? 0) || 0);
}

function listOf(value: unknown): Fields[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every(isFields)) return value;
  throw new Error('a list is missing');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const OPENING_BRACE = 123;
const OPENING_BRACKET = 91;
