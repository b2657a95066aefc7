/**
 * Writes down the books that are followed, outside the trading path: what has changed is noted once everybody else has been told,
 * compressed beside what goes on, and dropped where the disk or the buffer does not take it.
 */
import { statfs } from 'node:fs/promises';
import { BlockEncoder } from '@dutchbook/recordings/block.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { TokenBooks } from '../prices/quotes/quotes.ts';
import { openFailureLog } from '../runtime/failure-log.ts';
import type { Runtime } from '../runtime.ts';
import { openBlockQueue } from './block-queue.ts';
import { lastRecordedAt, trimRecordings } from './files.ts';
import { noteBooks } from './noted-books.ts';

const TICK_MS = 250;
const QUIET_MS = 1000;
/** A block is ended at a tick once its first record is as old, or once it has as many records: with what waits, two seconds at most. */
const BLOCK_MS = 1500;
const BLOCK_RECORDS = 2000;
/** Within the limit by bytes: what goes is the oldest of so many, not all. */
const FILES_AT_LEAST = 16;
/** Of blocks that are not written yet: a disk that takes seconds for one is not waited for longer. */
const WAITING_BYTES_MAX = 16_000_000;
const RETRY_MS = 10_000;
const TRIM_MS = 60_000;
/** What is left free on the disk for the database and everything else. */
const KEPT_FREE_BYTES = 500_000_000;

export type RecorderPlan = {
  folder: string;
  venue: string;
  tokens: TokenBooks;
  limits: { maxBytes: number; days: number };
  /** From when on recordings are needed for something else, whatever the limits say. */
  neededSince?: () => Instant | null;
  /** These two are smaller in tests. */
  keptFreeBytes?: number;
  waitingBytesMax?: number;
};

/** `bytes` to `gaps`: since the process began. `interrupted`: why nothing is recorded now, and since when; null while it is. */
export type RecorderState = {
  tokens: number;
  since: Instant | null;
  interrupted: { since: Instant | null; reason: string } | null;
  bytes: number;
  records: number;
  droppedRecords: number;
  gaps: number;
  waitingBytes: number;
};

export type Recorder = { state: () => RecorderState; stop: () => Promise<void> };

export function startRecorder(
  runtime: Pick<Runtime, 'clock' | 'timers' | 'random' | 'log'>,
  plan: RecorderPlan,
): Recorder {
  const { folder, venue, tokens, limits, neededSince = () => null } = plan;
  const { keptFreeBytes = KEPT_FREE_BYTES, waitingBytesMax = WAITING_BYTES_MAX } = plan;
  const { clock, timers, random, log } = runtime;
  const failures = openFailureLog(log, 'warn', 'recording interrupted');
  const counted = { bytes: 0, records: 0, droppedRecords: 0, gaps: 0 };
  let block = new BlockEncoder();
  const books = noteBooks(clock, tokens, (record) => block.add(record));
  /** Of the last block on disk, by this process or by one before it. */
  let recordedUntil: Instant | null = null;
  /** Null while nothing is recorded. */
  let since: Instant | null = null;
  /** Why nothing was recorded until the last block that was written. */
  let reason: string | null = 'not running';
  let refusal = 'starting';
  let retryAt = clock.now();
  let isBegun = false;

  const queue = openBlockQueue({
    ...{ folder, venue, fileBytes: limits.maxBytes / FILES_AT_LEAST, waitingBytesMax },
    newId: () => Buffer.from(random.bytes(4)).toString('hex'),
    onWritten: ({ bytes, records, until }) => {
      counted.bytes += bytes;
      counted.records += records;
      recordedUntil = until;
      // Those that were written after an interruption had waited for it before.
      if (since === null) return;
      reason = null;
      failures.succeeded();
    },
    onFailure: (error) => interrupt('the disk does not take it', error),
    onDropped: (records) => {
      counted.droppedRecords += records;
    },
  });
  const interrupt = (why: string, error: unknown = new Error(why)) => {
    counted.droppedRecords += block.count;
    block = new BlockEncoder();
    retryAt = instantFromMs(clock.now() + RETRY_MS);
    reason ??= why;
    refusal = why;
    since = null;
    queue.endFile();
    failures.failed(error);
  };
  const resume = async () => {
    await queue.settled();
    if (!isBegun) recordedUntil = await lastRecordedAt(folder);
    isBegun = true;
    if (await isNearlyFull(folder, keptFreeBytes)) return interrupt('the disk is nearly full');
    since = clock.now();
    whileRecording(() => {
      if (recordedUntil === null || reason === null) return books.beginAnew(null);
      counted.gaps += 1;
      // Of the last moment there are records, which stand before this one.
      books.beginAnew({ behind: recordedUntil, reason });
    });
  };
  const endBlock = () => {
    const ended = block;
    if (!queue.add(ended)) return interrupt('the buffer is full');
    block = new BlockEncoder();
  };
  /** Whatever goes wrong here stays here: who is behind it trades. */
  const whileRecording = (work: () => void) => {
    if (since === null) return;
    try {
      work();
    } catch (error) {
      interrupt('an error', error);
    }
  };
  const note = (tokenIds: readonly string[]) =>
    whileRecording(() => {
      books.note(tokenIds);
      if (block.count >= BLOCK_RECORDS) endBlock();
    });
  const tick = async () => {
    if (since === null && clock.now() >= retryAt) {
      await resume().catch((error: unknown) => interrupt('the disk cannot be read', error));
    }
    whileRecording(() => {
      block.encode();
      if (block.span !== null && clock.now() - block.span.from >= BLOCK_MS) endBlock();
    });
  };
  const keepWithinLimits = async () => {
    const kept = { written: queue.fileName(), neededSince: neededSince() };
    await trimRecordings(folder, limits, clock.now(), kept);
    if (since !== null && (await isNearlyFull(folder, keptFreeBytes))) interrupt('the disk is nearly full');
  };

  const stops = [
    tokens.onChange(note),
    timers.every(TICK_MS, tick),
    timers.every(QUIET_MS, () => whileRecording(books.noteQuiet)),
    timers.every(TRIM_MS, keepWithinLimits),
  ];
  return {
    state: () => ({
      ...counted,
      tokens: since === null ? 0 : books.count(),
      since,
      interrupted: since === null ? { since: recordedUntil, reason: refusal } : null,
      waitingBytes: queue.waitingBytes(),
    }),
    stop: async () => {
      for (const stop of stops) stop();
      whileRecording(endBlock);
      queue.endFile();
      await queue.settled();
    },
  };
}

/** A folder that is not there yet is on a disk with room: making it will tell. */
async function isNearlyFull(folder: string, keptFreeBytes: number): Promise<boolean> {
  const found = await statfs(folder).catch(() => null);
  return found !== null && found.bavail * found.bsize < keptFreeBytes;
}
