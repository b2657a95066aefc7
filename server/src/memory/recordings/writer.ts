/**
 * Reads what happens to the books that are followed, and writes it into files: blocks are compressed beside what goes on, and dropped
 * where the disk or the buffer does not take them. It has no clock of its own: the caller wakes it.
 */
import { BlockEncoder } from '@dutchbook/recordings/block.ts';
import { type BookName, LoggedBooks } from '@dutchbook/recordings/logged-books.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { hasLessFree } from '../../platform/runtime/disk.ts';
import type { FailureLog } from '../../platform/runtime/failure-log.ts';
import { type BlockQueue, openBlockQueue } from './block-queue.ts';
import { lastRecordedAt, type Needed, trimRecordings } from './files.ts';
import type { HoursWorth, Limits } from './kept/what-goes.ts';
import { type NotedBooks, noteBooks } from './noted-books.ts';

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
  limits: Limits;
  /** What is left free on the disk for the database and everything else. */
  keptFreeBytes: number;
  /** Bytes of unwritten blocks; beyond that recording stops, because the disk is too slow. */
  waitingBytesMax: number;
  /** Numbers of a `BookLog`, read from this place on. */
  numbers: SharedArrayBuffer;
  place: number;
  /** Why nothing was recorded before. */
  reason: string;
  /** Totals of earlier writers. */
  counted: Pick<RecorderState, 'bytes' | 'records' | 'droppedRecords' | 'gaps'>;
};

/** Failures of recording, and of deleting what exceeds the limits. */
export type WriterFailures = { recording: FailureLog; limits: FailureLog };

/** What is to be read by now. */
export type Waking = {
  at: Instant;
  /** Since when books are published without a break. */
  begunAt: Instant;
  /** Names of books that may occur up to `place`, where reading stops. */
  names: readonly BookName[];
  place: number;
  /** Why books are not published any more; null while they are. */
  cutOff: string | null;
  /** From when on recordings are needed for something else, whatever the limits say. */
  neededSince: Instant | null;
  /** What there is in those that the limits are about. */
  worth: HoursWorth;
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
  return new FileWriter(plan, newId, failures);
}

class FileWriter implements Writer {
  readonly #plan: WriterPlan;
  readonly #failures: WriterFailures;
  readonly #counted: WriterPlan['counted'];
  readonly #read: LoggedBooks;
  readonly #books: NotedBooks;
  readonly #queue: BlockQueue;
  readonly #trim: ReturnType<typeof trimOnceAMinute>;
  #block = new BlockEncoder();
  /** End of the last block on disk, of this process or an earlier one. */
  #recordedUntil: Instant | null = null;
  /** Null while nothing is recorded. */
  #since: Instant | null = null;
  /** Why nothing was recorded until the last block that was written. */
  #reason: string | null;
  #refusal = 'starting';
  #retryAt = instantFromMs(0);
  #begunAt: Instant | null = null;
  #isCutOff = false;
  #isBegun = false;
  #now = instantFromMs(0);
  #work = Promise.resolve();

