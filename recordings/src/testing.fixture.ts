import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromMicro } from '@dutchbook/units/price.ts';
import { sharesFromMicro } from '@dutchbook/units/shares.ts';
import fc from 'fast-check';
import { BlockEncoder } from './block.ts';
import { blockBytes, fileStart, type ReadBytes, readBlocks, readFileStart } from './file.ts';
import { type FollowedBook, setLevel } from './follow-books.ts';
import { type LevelChange, RECORDED_TRUSTS, type Recorded } from './record.ts';

/** Two outcomes of one market, and one of another. */
export const TOKENS = ['1001', '1002', '2001'] as const;

const at = fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }).map(instantFromMs);
const venueAt = fc.option(at);
const tokenId = fc.constantFrom(...TOKENS);
const price = fc.integer({ min: 1, max: 999_999 }).map(priceFromMicro);
const size = fc
  .oneof(
    fc.integer({ min: 0, max: 100_000 }).map((count) => count * 10_000),
    fc.nat(),
  )
  .map(sharesFromMicro);
const level = fc.record({ price, size });
const side = fc.constantFrom('buy' as const, 'sell' as const);
/** Bids stand before asks. */
const changes = fc
  .array(fc.record({ side, price, size }), { minLength: 1, maxLength: 5 })
  .map((list) => list.toSorted((a, b) => a.side.localeCompare(b.side)));

export const anyRecord: fc.Arbitrary<Recorded> = fc.oneof(
  fc.record({ kind: fc.constant('changes'), tokenId, at, venueAt, changes }),
  fc.record({ kind: fc.constant('book'), tokenId, at, venueAt, bids: fc.array(level), asks: fc.array(level) }),
  fc.record({ kind: fc.constant('mirror'), tokenId, at, venueAt: fc.constant(null), of: tokenId }),
  fc.record({
    kind: fc.constant('trust'),
    tokenId,
    at,
    venueAt: fc.constant(null),
    trust: fc.constantFrom(...RECORDED_TRUSTS),
  }),
  fc.record({ kind: fc.constant('gap'), at, venueAt: fc.constant(null), until: at, reason: fc.string() }),
);

/** A change of a book as a feed would make it: prices of whole cents, so that they meet. */
export const bookChange: fc.Arbitrary<LevelChange> = fc.record({
  side,
  price: fc.integer({ min: 1, max: 99 }).map((cents) => priceFromMicro(cents * 10_000)),
  size: fc.integer({ min: 0, max: 3 }).map((shares) => sharesFromMicro(shares * 1_000_000)),
});

export function emptyBook(): FollowedBook {
  return { bids: [], asks: [] };
}

export function changed(book: FollowedBook, change: LevelChange): FollowedBook {
  const copy = structuredClone(book);
  setLevel(copy, change);
  return copy;
}

export function blockOf(records: readonly Recorded[]): BlockEncoder {
  const block = new BlockEncoder();
  for (const record of records) block.add(record);
  return block;
}

/** A file with one block of each. */
export async function fileOf(blocks: readonly (readonly Recorded[])[]): Promise<Buffer> {
  return Buffer.concat([
    fileStart('simulated'),
    ...(await Promise.all(blocks.map((each) => blockBytes(blockOf(each))))),
  ]);
}

export function readsOf(bytes: Uint8Array): ReadBytes {
  return async (start, length) => Buffer.from(bytes.subarray(start, start + length));
}

/** What can be read of a file, and how often it came upon damage. */
export async function readAll(bytes: Uint8Array): Promise<{ venue: string; blocks: Recorded[][]; damaged: number }> {
  const read = readsOf(bytes);
  const { venue, end } = await readFileStart(read);
  const blocks: Recorded[][] = [];
  let damaged = 0;
  const onDamage = () => {
    damaged += 1;
  };
  for await (const { records } of readBlocks(read, end, () => true, onDamage)) blocks.push(records);
  return { venue, blocks, damaged };
}
