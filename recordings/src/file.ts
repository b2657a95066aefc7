/**
 * A recording is a line that says what it is, and blocks behind it, each with a length and a checksum in front: whatever was cut
 * off or damaged costs its block alone. `docs/recordings.md` has the format.
 */
import { promisify } from 'node:util';
import { constants, crc32, zstdCompress, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { type BlockEncoder, decodeBlock } from './block.ts';
import { UnreadableRecording } from './bytes.ts';
import type { Recorded } from './record.ts';

const FORMAT = 'dutchbook-recording 1';
const MARK = 0x444b4c42;
const HEAD_BYTES = 32;
/** Far more than a block of two seconds ever has: whatever says more is damaged. */
const BLOCK_BYTES_MAX = 64 * 1024 * 1024;
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
const compressed = promisify(zstdCompress);
const expandedBeside = promisify(zstdDecompress);
const EXPANSION = { maxOutputLength: 4 * BLOCK_BYTES_MAX };
/** Expanded sooner than a thread is asked to: within a fraction of a millisecond. */
const SMALL_BYTES = 16_384;

/** Number of records of a block, and when the first and the last arrived. */
export type BlockSpan = { records: number; from: Instant; until: Instant };

async function expanded(packed: Buffer): Promise<Buffer> {
  return packed.length <= SMALL_BYTES ? zstdDecompressSync(packed, EXPANSION) : await expandedBeside(packed, EXPANSION);
}

/** The first bytes of a file. `venue`: one word. */
export function fileStart(venue: string): Uint8Array {
  return new TextEncoder().encode(`${FORMAT} ${venue}\n`);
}

/** The bytes of a block of at least one record, head and all; compressed beside what goes on meanwhile. */
export async function blockBytes(block: BlockEncoder): Promise<Uint8Array> {
  const { count, span } = block;
  if (span === null) throw new Error('a block has records');
  const packed = await compressed(block.bytes(), COMPRESSION);
  const bytes = Buffer.alloc(HEAD_BYTES + packed.length);
  bytes.writeUInt32LE(MARK, 0);
  bytes.writeUInt32LE(packed.length, 4);
  bytes.writeUInt32LE(count, 12);
  bytes.writeDoubleLE(span.from, 16);
  bytes.writeDoubleLE(span.until, 24);
  bytes.set(packed, HEAD_BYTES);
  bytes.writeUInt32LE(crc32(bytes.subarray(12)), 8);
  return bytes;
}

export type BlockPlace = BlockSpan & { start: number; end: number };

/** Reads `length` bytes at `start`, fewer at the end. */
export type ReadBytes = (start: number, length: number) => Promise<Buffer>;

/** @returns the venue. @throws UnreadableRecording where it is no recording, or one of another format */
export async function readFileStart(read: ReadBytes): Promise<{ venue: string; end: number }> {
  const start = await read(0, 200);
  const end = start.indexOf(10) + 1;
  const line = start.subarray(0, Math.max(0, end - 1)).toString();
  if (!line.startsWith(`${FORMAT} `)) throw new UnreadableRecording('this is not a recording of format 1');
  return { venue: line.slice(FORMAT.length + 1), end };
}

/** A part of a file that could not be read. */
export type Damage = { start: number; end: number; from: Instant | null; until: Instant | null };

/**
 * The records of a file block by block, read only where `isWanted` says so. Damage goes to `onDamage`, and what is behind it
 * is read on: it looks for the next mark.
 */
export async function* readBlocks(
  read: ReadBytes,
  start: number,
  isWanted: (span: BlockSpan) => boolean = () => true,
  onDamage: (damage: Damage) => void = () => {},
): AsyncGenerator<{ place: BlockPlace; records: Recorded[] }> {
  for await (const place of findBlocks(read, start, isWanted, onDamage)) {
    if (!isWanted(place)) continue;
    const packed = await read(place.start + HEAD_BYTES, place.end - place.start - HEAD_BYTES);
    yield { place, records: decodeBlock(await expanded(packed)) };
  }
}

/** Where the blocks of a file are, by their heads; each is there to its last byte. */
export function blockPlaces(read: ReadBytes, start: number): AsyncGenerator<BlockPlace> {
  return findBlocks(
    read,
    start,
    () => false,
    () => {},
  );
}

async function* findBlocks(
  read: ReadBytes,
  start: number,
  isWanted: (span: BlockSpan) => boolean,
  onDamage: (damage: Damage) => void,
): AsyncGenerator<BlockPlace> {
  let at = start;
  let until: Instant | null = null;
  for (;;) {
    const head = await read(at, HEAD_BYTES);
    if (head.length === 0) return;
    const place = placeOf(head, at);
    if (place !== null && (await (isWanted(place) ? isWhole(read, place, head) : isThere(read, place)))) {
      yield place;
      at = place.end;
      until = place.until;
      continue;
    }
    const end: number | null = await nextMark(read, at + 1);
    const next: BlockPlace | null = end === null ? null : placeOf(await read(end, HEAD_BYTES), end);
    onDamage({ start: at, end: end ?? at, from: until, until: next?.from ?? null });
    if (end === null) return;
    at = end;
  }
}

function placeOf(head: Buffer, start: number): BlockPlace | null {
  if (head.length < HEAD_BYTES || head.readUInt32LE(0) !== MARK) return null;
  const packed = head.readUInt32LE(4);
  const [from, until] = [head.readDoubleLE(16), head.readDoubleLE(24)];
  if (packed > BLOCK_BYTES_MAX || !Number.isSafeInteger(from) || !Number.isSafeInteger(until)) return null;
  return {
    ...{ records: head.readUInt32LE(12), from: instantFromMs(from), until: instantFromMs(until) },
    ...{ start, end: start + HEAD_BYTES + packed },
  };
}

/** All its bytes, right or wrong. */
async function isThere(read: ReadBytes, { end }: BlockPlace): Promise<boolean> {
  return (await read(end - 1, 1)).length === 1;
}

async function isWhole(read: ReadBytes, { start, end }: BlockPlace, head: Buffer): Promise<boolean> {
  const body = await read(start + 12, end - start - 12);
  return body.length === end - start - 12 && crc32(body) === head.readUInt32LE(8);
}

const SEARCHED_BYTES = 64 * 1024;
const MARK_BYTES = Buffer.from([0x42, 0x4c, 0x4b, 0x44]);

async function nextMark(read: ReadBytes, start: number): Promise<number | null> {
  for (let at = start; ; at += SEARCHED_BYTES) {
    const bytes = await read(at, SEARCHED_BYTES + MARK_BYTES.length);
    const found = bytes.indexOf(MARK_BYTES);
    if (found >= 0) return at + found;
    if (bytes.length < SEARCHED_BYTES) return null;
  }
}