  constructor(plan: WriterPlan, newId: () => string, failures: WriterFailures) {
    const { folder, venue, limits, waitingBytesMax } = plan;
    this.#plan = plan;
    this.#failures = failures;
    this.#counted = { ...plan.counted };
    this.#reason = plan.reason;
    this.#read = new LoggedBooks(plan.numbers, plan.place);
    this.#books = noteBooks(this.#read, (record) => this.#block.add(record));
    this.#trim = trimOnceAMinute(plan, failures.limits);
    this.#queue = openBlockQueue({
      ...{ folder, venue, fileBytes: limits.maxBytes / FILES_AT_LEAST, waitingBytesMax, newId },
      onWritten: (written) => this.#countWritten(written),
      onFailure: (error) => this.#interrupt('the disk does not take it', error),
      onDropped: (records) => {
        this.#counted.droppedRecords += records;
      },
    });
  }

  wake: Writer['wake'] = (waking) => {
    this.#work = this.#work.then(() => this.#take(waking));
    return this.#work;
  };

  state: Writer['state'] = () => {
    const since = this.#since;
    return {
      ...this.#counted,
      tokens: since === null ? 0 : this.#books.count(),
      since,
      interrupted: since === null ? { since: this.#recordedUntil, reason: this.#refusal } : null,
      waitingBytes: this.#queue.waitingBytes(),
      recordedUntil: this.#recordedUntil,
      takenAt: this.#now,
      place: this.#read.place,
    };
  };

  stop: Writer['stop'] = async () => {
    await this.#work;
    if (this.#since !== null) this.#endBlock();
    this.#queue.endFile();
    await this.#queue.drained();
  };

  #countWritten({ bytes, records, until }: { bytes: number; records: number; until: Instant }): void {
    this.#counted.bytes += bytes;
    this.#counted.records += records;
    this.#recordedUntil = until;
    // Those that were written after an interruption had waited for it before.
    if (this.#since === null) return;
    this.#reason = null;
    this.#failures.recording.succeeded();
  }

  async #take(waking: Waking): Promise<void> {
    this.#now = waking.at;
    for (const name of waking.names) this.#read.name(name);
    if (waking.begunAt !== this.#begunAt) {
      this.#begunAt = waking.begunAt;
      this.#isCutOff = false;
      // Before anything is read that was published since then, however long this takes.
      await this.#resume(waking.begunAt);
    }
    this.#read.read(waking.place, this.#noteMoment);
    if (waking.cutOff !== null && !this.#isCutOff) this.#cutOff(waking.cutOff);
    if (this.#since === null && !this.#isCutOff && this.#now >= this.#retryAt) await this.#resume(this.#now);
    if (this.#since !== null) this.#noteQuiet();
    const needed = { written: this.#queue.fileName(), neededSince: waking.neededSince };
    const isChecked = await this.#trim(this.#now, needed, waking.worth);
    if (isChecked && this.#since !== null && (await this.#isNearlyFull())) this.#interrupt(NEARLY_FULL);
  }

  readonly #noteMoment: NotedBooks['note'] = (at, reported) => {
    if (this.#since === null) return;
    this.#books.note(at, reported);
    if (this.#block.count >= BLOCK_RECORDS) this.#endBlock();
  };

  #noteQuiet(): void {
    this.#books.noteQuiet(this.#now);
    const { span } = this.#block;
    if (span !== null && this.#now - span.from >= BLOCK_MS) this.#endBlock();
  }

  #endBlock(): void {
    if (this.#queue.add(this.#block)) this.#block = new BlockEncoder();
    else this.#interrupt('the buffer is full');
  }

  #cutOff(why: string): void {
    this.#isCutOff = true;
    if (this.#since !== null) this.#endBlock();
    this.#interrupt(why);
    this.#read.forget();
  }

  #interrupt(why: string, error: unknown = new Error(why)): void {
    this.#counted.droppedRecords += this.#block.count;
    this.#block = new BlockEncoder();
    this.#retryAt = instantFromMs(this.#now + RETRY_MS);
    this.#reason ??= why;
    this.#refusal = why;
    this.#since = null;
    this.#queue.endFile();
    this.#failures.recording.failed(error);
  }

  async #resume(at: Instant): Promise<void> {
    try {
      await this.#queue.drained();
      if (!this.#isBegun) this.#recordedUntil = await lastRecordedAt(this.#plan.folder);
      this.#isBegun = true;
      if (await this.#isNearlyFull()) return this.#interrupt(NEARLY_FULL);
      this.#beginAnew(at);
    } catch (error) {
      this.#interrupt('the disk cannot be read', error);
    }
  }

  #beginAnew(at: Instant): void {
    this.#since = at;
    const [behind, reason] = [this.#recordedUntil, this.#reason];
    const gap = behind === null || reason === null ? null : { behind, reason };
    if (gap !== null) this.#counted.gaps += 1;
    // Of the last moment there are records, which stand before this one.
    this.#books.beginAnew(at, gap);
  }

  #isNearlyFull(): Promise<boolean> {
    return hasLessFree(this.#plan.folder, this.#plan.keptFreeBytes);
  }
}

/** @returns what does so when it is called often, and says whether it has */
function trimOnceAMinute({ folder, limits }: WriterPlan, failures: FailureLog) {
  let trimmedAt: Instant | null = null;
  return async (now: Instant, needed: Needed, worth: HoursWorth): Promise<boolean> => {
    trimmedAt ??= now;
    if (now - trimmedAt < TRIM_MS) return false;
    trimmedAt = now;
    try {
      await trimRecordings(folder, limits, now, needed, worth);
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
    return true;
  };
}
