/** What was recorded of some tokens between two moments, out of all files that have something of it. */
import { open } from 'node:fs/promises';
import { type Damage, readBlocks, readFileStart } from '@dutchbook/recordings/file.ts';
import { RecordedBooks } from '@dutchbook/recordings/follow-books.ts';
import type { LevelChange, Recorded } from '@dutchbook/recordings/record.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { complement } from '@dutchbook/units/price.ts';
import { HOUR_MS, listRecordings, type RecordingFile, readsOf } from './files.ts';
import { QUIET_ANCHOR_MS } from './noted-books.ts';

/** Every book that is followed is told whole within this time, also while a process has many of them to tell. */
const LEAD_MS = QUIET_ANCHOR_MS + 60_000;

/** A record that needs no other: what mirrors another token is told by itself. */
export type FoundRecord = Exclude<Recorded, { kind: 'mirror' }>;

export type Wanted = { folder: string; tokenIds: ReadonlySet<string>; from: Instant; until: Instant };

/**
 * In the order in which they arrived, block by block, so that neither memory nor time is needed beyond what is read. Begins with
 * the books and the trust as they were at `from`, of those that are known then: nothing is known of a token before its book, and
 * after a gap before its next book.
 */
export async function* findRecords({ folder, tokenIds, from, until }: Wanted): AsyncGenerator<FoundRecord> {
  const files = (await listRecordings(folder)).filter(
    ({ hour }) => hour <= until && hour + HOUR_MS >= from - LEAD_MS - HOUR_MS,
  );
  const books = new RecordedBooks();
  let hasBegun = false;
  let hole: FoundRecord | null = null;
  for await (const record of merged(files.map((file) => recordsOf(file, instantFromMs(from - LEAD_MS), until)))) {
    if (record.at > until) break;
    if (!hasBegun && record.at >= from) {
      hasBegun = true;
      if (hole !== null) yield hole;
      for (const tokenId of tokenIds) yield* standing(books, tokenId, from);
    }
    const changed = books.apply(record);
    if (hasBegun) yield* told(books, record, changed, tokenIds);
    else hole = reachesInto(record, from) ?? hole;
  }
  if (hasBegun) return;
  if (hole !== null) yield hole;
  for (const tokenId of tokenIds) yield* standing(books, tokenId, from);
}

function reachesInto(record: Recorded, from: Instant): FoundRecord | null {
  return record.kind === 'gap' && record.until > from ? { ...record, at: from } : null;
}

function* standing(books: RecordedBooks, tokenId: string, at: Instant): Generator<FoundRecord> {
  const book = books.book(tokenId);
  if (book === undefined) return;
  yield {
    kind: 'book',
    tokenId,
    at,
    venueAt: null,
    bids: structuredClone(book.bids),
    asks: structuredClone(book.asks),
  };
  yield { kind: 'trust', tokenId, at, venueAt: null, trust: books.trust(tokenId) };
}

function* told(
  books: RecordedBooks,
  record: Recorded,
  changed: readonly string[],
  wanted: ReadonlySet<string>,
): Generator<FoundRecord> {
  if (record.kind === 'gap') {
    yield record;
    return;
  }
  for (const tokenId of changed) {
    if (!wanted.has(tokenId)) continue;
    if (record.kind === 'trust' || (record.kind !== 'mirror' && record.tokenId === tokenId)) yield record;
    else if (record.kind === 'changes') yield { ...record, tokenId, changes: record.changes.map(mirrored) };
    else yield* bookOf(books, record, tokenId);
  }
}

function* bookOf(books: RecordedBooks, { at, venueAt }: Recorded, tokenId: string): Generator<FoundRecord> {
  const book = books.book(tokenId);
  if (book === undefined) return;
  yield { kind: 'book', tokenId, at, venueAt, bids: structuredClone(book.bids), asks: structuredClone(book.asks) };
}

function mirrored({ side, price, size }: LevelChange): LevelChange {
  return { side: side === 'buy' ? 'sell' : 'buy', price: complement(price), size };
}

/** Of several files that go on at the same time, as of several processes, whatever arrived first. */
async function* merged(sources: AsyncGenerator<Recorded>[]): AsyncGenerator<Recorded> {
  const heads: { source: AsyncGenerator<Recorded>; record: Recorded }[] = [];
  const take = async (source: AsyncGenerator<Recorded>) => {
    const { value, done } = await source.next();
    if (done === true) return;
    const place = heads.findIndex(({ record }) => record.at > value.at);
    heads.splice(place < 0 ? heads.length : place, 0, { source, record: value });
  };
  try {
    for (const source of sources) await take(source);
    for (let head = heads.shift(); head !== undefined; head = heads.shift()) {
      yield head.record;
      await take(head.source);
    }
  } finally {
    for (const { source } of heads) await source.return(undefined);
  }
}

/** A block that cannot be read is a gap as long as what it has told. */
async function* recordsOf(file: RecordingFile, from: Instant, until: Instant): AsyncGenerator<Recorded> {
  // It may have been removed since it was listed.
  const handle = await open(file.path, 'r').catch(() => null);
  if (handle === null) return;
  try {
    const read = readsOf(handle);
    const { end } = await readFileStart(read);
    const damaged: Damage[] = [];
    const isWanted = (span: { from: Instant; until: Instant }) => span.until >= from && span.from <= until;
    for await (const { records } of readBlocks(read, end, isWanted, (damage) => void damaged.push(damage))) {
      for (const damage of damaged.splice(0)) {
        const [first, last] = [damage.from ?? records[0]?.at, damage.until ?? records[0]?.at];
        if (first === undefined || last === undefined) continue;
        yield { kind: 'gap', at: first, venueAt: null, until: last, reason: 'damaged' };
      }
      yield* records;
    }
  } finally {
    await handle.close();
  }
}
