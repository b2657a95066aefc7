/**
 * Records of some seconds as the bytes of one block, which is read alone. What is alike lies together, each kind of number in a
 * column of its own, since that compresses to half of what records in a row do.
 */
import type { TokenId } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { type Price, priceFromMicro } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromMicro } from '@dutchbook/units/shares.ts';
import { ByteReader, ByteWriter, UnreadableRecording } from './bytes.ts';
import { type LevelChange, RECORDED_TRUSTS, type Recorded, type RecordedLevel, type RecordedSide } from './record.ts';

/** Prices of venues are multiples of this many micro-dollars, sizes mostly of that many micro-shares. */
const PRICE_STEP = 100;
const SIZE_STEP = 10_000;

const CODES = { bid: 0, ask: 1, several: 2, book: 3, trust: 4, gap: 5, mirror: 6 } as const;
const CODE_COUNT = 7;

class Columns {
  readonly heads = new ByteWriter();
  readonly times = new ByteWriter();
  readonly counts = new ByteWriter();
  readonly prices = new ByteWriter();
  readonly sizes = new ByteWriter();
}

/** What the next record is a difference from: the same on both sides, as it is read in the order of writing. */
class Context {
  at = 0;
  lag: number | null = null;
  readonly #prices: number[] = [];

  lastPrice(token: number, side: RecordedSide): number {
    return this.#prices[placeOfSide(token, side)] ?? 0;
  }

  notePrice(token: number, side: RecordedSide, price: number): void {
    this.#prices[placeOfSide(token, side)] = price;
  }
}

function placeOfSide(token: number, side: RecordedSide): number {
  return side === 'buy' ? 2 * token : 2 * token + 1;
}

/** Takes the records of a block one by one. */
export class BlockEncoder {
  readonly #tokens = new Map<string, number>();
  readonly #columns = new Columns();
  readonly #context = new Context();
  #count = 0;
  #from: Instant | null = null;
  #until: Instant | null = null;

  get count(): number {
    return this.#count;
  }

  /** When the first and the last of them arrived; null without any. */
  get span(): { from: Instant; until: Instant } | null {
    return this.#from === null || this.#until === null ? null : { from: this.#from, until: this.#until };
  }

  /** Approximate length of `bytes()`. */
  get byteLength(): number {
    const { heads, times, counts, prices, sizes } = this.#columns;
    return heads.length + times.length + counts.length + prices.length + sizes.length;
  }

