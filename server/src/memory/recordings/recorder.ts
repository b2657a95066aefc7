/**
 * Writes down the books that are followed, outside the trading path: books say as they change what has changed, in plain numbers, and
 * after all other listeners it is called for the books it follows. All else is done by a `Writer`, in a thread of its own or here.
 */

import { BookLog, sharedNumbers } from '@dutchbook/recordings/book-log.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { TokenBooks } from '../../market/prices/quotes/quotes.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { type HoursWorth, NOTHING_WORTH } from './kept/what-goes.ts';
import { publishBooks } from './published-books.ts';
import {
  openWriter,
  RETRY_MS,
  type RecorderState,
  type Writer,
  type WriterFailures,
  type WriterPlan,
} from './writer.ts';

const TICK_MS = 250;
/** 8 MB: some 100,000 frames, which may come in before the writer runs. */
const LOG_NUMBERS = 2 ** 20;
const WAITING_BYTES_MAX = 16_000_000;
const KEPT_FREE_BYTES = 500_000_000;
/** A writer that has not answered for so long may have something that is not on disk. */
const LATE_MS = 500;
const NOTHING_COUNTED = { bytes: 0, records: 0, droppedRecords: 0, gaps: 0 };

export type RecorderPlan = Pick<WriterPlan, 'folder' | 'venue' | 'limits'> & {
  tokens: TokenBooks;
  neededSince?: () => Instant | null;
  worth?: () => HoursWorth;
  /** These three are smaller in tests. */
  keptFreeBytes?: number;
  waitingBytesMax?: number;
  logNumbers?: number;
};

export type Recorder = { state: () => RecorderState; stop: () => Promise<void> };

/** `onBroken`: it cannot go on, and is not to be woken again. */
export type OpenWriter = (
  plan: WriterPlan,
  parts: Pick<Runtime, 'random'> & { failures: WriterFailures; onBroken: (error: unknown) => void },
) => Writer;

/** Without a thread of its own: where a test moves the time. */
const openWriterHere: OpenWriter = (plan, { random, failures }) =>
  openWriter(plan, () => Buffer.from(random.bytes(4)).toString('hex'), failures);

export function startRecorder(
  runtime: Pick<Runtime, 'clock' | 'timers' | 'random' | 'log'>,
  plan: RecorderPlan,
  open: OpenWriter = openWriterHere,
): Recorder {
  const { folder, venue, limits, tokens, neededSince = () => null, worth = () => NOTHING_WORTH } = plan;
  const { keptFreeBytes = KEPT_FREE_BYTES, waitingBytesMax = WAITING_BYTES_MAX, logNumbers = LOG_NUMBERS } = plan;
  const { clock, timers, random } = runtime;
  const failures = {
    recording: openFailureLog(runtime.log, 'warn', 'recording interrupted'),
    limits: openFailureLog(runtime.log, 'error', 'recordings not kept within their limits'),
  };
  const numbers = sharedNumbers(logNumbers);
  const log = new BookLog(numbers);
  const books = publishBooks(clock, tokens, log);
  /** Why nothing is recorded; null while it is. */
  let cutOff: string | null = null;
  let isBroken = false;
  let begunAt = clock.now();
  let retryAt = begunAt;
  let wokenPlace = 0;
  let dropped = 0;

  const openAt = (place: number, before: Pick<WriterPlan, 'reason' | 'counted'>) => {
    const written = { folder, venue, limits, keptFreeBytes, waitingBytesMax, numbers, place, ...before };
    const opened: Writer = open(written, { random, failures, onBroken: (error) => giveUp(opened, error) });
    return opened;
  };
  const cut = (why: string) => {
    log.lose();
    books.forget();
    cutOff = why;
    retryAt = instantFromMs(clock.now() + RETRY_MS);
  };
  /** The next writer begins with whole books. */
  const giveUp = (broken: Writer, error: unknown) => {
    if (broken !== writer || isBroken) return;
    isBroken = true;
    cut('an error');
    failures.recording.failed(error);
  };
  let writer = openAt(0, { reason: 'not running', counted: NOTHING_COUNTED });

  const wake = async () => {
    if (isBroken) return;
    const woken = writer;
    wokenPlace = log.place;
    try {
      const reported = { at: clock.now(), begunAt, names: books.takeNames(), place: log.place, cutOff };
      await woken.wake({ ...reported, neededSince: neededSince(), worth: worth() });
      log.free(writer.state().place);
    } catch (error) {
      giveUp(woken, error);
    }
  };
  /** Whatever goes wrong here stays here: who is behind it trades. */
  const whileTelling = (work: (tokenIds: readonly TokenId[]) => void, tokenIds: readonly TokenId[] = []) => {
    if (cutOff === null) {
      try {
        work(tokenIds);
        if (log.isLost) cut('the buffer is full');
      } catch (error) {
        cut('an error');
        failures.recording.failed(error);
      }
      if (cutOff !== null || log.waiting(wokenPlace) > logNumbers / 4) void wake();
    }
    if (cutOff !== null) dropped += tokenIds.length;
  };
  const beginAnew = () => {
    if (isBroken) {
      const { bytes, records, droppedRecords, gaps } = writer.state();
      writer = openAt(log.place, { reason: 'an error', counted: { bytes, records, droppedRecords, gaps } });
    }
    isBroken = false;
    cutOff = null;
    begunAt = clock.now();
    log.beginAnew(writer.state().place);
  };
  const tick = async () => {
    if (cutOff !== null && clock.now() >= retryAt) beginAnew();
    whileTelling(books.reportRest);
    await wake();
  };

  const stops = [tokens.onChange((tokenIds) => whileTelling(books.tell, tokenIds)), timers.every(TICK_MS, tick)];
  return {
    state: () => {
      const { recordedUntil, takenAt, place, ...state } = writer.state();
      const isLate = clock.now() - takenAt > LATE_MS;
      const waitingBytes = state.waitingBytes + (isLate ? Math.max(1, log.waiting(place)) : 0);
      const reported = { ...state, waitingBytes, droppedRecords: state.droppedRecords + dropped };
      if (cutOff === null) return reported;
      return { ...reported, tokens: 0, since: null, interrupted: { since: recordedUntil, reason: cutOff } };
    },
    stop: async () => {
      for (const stop of stops) stop();
      await wake();
      log.lose();
      if (!isBroken) await writer.stop();
    },
  };
}
