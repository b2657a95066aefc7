/**
 * Where the lines of the log go. Writing one never waits: what a full disk, a file that takes nothing or a pipe that is not read
 * keeps from being written is dropped and counted, because whatever halts trading would stand behind it.
 */
import { constants as openAs, openSync, writeSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';
import { type DestinationStream, pino } from 'pino';

/** `dropped`: lines since the start. `failure`: why lines are dropped now; null while they are written. */
export type LogState = { dropped: number; failure: string | null };
export type LogSink = DestinationStream & { state: () => LogState };

/** Bytes of lines that the reader has not taken yet. */
const WAITING_BYTES_MAX = 1_000_000;
const TRY_AGAIN_MS = 20;
const NOT_READ = 'nothing reads it';
const LINE_END = Buffer.from('\n');

/** After dropped lines the first one that is written says how many they were. */
export function openLogSink(descriptor = standardError()): LogSink {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  /** The last write has ended within a line. */
  let isTorn = false;
  let failure: string | null = null;
  let dropped = 0;
  let droppedInRow = 0;
  let isTryingAgain = false;

  const drop = (lines: number, why: string) => {
    failure = why;
    dropped += lines;
    droppedInRow += lines;
  };
  const flush = () => {
    try {
      while (waiting[0] !== undefined) {
        const [line] = waiting;
        const written = writeSync(descriptor, line);
        waitingBytes -= written;
        isTorn = written < line.length;
        if (isTorn) waiting[0] = line.subarray(written);
        else waiting.shift();
      }
    } catch (error) {
      if (isBusy(error)) return;
      drop(waiting.length, reasonOf(error));
      waiting = [];
      waitingBytes = 0;
    }
  };
  const take = (text: string) => {
    const line = Buffer.from(text);
    if (failure !== null) return drop(1, failure);
    if (waitingBytes + line.length > WAITING_BYTES_MAX) return drop(1, NOT_READ);
    waiting.push(isTorn && waiting.length === 0 ? Buffer.concat([LINE_END, line]) : line);
    waitingBytes += waiting.at(-1)?.length ?? 0;
    if (waiting.length === 1) flush();
  };
  const tellDropped = () => {
    const lines = droppedInRow;
    const text = { level: pino.levels.values.warn, time: Date.now(), lines, reason: failure, msg: 'log lines dropped' };
    failure = null;
    droppedInRow = 0;
    take(`${JSON.stringify(text)}\n`);
    if (failure === null) return;
    droppedInRow = lines;
    dropped -= 1;
  };
  const tryAgainLater = () => {
    if (isTryingAgain || (failure === null && waiting.length === 0)) return;
    isTryingAgain = true;
    setTimeout(() => {
      isTryingAgain = false;
      flush();
      if (failure !== null && waiting.length === 0) tellDropped();
      tryAgainLater();
    }, TRY_AGAIN_MS).unref();
  };
  return {
    write: (text) => {
      take(text);
      tryAgainLater();
    },
    state: () => ({ dropped, failure }),
  };
}

/**
 * Node does not wait for pipes and sockets once it has opened them as `process.stderr`. For a terminal it does, which Ctrl-S
 * stops, so that is opened a second time.
 */
function standardError(): number {
  const { fd, isTTY } = process.stderr;
  if (!isTTY) return fd;
  try {
    return openSync(`/dev/fd/${fd}`, openAs.O_WRONLY | openAs.O_NONBLOCK | openAs.O_NOCTTY);
  } catch {
    return fd;
  }
}

/** It will take more later. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'errno' in error && typeof error.errno === 'number' ? getSystemErrorMessage(error.errno) : error.message;
}