  add(record: Recorded): void {
    this.#count += 1;
    this.#from ??= record.at;
    this.#until = record.at;
    writeTime(this.#columns.times, this.#context, record);
    writeRecord(this.#columns, this.#context, this.#placeOf, record);
  }

  /** For `decodeBlock`, not compressed. */
  bytes(): Uint8Array {
    const block = new ByteWriter();
    block.count(this.#tokens.size);
    for (const tokenId of this.#tokens.keys()) block.text(tokenId);
    block.count(this.#count);
    const { heads, times, counts, prices, sizes } = this.#columns;
    for (const column of [heads, times, counts, prices, sizes]) block.raw(column.bytes());
    return block.bytes();
  }

  #placeOf = (tokenId: TokenId): number => {
    const known = this.#tokens.get(tokenId);
    if (known !== undefined) return known;
    this.#tokens.set(tokenId, this.#tokens.size);
    return this.#tokens.size - 1;
  };
}

function writeTime(times: ByteWriter, context: Context, { at, venueAt }: Recorded): void {
  times.signed(at - context.at);
  context.at = at;
  const lag = venueAt === null ? null : at - venueAt;
  if (lag === context.lag) times.count(0);
  else if (lag === null) times.count(1);
  else times.count(2 + zigzag(lag - (context.lag ?? 0)));
  context.lag = lag;
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function writeRecord(
  { heads, counts, prices, sizes }: Columns,
  context: Context,
  placeOfToken: (tokenId: TokenId) => number,
  record: Recorded,
): void {
  const token = record.kind === 'gap' ? 0 : placeOfToken(record.tokenId);
  const head = (code: number) => heads.count(token * CODE_COUNT + code);
  const level = (side: RecordedSide, { price, size }: RecordedLevel) => {
    writeNumber(prices, price - context.lastPrice(token, side), PRICE_STEP);
    context.notePrice(token, side, price);
    writeNumber(sizes, size, SIZE_STEP);
  };
  switch (record.kind) {
    case 'changes': {
      const [first] = record.changes;
      if (record.changes.length === 1 && first !== undefined) {
        head(first.side === 'buy' ? CODES.bid : CODES.ask);
        level(first.side, first);
        return;
      }
      const bids = record.changes.filter(({ side }) => side === 'buy');
      const asks = record.changes.filter(({ side }) => side === 'sell');
      head(CODES.several);
      for (const side of [bids, asks]) counts.count(side.length);
      for (const change of [...bids, ...asks]) level(change.side, change);
      return;
    }
    case 'book':
      head(CODES.book);
      for (const side of [record.bids, record.asks]) counts.count(side.length);
      for (const bid of record.bids) level('buy', bid);
      for (const ask of record.asks) level('sell', ask);
      return;
    case 'trust':
      head(CODES.trust);
      counts.count(RECORDED_TRUSTS.indexOf(record.trust));
      return;
    case 'mirror':
      head(CODES.mirror);
      counts.count(placeOfToken(record.of));
      return;
    case 'gap':
      head(CODES.gap);
      counts.signed(record.until - record.at);
      counts.text(record.reason);
  }
}

/** Most are whole multiples of the step, which are written as a count. */
function writeNumber(column: ByteWriter, value: number, step: number): void {
  column.count(value % step === 0 ? 2 * zigzag(value / step) : 2 * zigzag(value) + 1);
}

function readNumber(column: ByteReader, step: number): number {
  const reported = column.count();
  const [zigzagged, scale] = reported % 2 === 0 ? [reported / 2, step] : [(reported - 1) / 2, 1];
  return scale * (zigzagged % 2 === 0 ? zigzagged / 2 : -(zigzagged + 1) / 2);
}

/** @throws UnreadableRecording where the bytes are not those of a block */
export function decodeBlock(bytes: Uint8Array): Recorded[] {
  const block = new ByteReader(bytes);
  const tokens: string[] = [];
  for (let left = block.count(); left > 0; left -= 1) tokens.push(block.text());
  const count = block.count();
  const column = () => new ByteReader(block.raw());
  const columns = { heads: column(), times: column(), counts: column(), prices: column(), sizes: column() };
  const context = new Context();
  const records: Recorded[] = [];
  while (records.length < count) records.push(readRecord(columns, context, tokens));
  return records;
}

type ReadColumns = Record<keyof Columns, ByteReader>;

function readRecord(columns: ReadColumns, context: Context, tokens: readonly string[]): Recorded {
  const { heads, times, counts } = columns;
  const { at, venueAt } = readTime(times, context);
  const head = heads.count();
  const code = head % CODE_COUNT;
  if (code === CODES.gap) {
    const until = instantFromMs(at + counts.signed());
    return { kind: 'gap', at, venueAt: null, until, reason: counts.text() };
  }
  const token = (head - code) / CODE_COUNT;
  const tokenId = tokens[token];
  if (tokenId === undefined) throw new UnreadableRecording('a record is of no token');
  if (code === CODES.mirror) {
    const of = tokens[counts.count()];
    if (of === undefined) throw new UnreadableRecording('a mirror is of no token');
    return { kind: 'mirror', tokenId, at, venueAt: null, of };
  }
  if (code === CODES.trust) {
    const trust = RECORDED_TRUSTS[counts.count()];
    if (trust === undefined) throw new UnreadableRecording('a trust is not known');
    return { kind: 'trust', tokenId, at, venueAt: null, trust };
  }
  const level = (side: RecordedSide) => readLevel(columns, context, token, side);
  if (code === CODES.bid || code === CODES.ask) {
    return { kind: 'changes', tokenId, at, venueAt, changes: [level(code === CODES.bid ? 'buy' : 'sell')] };
  }
  const [bidCount, askCount] = [counts.count(), counts.count()];
  const bids = Array.from({ length: bidCount }, () => level('buy'));
  const asks = Array.from({ length: askCount }, () => level('sell'));
  if (code === CODES.several) return { kind: 'changes', tokenId, at, venueAt, changes: [...bids, ...asks] };
  return { kind: 'book', tokenId, at, venueAt, bids: bids.map(bare), asks: asks.map(bare) };
}

function readLevel({ prices, sizes }: ReadColumns, context: Context, token: number, side: RecordedSide): LevelChange {
  const price = context.lastPrice(token, side) + readNumber(prices, PRICE_STEP);
  context.notePrice(token, side, price);
  return { side, price: priceFromMicro(price), size: sharesFromMicro(readNumber(sizes, SIZE_STEP)) };
}

function bare({ price, size }: LevelChange): { price: Price; size: Shares } {
  return { price, size };
}

function readTime(times: ByteReader, context: Context): { at: Instant; venueAt: Instant | null } {
  context.at += times.signed();
  const reported = times.count();
  if (reported === 1) context.lag = null;
  else if (reported > 1) {
    const difference = reported - 2;
    context.lag = (context.lag ?? 0) + (difference % 2 === 0 ? difference / 2 : -(difference + 1) / 2);
  }
  return {
    at: instantFromMs(context.at),
    venueAt: context.lag === null ? null : instantFromMs(context.at - context.lag),
  };
}
