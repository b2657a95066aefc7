import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { TickReader } from '@dutchbook/recordings/parquet/ticks.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { isOnTick, type Price, priceFromNumber, tickToText } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { FINEST_TICK } from '../catalogue/ticks.ts';
import type { Side } from '../matching/order.ts';
import { readRecordedBlocks } from './recorded-blocks.ts';

/** One line of a recording: a token's level after a change (size 0: gone), or a trade of the token. */
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
}

/** Raised for a recording that cannot be read; names file and line. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

/**
 * The rows of recordings, one file after the other, in the order they were received: JSON lines, plain or gzipped, what the product
 * has recorded itself (`.dbr`), or either of them as Parquet.
 * @throws RecordingError for a missing file, a line that is no row and a file that is no recording.
 */
export async function* readRecording(files: readonly string[]): AsyncGenerator<RecordedRow[]> {
  const ticks = new TickReader();
  for (const file of files) {
    if (file.endsWith('.dbr') || file.endsWith('.parquet')) {
      yield* named(file, readRecordedBlocks(file, ticks));
      continue;
    }
    let lineNumber = 0;
    for await (const lines of readLines(file)) {
      yield lines.flatMap((line) => {
        lineNumber += 1;
        return line.trim() === '' ? [] : [parseRow(line, file, lineNumber)];
      });
    }
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
      yield lines;
    }
  } catch (error) {
    throw new RecordingError(`${file}: ${error instanceof Error ? error.message : 'cannot be read'}`);
  } finally {
    raw.destroy();
  }
  if (rest.trim() !== '') yield [rest];
}

function parseRow(line: string, file: string, lineNumber: number): RecordedRow {
  try {
    return rowOf(JSON.parse(line));
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    throw new RecordingError(`${file}, line ${lineNumber}: ${reason}`);
  }
}

/** Checked by hand: a recording has hundreds of thousands of rows, and a schema library would dominate reading it. */
function rowOf(value: unknown): RecordedRow {
  if (typeof value !== 'object' || value === null) throw new Error('a line must be an object');
  const row = value as Record<string, unknown>;
  const isTrade = row.event_type === 'LAST_TRADE';
  if (!isTrade && row.event_type !== 'PRICE_CHANGE') throw new Error('event_type must be PRICE_CHANGE or LAST_TRADE');
  if (row.side !== 'BID' && row.side !== 'ASK') throw new Error('side must be BID or ASK');
  if (typeof row.asset_id !== 'string') throw new Error('asset_id must be text');
  return {
    kind: isTrade ? 'trade' : 'level',
    at: instantFromMs(numberOf(row, 'timestamp')),
    tokenId: row.asset_id,
    side: row.side === 'BID' ? 'BUY' : 'SELL',
    price: onGrid(priceFromNumber(numberOf(row, 'price')), 'price'),
    size: sharesFromNumber(numberOf(row, 'size')),
    bestBid: onGrid(priceFromNumber(numberOf(row, 'best_bid')), 'best_bid'),
    bestAsk: onGrid(priceFromNumber(numberOf(row, 'best_ask')), 'best_ask'),
  };
}

function numberOf(row: Record<string, unknown>, field: string): number {
  const value = row[field];
  if (typeof value !== 'number') throw new Error(`${field} must be a number`);
  return value;
}

function onGrid(price: Price, field: string): Price {
  if (isOnTick(price, FINEST_TICK)) return price;
  throw new Error(`${field} must be a multiple of ${tickToText(FINEST_TICK)}, the finest tick`);
}
