/**
 * Reads what happens to the books that are followed, and writes it into files: blocks are compressed beside what goes on, and dropped
 * where the disk or the buffer does not take them. It has no clock of its own: the caller wakes it.
 */
import { BlockEncoder } from '@dutchbook/recordings/block.ts';
import { type BookName, LoggedBooks } from '@dutchbook/recordings/logged-books.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { hasLessFree } from '../../platform/runtime/disk.ts';
import type { FailureLog } from '../../platform/runtime/failure-log.ts';
import { openBlockQueue } from './block-queue.ts';
import { lastRecordedAt, trimRecordings } from './files.ts';
import { noteBooks } from './noted-books.ts';

/** A block is ended at a waking once its first record is as old, or once it has as many records: with what waits, two seconds at most. */
const BLOCK_MS = 1500;
const BLOCK_RECORDS = 2000;
/** Within the limit by bytes: what goes is the oldest of so many, not all. */
const FILES_AT_LEAST = 16;
export const RETRY_MS = 10_000;
const TRIM_MS = 60_000;
const NEARLY_FULL = 'the disk is nearly full';

export type WriterPlan = {
  folder: string;
  venue: string;
  limits: { maxBytes: number; days: number };
  /** What is left free on the disk for the database and everything else. */
  keptFreeBytes: number;
  /** Of blocks that are not written yet: a disk that takes seconds for one is not waited for longer. */
  waitingBytesMax: number;
  /** Of a `BookLog`, from this place on. */
  numbers: SharedArrayBuffer;
  place: number;
  /** Why nothing was recorded before. */
  reason: string;
  /** Of those before it. */
  counted: Pick<RecorderState, 'bytes' | 'records' | 'droppedRecords' | 'gaps'>;
};

/** Of recording, and of keeping what is recorded within its limits. */
export type WriterFailures = { recording: FailureLog; limits: FailureLog };

/** What is to be read by now. */
export type Waking = {
  at: Instant;
  /** Since when books are told of without a break. */
  begunAt: Instant;
  /** Of books that may come up until `place`, up to which it is to be read. */
  names: readonly BookName[];
  place: number;
  /** Why nothing more is told of any book; null while it is. */
  cutOff: string | null;
  /** From when on recordings are needed for something else, whatever the limits say. */
  neededSince: Instant | null;
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

/** `takenAt`: when it was last woken. `place`: up to which it has read by now. */
export type WriterState = RecorderState & { recordedUntil: Instant | null; takenAt: Instant; place: number };

export type Writer = {
  /** Rejects where it cannot go on, and is not to be woken again. */
  wake: (waking: Waking) => Promise<void>;
  state: () => WriterState;
  stop: () => Promise<void>;
};

/** `newId`: eight hexadecimal digits by chance. */
export function openWriter(plan: WriterPlan, newId: () => string, failures: WriterFailures): Writer {
  const { folder, venue, limits, keptFreeBytes, waitingBytesMax } = plan;
  const counted = { ...plan.counted };
  const read = new LoggedBooks(plan.numbers, plan.place);
  let block = new BlockEncoder();
  const books = noteBooks(read, (record) => block.add(record));
  /** Of the last block on disk, by this process or by one before it. */
  let recordedUntil: Instant | null = null;
  /** Null while nothing is recorded. */
  let since: Instant | null = null;
  /** Why nothing was recorded until the last block that was written. */
  let reason: string | null = plan.reason;
  let refusal = 'starting';
  let retryAt = instantFromMs(0);
  let begunAt: Instant | null = null;
  let isCutOff = false;
  let isBegun = false;
  let now = instantFromMs(0);
  const trim = trimOnceAMinute(plan, failures.limits);
  let work = Promise.resolve();

  const queue = openBlockQueue({
    ...{ folder, venue, fileBytes: limits.maxBytes / FILES_AT_LEAST, waitingBytesMax, newId },
    onWritten: ({ bytes, records, until }) => {
      counted.bytes += bytes;
      counted.records += records;
      recordedUntil = until;
      // Those that were written after an interruption had waited for it before.
      if (since === null) return;
      reason = null;
      failures.recording.succeeded();
    },
    onFailure: (error) => interrupt('the disk does not take it', error),
    onDropped: (records) => {
      counted.droppedRecords += records;
    },
  });
  const interrupt = (why: string, error: unknown = new Error(why)) => {
    counted.droppedRecords += block.count;
    block = new BlockEncoder();
    retryAt = instantFromMs(now + RETRY_MS);
    reason ??= why;
    refusal = why;
    since = null;
    queue.endFile();
    failures.recording.failed(error);
  };
  const resume = async (at: Instant) => {
    await queue.settled();
    if (!isBegun) recordedUntil = await lastRecordedAt(folder);
    isBegun = true;
    if (await hasLessFree(folder, keptFreeBytes)) return interrupt(NEARLY_FULL);
    since = at;
    if (recordedUntil === null || reason === null) return books.beginAnew(at, null);
    counted.gaps += 1;
    // Of the last moment there are records, which stand before this one.
    books.beginAnew(at, { behind: recordedUntil, reason });
  };
  const cannotResume = (error: unknown) => interrupt('the disk cannot be read', error);
  const endBlock = () => {
    const ended = block;
    if (!queue.add(ended)) return interrupt('the buffer is full');
    block = new BlockEncoder();
  };
  const noteMoment: typeof books.note = (at, told) => {
    if (since === null) return;
    books.note(at, told);
    if (block.count >= BLOCK_RECORDS) endBlock();
  };
  const take = async (waking: Waking) => {
    now = waking.at;
    for (const name of waking.names) read.name(name);
    if (waking.begunAt !== begunAt) {
      begunAt = waking.begunAt;
      isCutOff = false;
      // Before anything is read that was told since then, however long this takes.
      await resume(begunAt).catch(cannotResume);
    }
    read.read(waking.place, noteMoment);
    if (waking.cutOff !== null && !isCutOff) {
      isCutOff = true;
      if (since !== null) endBlock();
      interrupt(waking.cutOff);
      read.forget();
    }
    if (since === null && !isCutOff && now >= retryAt) await resume(now).catch(cannotResume);
    if (since !== null) {
      books.noteQuiet(now);
      if (block.span !== null && now - block.span.from >= BLOCK_MS) endBlock();
    }
    const isChecked = await trim(now, { written: queue.fileName(), neededSince: waking.neededSince });
    if (isChecked && since !== null && (await hasLessFree(folder, keptFreeBytes))) interrupt(NEARLY_FULL);
  };

  return {
    wake: (waking) => {
      work = work.then(() => take(waking));
      return work;
    },
    state: () => ({
      ...counted,
      tokens: since === null ? 0 : books.count(),
      since,
      interrupted: since === null ? { since: recordedUntil, reason: refusal } : null,
      waitingBytes: queue.waitingBytes(),
      recordedUntil,
      takenAt: now,
      place: read.place,
    }),
    stop: async () => {
      await work;
      if (since !== null) endBlock();
      queue.endFile();
      await queue.settled();
    },
  };
}

/** @returns what does so when it is called often, and says whether it has */
function trimOnceAMinute({ folder, limits }: WriterPlan, failures: FailureLog) {
  let trimmedAt: Instant | null = null;
  return async (now: Instant, kept: Parameters<typeof trimRecordings>[3]): Promise<boolean> => {
    trimmedAt ??= now;
    if (now - trimmedAt < TRIM_MS) return false;
    trimmedAt = now;
    try {
      await trimRecordings(folder, limits, now, kept);
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
    return true;
  };
}
