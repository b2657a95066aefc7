/**
 * What recordings have in a line of JSON: a tick, which is a row as archives have them, or a frame as the venue's market channel sends
 * it, alone or in an array.
 */
import { TICK_EVENTS, tickEventOf } from '@dutchbook/recordings/parquet/ticks.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import {
  complement,
  isOnTick,
  PRICE_ONE,
  PRICE_ZERO,
  type Price,
  priceFromNumber,
  tickToText,
} from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { FINEST_TICK } from '../catalogue/ticks.ts';
import type { Side } from '../matching/order.ts';
import type { RecordedRow } from './recording.ts';

const SHAPES =
  `a line must be a tick (event_type ${TICK_EVENTS}) or a frame of Polymarket's market channel (event_type book, price_change or ` +
  'last_trade_price), alone or in an array';

/** Frames that say nothing of a book or a trade. */
const OTHER_FRAMES: ReadonlySet<unknown> = new Set([
  ...['tick_size_change', 'best_bid_ask', 'new_market', 'market_resolved'],
]);

type Fields = Record<string, unknown>;
type Level = Pick<RecordedRow, 'side' | 'price' | 'size'>;
type Best = Pick<RecordedRow, 'bestBid' | 'bestAsk'>;

/** The tokens of each market, by its condition id, in the order in which frames have them. */
export type Outcomes = Map<string, Set<string>>;

/** The objects of a line, which were in an array or not. @throws Error where it has none */
export function objectsOf(line: string): Fields[] {
  const value: unknown = JSON.parse(line);
  return (Array.isArray(value) ? value : [value]).map(fieldsOf);
}

/** Frames name their market, ticks do not. */
export function isFrame({ market }: Fields): boolean {
  return typeof market === 'string';
}

/** Notes which tokens of its market a frame named. */
export function noteOutcomes(frame: Fields, outcomes: Outcomes): void {
  const { market, asset_id, price_changes: changes } = frame;
  if (typeof market !== 'string') return;
  const tokens = outcomes.get(market) ?? new Set();
  outcomes.set(market, tokens);
  const reported = Array.isArray(changes) ? changes.map((change) => fieldsOf(change).asset_id) : [asset_id];
  for (const token of reported) if (typeof token === 'string') tokens.add(token);
}

/** Makes rows of lines. What whole books have no more is published as gone, since rows are what the books are kept from. */
export class LineReader {
  readonly #outcomes: Outcomes;
  /** The last published sizes by price. */
  readonly #reported = new Map<string, Record<Side, Map<Price, Shares>>>();
  /** The levels so far of a whole book that comes in ticks. */
  #book: { tokenId: string; at: Instant; levels: Level[] } | null = null;

  constructor(outcomes: Outcomes) {
    this.#outcomes = outcomes;
  }

  /** @throws Error, which says what is wrong with it */
  read(object: Fields): RecordedRow[] {
    return isFrame(object) ? [...this.end(), ...this.#frame(object)] : this.#tick(object);
  }

  /** The book that no row goes on with. A token alone: its other outcome is published by itself, if at all. */
  end(): RecordedRow[] {
    const book = this.#book;
    this.#book = null;
    return book === null ? [] : this.#wholeBook(book).map((row) => ({ ...row, isAlone: true }));
  }

  #tick(tick: Fields): RecordedRow[] {
    const event = typeof tick.event_type === 'string' ? tickEventOf(tick.event_type) : null;
    if (event === null) throw new Error(SHAPES);
    const level = { side: sideOf(tick.side), price: priceOf(tick, 'price'), size: sizeOf(tick) };
    const [tokenId, at] = [textOf(tick, 'asset_id'), instantFromMs(numberOf(tick, 'timestamp'))];
    if (event === 'book') {
      const goesOn = this.#book?.tokenId === tokenId && this.#book.at === at;
      const rows = goesOn ? [] : this.end();
      this.#book ??= { tokenId, at, levels: [] };
      this.#book.levels.push(level);
      return rows;
    }
    const best = { bestBid: priceOf(tick, 'best_bid'), bestAsk: priceOf(tick, 'best_ask') };
    const row = { kind: event === 'trade' ? 'trade' : 'level', at, tokenId, ...level, ...best } as const;
    if (event === 'change') this.#note(row);
    return [...this.end(), row];
  }

  #frame(frame: Fields): RecordedRow[] {
    if (OTHER_FRAMES.has(frame.event_type)) return [];
    const at = instantFromMs(numberOf(frame, 'timestamp'));
    switch (frame.event_type) {
      case 'book': {
        const own = [...levelsOf(frame, 'bids', 'BUY'), ...levelsOf(frame, 'asks', 'SELL')];
        const { first, other, isOther } = this.#outcomesOf(frame, textOf(frame, 'asset_id'));
        const levels = isOther ? own.map(mirrored) : own;
        return this.#wholeBook({ tokenId: first, at, levels }).flatMap((row) => [row, mirroredRow(row, other)]);
      }
      case 'price_change':
        return listOf(frame, 'price_changes').flatMap((change) => this.#change(frame, change, at));
      case 'last_trade_price': {
        const level = { side: sideOf(frame.side), price: priceOf(frame, 'price'), size: sizeOf(frame) };
        const best = { bestBid: PRICE_ZERO, bestAsk: PRICE_ZERO };
        return [{ kind: 'trade', at, tokenId: textOf(frame, 'asset_id'), ...level, ...best }];
      }
      default:
        throw new Error(SHAPES);
    }
  }

