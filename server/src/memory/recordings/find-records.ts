/** What was recorded of some tokens between two instants, out of all files that have something of it. */

import { RecordedBooks } from '@dutchbook/recordings/follow-books.ts';
import type { LevelChange, Recorded } from '@dutchbook/recordings/record.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { complement } from '@dutchbook/units/price.ts';
import type { RecordingFile } from './files.ts';
import { blocksOf, LEAD_MS, mergedRecords } from './merged-records.ts';

/** A record that needs no other: what mirrors another token is recorded by itself. */
export type FoundRecord = Exclude<Recorded, { kind: 'mirror' }>;

/** `tokenIds`: null for all of them. */
export type Wanted = { folder: string; tokenIds: ReadonlySet<TokenId> | null; from: Instant; until: Instant };

/**
 * In the order in which they arrived, block by block, so that neither memory nor time is needed beyond what is read. Begins with
 * the books and the trust as they were at `from`, of those that are known then: nothing is known of a token before its book, and
 * after a gap before its next book.
 */
export async function* findRecords({ folder, tokenIds, from, until }: Wanted): AsyncGenerator<FoundRecord> {
  const books = new RecordedBooks();
  let hasBegun = false;
  let hole: FoundRecord | null = null;
  const known = new Set<string>();
  for await (const record of each(mergedRecords(folder, instantFromMs(from - LEAD_MS), until))) {
    if (!hasBegun && record.at >= from) {
      hasBegun = true;
      if (hole !== null) yield hole;
      yield* standing(books, tokenIds ?? known, from);
    }
    const changed = books.apply(record);
    if (hasBegun) yield* reported(books, record, changed, tokenIds);
    else {
      hole = reachesInto(record, from) ?? hole;
      for (const tokenId of changed) known.add(tokenId);
    }
  }
  if (hasBegun) return;
  if (hole !== null) yield hole;
  yield* standing(books, tokenIds ?? known, from);
}

function reachesInto(record: Recorded, from: Instant): FoundRecord | null {
  return record.kind === 'gap' && record.until > from ? { ...record, at: from } : null;
}

function* standing(books: RecordedBooks, tokenIds: ReadonlySet<TokenId>, at: Instant): Generator<FoundRecord> {
  for (const tokenId of tokenIds) {
    const book = books.book(tokenId);
    if (book === undefined) continue;
    const { bids, asks } = structuredClone(book);
    yield { kind: 'book', tokenId, at, venueAt: null, bids, asks };
    yield { kind: 'trust', tokenId, at, venueAt: null, trust: books.trust(tokenId) };
  }
}

function* reported(
  books: RecordedBooks,
  record: Recorded,
  changed: readonly string[],
  wanted: ReadonlySet<string> | null,
): Generator<FoundRecord> {
  if (record.kind === 'gap') {
    yield record;
    return;
  }
  for (const tokenId of changed) {
    if (wanted?.has(tokenId) === false) continue;
    if (record.kind === 'trust' || (record.kind !== 'mirror' && record.tokenId === tokenId)) yield record;
    else if (record.kind === 'changes') yield { ...record, tokenId, changes: record.changes.map(mirrored) };
    else yield* bookOf(books, record, tokenId);
  }
}

function* bookOf(books: RecordedBooks, { at, venueAt }: Recorded, tokenId: TokenId): Generator<FoundRecord> {
  const book = books.book(tokenId);
  if (book === undefined) return;
  yield { kind: 'book', tokenId, at, venueAt, bids: structuredClone(book.bids), asks: structuredClone(book.asks) };
}

function mirrored({ side, price, size }: LevelChange): LevelChange {
  return { side: side === 'buy' ? 'sell' : 'buy', price: complement(price), size };
}

/** The records of one file alone, of blocks that reach into the span. */
export function recordsOf(file: Pick<RecordingFile, 'path'>, from: Instant, until: Instant): AsyncGenerator<Recorded> {
  return each(blocksOf(file, from, until));
}

async function* each(blocks: AsyncGenerator<Recorded[]>): AsyncGenerator<Recorded> {
  for await (const records of blocks) yield* records;
}
