import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { TickReader } from '@dutchbook/recordings/parquet/ticks.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Side } from '../matching/order.ts';
import { readRecordedBlocks } from './recorded-blocks.ts';
import { isFrame, LineReader, noteOutcomes, type Outcomes, objectsOf } from './recorded-lines.ts';

/** What a recording tells: a token's level after a change (size 0: gone), or a trade of the token. */
export interface RecordedRow {
  readonly kind: 'level' | 'trade';
  readonly at: Instant;
  readonly tokenId: string;
  readonly side: Side;
  readonly price: Price;
  readonly size: Shares;
  /** The best prices stated with a level; 0 with a trade. */
  readonly bestBid: Price;
  readonly bestAsk: Price;
  /** Whether the other outcome is published by itself, whatever stands beside this row. */
  readonly isAlone?: true;
}

/** Raised for a recording that cannot be read; names file and line. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

/**
 * The rows of recordings, one file after the other, in the order they were received: JSON lines, plain or gzipped, what the product
 * has recorded itself (`.dbr`), or archives of ticks and what the product has recorded as Parquet.
 * @throws RecordingError for a missing file, a line that is nothing of a recording and a file that is none.
 */
export async function* readRecording(files: readonly string[]): AsyncGenerator<RecordedRow[]> {
  const ticks = new TickReader();
  const outcomes: Outcomes = new Map();
  const reader = new LineReader(outcomes);
  for (const file of files) {
    if (isBlocks(file)) {
      yield* named(file, readRecordedBlocks(file, ticks));
      continue;
    }
    for await (const objects of readObjects(file)) {
      // Once, before the first is read.
      if (outcomes.size === 0 && objects.some(({ object }) => isFrame(object))) await readOutcomes(files, outcomes);
      yield objects.flatMap(({ object, line }) => atLine(file, line, () => reader.read(object)));
    }
    yield reader.end();
  }
}

function isBlocks(file: string): boolean {
  return file.endsWith('.dbr') || file.endsWith('.parquet');
}

/** Which tokens are of one market: frames tell books of one token at a time. */
async function readOutcomes(files: readonly string[], outcomes: Outcomes): Promise<void> {
  for (const file of files.filter((each) => !isBlocks(each))) {
    for await (const objects of readObjects(file)) {
      for (const { object, line } of objects) atLine(file, line, () => noteOutcomes(object, outcomes));
    }
  }
}

type Numbered = { object: Record<string, unknown>; line: number };

async function* readObjects(file: string): AsyncGenerator<Numbered[]> {
  let line = 0;
  for await (const lines of readLines(file)) {
    yield lines.flatMap((text) => {
      line += 1;
      if (text.trim() === '') return [];
      return atLine(file, line, () => objectsOf(text)).map((object) => ({ object, line }));
    });
  }
}

/** What goes wrong names file and line. */
function atLine<Result>(file: string, line: number, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new RecordingError(`${file}, line ${line}: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
}

/** What goes wrong names the file. */
async function* named(file: string, chunks: AsyncIterable<RecordedRow[]>): AsyncGenerator<RecordedRow[]> {
  try {
    yield* chunks;
  } catch (error) {
    throw new RecordingError(`${file}: ${error instanceof Error ? error.message : 'cannot be read'}`);
  }
}

/** Longer than the books of all tokens that one connection follows. */
const LINE_MAX = 64_000_000;

/** The lines of a file, as many at a time as one chunk completes. */
async function* readLines(file: string): AsyncGenerator<string[]> {
  const raw = createReadStream(file);
  const unzipped = file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw;
  raw.on('error', (error) => unzipped.destroy(error));
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of unzipped) {
      const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > LINE_MAX) throw new Error(`a line has more than ${LINE_MAX} characters`);
      yield lines;
    }
  } catch (error) {
    throw new RecordingError(`${file}: ${error instanceof Error ? error.message : 'cannot be read'}`);
  } finally {
    raw.destroy();
  }
  if (rest.trim() !== '') yield [rest];
}
