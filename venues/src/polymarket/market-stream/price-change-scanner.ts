/**
 * Reads the one kind of frame that makes up nearly all of the market channel without building objects from it: parsing
 * it as JSON would cost more than everything that happens to the books afterwards. Whatever is not exactly the expected
 * shape is left to the JSON reader, which makes the same calls.
 */

import type { Side } from '@dutchbook/engine/book/level.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { PRICE_ONE, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { microInText } from '../decimal.ts';

/** The new total size at a price of a token's book. */
export type TokenChange = {
  tokenId: TokenId;
  side: Side;
  price: Price;
  size: Shares;
  /** The best prices that the venue states after the change. null: not said. The far end of the scale: stated as empty. */
  bestBid: Price | null;
  bestAsk: Price | null;
};

/** The first `count` changes are those of the frame. All are used again for the next frame: read them before it. */
export type ScannedChanges = { timestampMs: number; count: number; changes: TokenChange[] };

const SCANNED: ScannedChanges = { timestampMs: 0, count: 0, changes: [] };

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BRACKET_OPEN = 91;
const BRACKET_CLOSE = 93;
const BRACE_OPEN = 123;
const BRACE_CLOSE = 125;
const SPACE = 32;

/** Where the scanner stands in the text, and the bounds of the string it read last. */
let text = '';
let at = 0;
let start = 0;
let end = 0;

/** The changes of a `price_change` frame, or null when the text is something else or not entirely well-formed. */
export function scanPriceChanges(frame: string): ScannedChanges | null {
  if (frame.includes('\\')) return null;
  text = frame;
  at = 0;
  SCANNED.count = 0;
  SCANNED.timestampMs = Number.NaN;
  const isWhole = scanFrame();
  text = '';
  return isWhole ? SCANNED : null;
}

function scanFrame(): boolean {
  let isPriceChange = false;
  let hasChanges = false;
  if (!take(BRACE_OPEN)) return false;
  do {
    if (!takeString()) return false;
    const [keyStart, keyLength] = [start, end - start];
    if (!take(COLON)) return false;
    if (keyLength === 13 && text.startsWith('price_changes', keyStart)) {
      if (!scanChanges()) return false;
      hasChanges = true;
      continue;
    }
    if (!takeString()) return false;
    if (keyLength === 9 && text.startsWith('timestamp', keyStart)) SCANNED.timestampMs = wholeNumber();
    else if (keyLength === 10 && text.startsWith('event_type', keyStart)) isPriceChange = isValue('price_change');
  } while (take(COMMA));
  return take(BRACE_CLOSE) && at === text.length && isPriceChange && hasChanges && SCANNED.timestampMs > 0;
}

function scanChanges(): boolean {
  SCANNED.count = 0;
  if (!take(BRACKET_OPEN)) return false;
  do {
    if (!scanChange()) return false;
  } while (take(COMMA));
  return take(BRACKET_CLOSE);
}

function scanChange(): boolean {
  let tokenId = '';
  let side: Side | null = null;
  let price = Number.NaN;
  let size = Number.NaN;
  let bid: number | null = null;
  let ask: number | null = null;
  if (!take(BRACE_OPEN)) return false;
  do {
    if (!takeString()) return false;
    const [keyStart, keyLength] = [start, end - start];
    if (!take(COLON) || !takeString()) return false;
    if (keyLength === 8) {
      if (text.startsWith('asset_id', keyStart)) tokenId = text.slice(start, end);
      else if (text.startsWith('best_bid', keyStart)) bid = statedBest(PRICE_ZERO);
      else if (text.startsWith('best_ask', keyStart)) ask = statedBest(PRICE_ONE);
    } else if (keyLength === 5) {
      if (text.startsWith('price', keyStart)) price = microInText(text, start, end);
    } else if (keyLength === 4) {
      if (text.startsWith('size', keyStart)) size = microInText(text, start, end);
      else if (text.startsWith('side', keyStart)) side = isValue('BUY') ? 'buy' : isValue('SELL') ? 'sell' : null;
    }
  } while (take(COMMA));
  const isSound = price <= PRICE_ONE && size >= 0 && !Number.isNaN(bid) && !Number.isNaN(ask);
  if (!take(BRACE_CLOSE) || tokenId === '' || side === null || !isSound) return false;
  const change = nextChange();
  change.tokenId = tokenId;
  change.side = side;
  change.price = price as Price;
  change.size = size as Shares;
  change.bestBid = bid as Price | null;
  change.bestAsk = ask as Price | null;
  return true;
}

function nextChange(): TokenChange {
  const index = SCANNED.count++;
  const used = SCANNED.changes[index];
  if (used !== undefined) return used;
  const change: TokenChange = {
    tokenId: '',
    side: 'buy',
    price: PRICE_ZERO,
    size: SHARES_ZERO,
    bestBid: null,
    bestAsk: null,
  };
  SCANNED.changes[index] = change;
  return change;
}

function statedBest(empty: Price): number {
  if (start === end) return empty;
  const micro = microInText(text, start, end);
  if (micro === 0) return empty;
  return micro <= PRICE_ONE ? micro : Number.NaN;
}

function wholeNumber(): number {
  let value = 0;
  if (end - start === 0 || end - start > 15) return Number.NaN;
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function isValue(wanted: string): boolean {
  return end - start === wanted.length && text.startsWith(wanted, start);
}

/** Steps over one character, and over spaces before it. */
function take(code: number): boolean {
  while (text.charCodeAt(at) === SPACE) at += 1;
  if (text.charCodeAt(at) !== code) return false;
  at += 1;
  return true;
}

/** Steps over a string and leaves its bounds in `start` and `end`. */
function takeString(): boolean {
  if (!take(QUOTE)) return false;
  start = at;
  end = text.indexOf('"', at);
  if (end < 0) return false;
  at = end + 1;
  return true;
}