  /** Frames tell most changes of both outcomes: what is known already is not published again. */
  #change(frame: Fields, change: Fields, at: Instant): RecordedRow[] {
    const { first, other, isOther } = this.#outcomesOf(frame, textOf(change, 'asset_id'));
    const own = { side: sideOf(change.side), price: priceOf(change, 'price'), size: sizeOf(change) };
    const level = isOther ? mirrored(own) : own;
    if ((this.#publishedOf(first)[level.side].get(level.price) ?? SHARES_ZERO) === level.size) return [];
    this.#note({ tokenId: first, ...level });
    const stated = statedBest(change);
    const best = stated === null ? this.#bestOf(first) : isOther ? mirroredBest(stated) : stated;
    const row = { kind: 'level', at, tokenId: first, ...level, ...best } as const;
    return [row, mirroredRow(row, other)];
  }

  /** A market of which only one outcome was recorded has another all the same. */
  #outcomesOf(frame: Fields, tokenId: string): { first: string; other: string; isOther: boolean } {
    const market = textOf(frame, 'market');
    const [first = tokenId, other = `${first}0`, ...more] = this.#outcomes.get(market) ?? [];
    if (more.length > 0) throw new Error(`market ${market} has more than two tokens`);
    return { first, other, isOther: tokenId === other };
  }

  #wholeBook({ tokenId, at, levels }: { tokenId: string; at: Instant; levels: readonly Level[] }): RecordedRow[] {
    const reported = this.#publishedOf(tokenId);
    const isThere = new Set(levels.map(({ side, price }) => `${side} ${price}`));
    const gone = (['BUY', 'SELL'] as const).flatMap((side) =>
      [...reported[side].keys()]
        .filter((price) => !isThere.has(`${side} ${price}`))
        .map((price) => ({ side, price, size: SHARES_ZERO })),
    );
    const changed = levels.filter(({ side, price, size }) => reported[side].get(price) !== size);
    const changes = [...gone, ...changed];
    for (const change of changes) this.#note({ tokenId, ...change });
    const best = this.#bestOf(tokenId);
    return changes.map((change) => ({ kind: 'level', at, tokenId, ...change, ...best }));
  }

  #note({ tokenId, side, price, size }: Level & { tokenId: string }): void {
    const reported = this.#publishedOf(tokenId);
    if (size === 0) reported[side].delete(price);
    else reported[side].set(price, size);
  }

  #publishedOf(tokenId: string): Record<Side, Map<Price, Shares>> {
    const reported = this.#reported.get(tokenId) ?? { BUY: new Map(), SELL: new Map() };
    this.#reported.set(tokenId, reported);
    return reported;
  }

  #bestOf(tokenId: string): Best {
    const { BUY, SELL } = this.#publishedOf(tokenId);
    let [bestBid, bestAsk] = [PRICE_ZERO, PRICE_ONE];
    for (const price of BUY.keys()) if (price > bestBid) bestBid = price;
    for (const price of SELL.keys()) if (price < bestAsk) bestAsk = price;
    return { bestBid, bestAsk };
  }
}

function mirrored({ side, price, size }: Level): Level {
  return { side: side === 'BUY' ? 'SELL' : 'BUY', price: complement(price), size };
}

function mirroredBest({ bestBid, bestAsk }: Best): Best {
  return { bestBid: complement(bestAsk), bestAsk: complement(bestBid) };
}

function mirroredRow(row: RecordedRow, tokenId: string): RecordedRow {
  return { ...row, ...mirrored(row), ...mirroredBest(row), tokenId };
}

function statedBest(change: Fields): Best | null {
  if (!isStated(change.best_bid) || !isStated(change.best_ask)) return null;
  return { bestBid: priceOf(change, 'best_bid'), bestAsk: priceOf(change, 'best_ask') };
}

/** The venue leaves some numbers out, or has an empty text for them. */
function isStated(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function levelsOf(frame: Fields, name: string, side: Side): Level[] {
  const levels = listOf(frame, name).map((level) => ({ side, price: priceOf(level, 'price'), size: sizeOf(level) }));
  return levels.filter(({ size }) => size > 0);
}

function listOf(frame: Fields, name: string): Fields[] {
  const list = frame[name];
  if (!Array.isArray(list)) throw new Error(`${name} must be a list`);
  return list.map(fieldsOf);
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new Error(SHAPES);
  return value as Fields;
}

function sideOf(side: unknown): Side {
  if (side === 'BID' || side === 'BUY') return 'BUY';
  if (side === 'ASK' || side === 'SELL') return 'SELL';
  throw new Error('side must be BID or ASK, or BUY or SELL');
}

function textOf(fields: Fields, field: string): string {
  const value = fields[field];
  if (typeof value !== 'string') throw new Error(`${field} must be text`);
  return value;
}

function priceOf(fields: Fields, field: string): Price {
  const price = priceFromNumber(numberOf(fields, field));
  if (isOnTick(price, FINEST_TICK)) return price;
  throw new Error(`${field} must be a multiple of ${tickToText(FINEST_TICK)}, the finest tick`);
}

function sizeOf(fields: Fields): Shares {
  return sharesFromNumber(numberOf(fields, 'size'));
}

/** Ticks have numbers, frames have them as text. */
function numberOf(fields: Fields, field: string): number {
  const value = fields[field];
  if (typeof value === 'number') return value;
  const isText = typeof value === 'string' && value.trim() !== '';
  const number = isText ? Number(value) : Number.NaN;
  if (Number.isNaN(number)) throw new Error(`${field} must be a number`);
  return number;
}
