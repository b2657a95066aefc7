/**
 * Records of some seconds as the bytes of one block, which is read alone. What is alike lies together, each kind of number in a
 * column of its own, since that compresses to half of what records in a row do.
 */
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

/** What the next record is told by as a difference: the same on both sides, as it is read in the order of writing. */
class Context {
  at = 0;
  lag: number | null = null;
  readonly #prices = new Map<string, number>();

  lastPrice(token: number, side: RecordedSide): number {
    return this.#prices.get(`${side}${token}`) ?? 0;
  }

  notePrice(token: number, side: RecordedSide, price: number): void {
    this.#prices.set(`${side}${token}`, price);
  }
}

/** @returns bytes for `decodeBlock`, not compressed */
export function encodeBlock(records: readonly Recorded[]): Uint8Array {
  const tokens = new Map<string, number>();
  const columns = new Columns();
  const context = new Context();
  const place = (tokenId: string) => placeOf(tokens, tokenId);
  for (const record of records) {
    writeTime(columns.times, context, record);
    writeRecord(columns, context, place, record);
  }
  const block = new ByteWriter();
  block.count(tokens.size);
  for (const tokenId of tokens.keys()) block.text(tokenId);
  block.count(records.length);
  const { heads, times, counts, prices, sizes } = columns;
  for (const column of [heads, times, counts, prices, sizes]) block.raw(column.bytes());
  return block.bytes();
}

function placeOf(tokens: Map<string, number>, tokenId: string): number {
  const known = tokens.get(tokenId);
  if (known !== undefined) return known;
  tokens.set(tokenId, tokens.size);
  return tokens.size - 1;
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
  placeOfToken: (tokenId: string) => number,
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

/** Most are whole multiples of the step, which are told by how many. */
function writeNumber(column: ByteWriter, value: number, step: number): void {
  column.count(value % step === 0 ? 2 * zigzag(value / step) : 2 * zigzag(value) + 1);
}

function readNumber(column: ByteReader, step: number): number {
  const told = column.count();
  const [zigzagged, scale] = told % 2 === 0 ? [told / 2, step] : [(told - 1) / 2, 1];
  return scale * (zigzagged % 2 === 0 ? zigzagged / 2 : -(zigzagged + 1) / 2);
}

/** @throws UnreadableRecording where the bytes are not those of a block */
export function decodeBlock(bytes: Uint8Array): Recorded[] {
  const block = new ByteReader(bytes);
  const tokens: string[] = [];
  for (let left = block.count(); left > 0; left -= 1) tokens.push(block.text());
  const count = block.count();
  const [heads, times, counts, prices, sizes] = [0, 1, 2, 3, 4].map(() => new ByteReader(block.raw())) as [
    ByteReader,
    ByteReader,
    ByteReader,
    ByteReader,
    ByteReader,
  ];
  const context = new Context();
  const records: Recorded[] = [];
  for (let place = 0; place < count; place += 1) {
    const { at, venueAt } = readTime(times, context);
    const head = heads.count();
    const code = head % CODE_COUNT;
    const token = (head - code) / CODE_COUNT;
    const tokenId = tokens[token];
    const level = (side: RecordedSide): LevelChange => {
      const price = context.lastPrice(token, side) + readNumber(prices, PRICE_STEP);
      context.notePrice(token, side, price);
      return { side, price: priceFromMicro(price), size: sharesFromMicro(readNumber(sizes, SIZE_STEP)) };
    };
    const levels = (side: RecordedSide, length: number) => Array.from({ length }, () => level(side));
    if (code === CODES.gap) {
      const until = instantFromMs(at + counts.signed());
      records.push({ kind: 'gap', at, venueAt: null, until, reason: counts.text() });
      continue;
    }
    if (tokenId === undefined) throw new UnreadableRecording('a record is of no token');
    if (code === CODES.mirror) {
      const of = tokens[counts.count()];
      if (of === undefined) throw new UnreadableRecording('a mirror is of no token');
      records.push({ kind: 'mirror', tokenId, at, venueAt: null, of });
    } else if (code === CODES.trust) {
      const trust = RECORDED_TRUSTS[counts.count()];
      if (trust === undefined) throw new UnreadableRecording('a trust is not known');
      records.push({ kind: 'trust', tokenId, at, venueAt: null, trust });
    } else if (code === CODES.bid || code === CODES.ask) {
      records.push({ kind: 'changes', tokenId, at, venueAt, changes: [level(code === CODES.bid ? 'buy' : 'sell')] });
    } else {
      const [bidCount, askCount] = [counts.count(), counts.count()];
      const bids = levels('buy', bidCount);
      const asks = levels('sell', askCount);
      if (code === CODES.several) records.push({ kind: 'changes', tokenId, at, venueAt, changes: [...bids, ...asks] });
      else records.push({ kind: 'book', tokenId, at, venueAt, bids: bids.map(bare), asks: asks.map(bare) });
    }
  }
  return records;
}

function bare({ price, size }: LevelChange): { price: Price; size: Shares } {
  return { price, size };
}

function readTime(times: ByteReader, context: Context): { at: Instant; venueAt: Instant | null } {
  context.at += times.signed();
  const told = times.count();
  if (told === 1) context.lag = null;
  else if (told > 1) {
    const difference = told - 2;
    context.lag = (context.lag ?? 0) + (difference % 2 === 0 ? difference / 2 : -(difference + 1) / 2);
  }
  return {
    at: instantFromMs(context.at),
    venueAt: context.lag === null ? null : instantFromMs(context.at - context.lag),
  };
}
