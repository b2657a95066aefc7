/** Recordings of the product itself, and Parquet files, as the rows that a venue's stream would have sent. */
import { open } from 'node:fs/promises';
import { type ReadBytes, readBlocks, readFileStart } from '@dutchbook/recordings/file.ts';
import { type FollowedBook, RecordedBooks } from '@dutchbook/recordings/follow-books.ts';
import { readParquet } from '@dutchbook/recordings/parquet/read.ts';
import type { TickReader } from '@dutchbook/recordings/parquet/ticks.ts';
import type { LevelChange, Recorded, RecordedLevel, RecordedSide } from '@dutchbook/recordings/record.ts';
import { complement, PRICE_ONE, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import type { RecordedRow } from './recording.ts';

/** The last published state of a token: sizes by price. It outlives gaps, after which books are published anew. */
type Published = Record<RecordedSide, Map<Price, Shares>>;

/** `otherOf`: by the token that is mirrored. */
type Mirrors = { otherOf: Map<string, string>; mirroring: Set<string> };

/**
 * Block by block. A token that mirrors another is published with it and never by itself; one that no other mirrors is published with an outcome
 * that is made up for it, since every market has two. @throws UnreadableRecording, or what the file system says
 */
export async function* readRecordedBlocks(file: string, ticks: TickReader): AsyncGenerator<RecordedRow[]> {
  const handle = await open(file, 'r');
  try {
    const read = async (start: number, length: number) => {
      const buffer = Buffer.alloc(length);
      const { bytesRead } = await handle.read(buffer, 0, length, start);
      return buffer.subarray(0, bytesRead);
    };
    const books = new RecordedBooks();
    const reported = new Map<string, Published>();
    const mirrors: Mirrors = { otherOf: new Map(), mirroring: new Set() };
    const isParquet = file.endsWith('.parquet');
    const blocks = isParquet ? (await readParquet(read, (await handle.stat()).size, ticks)).records : blocksOf(read);
    for await (const records of blocks) {
      noteMirrors(records, mirrors);
      yield records.flatMap((record) => rowsOf(record, { books, reported, mirrors }));
    }
  } finally {
    await handle.close();
  }
}

async function* blocksOf(read: ReadBytes): AsyncGenerator<Recorded[]> {
  const { end } = await readFileStart(read);
  for await (const { records } of readBlocks(read, end)) yield records;
}

type Following = { books: RecordedBooks; reported: Map<string, Published>; mirrors: Mirrors };

/** Looked for in a whole block first: a mirror is recorded after the book that it mirrors. */
function noteMirrors(records: readonly Recorded[], { otherOf, mirroring }: Mirrors): void {
  for (const record of records) {
    if (record.kind !== 'mirror') continue;
    otherOf.set(record.of, record.tokenId);
    mirroring.add(record.tokenId);
  }
}

function rowsOf(record: Recorded, { books, reported, mirrors }: Following): RecordedRow[] {
  books.apply(record);
  if (record.kind !== 'book' && record.kind !== 'changes') return [];
  const { tokenId, at } = record;
  const book = books.book(tokenId);
  if (book === undefined || mirrors.mirroring.has(tokenId)) return [];
  const before = reported.get(tokenId) ?? { buy: new Map(), sell: new Map() };
  reported.set(tokenId, before);
  const changes =
    record.kind === 'changes'
      ? record.changes
      : [...unpublished('buy', before, book.bids), ...unpublished('sell', before, book.asks)];
  for (const { side, price, size } of changes) {
    if (size === 0) before[side].delete(price);
    else before[side].set(price, size);
  }
  const other = mirrors.otherOf.get(tokenId) ?? `${tokenId}0`;
  return changes.flatMap((change) => bothHalves({ ...change, tokenId, at }, other, book));
}

/** What is gone first. */
function unpublished(side: RecordedSide, reported: Published, levels: readonly RecordedLevel[]): LevelChange[] {
  const sizes = new Map(levels.map(({ price, size }) => [price, size]));
  const gone = [...reported[side].keys()].filter((price) => !sizes.has(price));
  return [
    ...gone.map((price) => ({ side, price, size: SHARES_ZERO })),
    ...levels.filter(({ price, size }) => reported[side].get(price) !== size).map((level) => ({ side, ...level })),
  ];
}

function bothHalves(
  { tokenId, at, side, price, size }: LevelChange & Pick<RecordedRow, 'tokenId' | 'at'>,
  other: string,
  { bids, asks }: FollowedBook,
): [RecordedRow, RecordedRow] {
  const [bestBid, bestAsk] = [bids[0]?.price ?? PRICE_ZERO, asks[0]?.price ?? PRICE_ONE];
  const [own, opposite] = side === 'buy' ? (['BUY', 'SELL'] as const) : (['SELL', 'BUY'] as const);
  const row = { kind: 'level', at, size } as const;
  return [
    { ...row, tokenId, side: own, price, bestBid, bestAsk },
    {
      ...row,
      tokenId: other,
      side: opposite,
      price: complement(price),
      bestBid: complement(bestAsk),
      bestAsk: complement(bestBid),
    },
  ];
}
