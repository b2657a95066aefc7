import type { Instant } from '@dutchbook/units/instant.ts';
import { DrizzleQueryError, sql } from 'drizzle-orm';
import type { DatabaseWatch, Runtime, Timers } from '../runtime/runtime.ts';

/** The database was not reached, or has not answered in time: nothing is known of what it was asked. */
export class DatabaseDown extends Error {
  override readonly name = 'DatabaseDown';
}

/** Connection lost (08), out of room, memory or connections (53), shutting down or starting (57P), disk failing (58). */
const SERVER_CANNOT = /^(?:08|53|57P|58)/;
const SOCKET_BROKE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);
/** What the driver says of its connection, without a code. */
const CONNECTION_BROKE =
  /^Connection terminated|^Client has encountered a connection error|timeout exceeded when trying/;

/** Whether a statement failed because the database cannot work just now, and not because of what it was asked. */
export function isDatabaseDown(error: unknown): boolean {
  if (error instanceof DatabaseDown) return true;
  if (!(error instanceof DrizzleQueryError) || error.cause === undefined) return false;
  const { cause } = error;
  if (cause instanceof DatabaseDown) return true;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return SERVER_CANNOT.test(code) || SOCKET_BROKE.has(code) || CONNECTION_BROKE.test(cause.message);
}

/** What the database answers, if it does within `ms`. @throws DatabaseDown when it does not */
export function answeredWithin<T>(timers: Timers, ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopWaiting = timers.after(ms, () => reject(new DatabaseDown(`the database has not answered for ${ms} ms`)));
    answer.then(resolve, reject).finally(stopWaiting);
  });
}

const ASK_EVERY_MS = 1000;
/** Fewer answers that are late in a row are load, or an event loop that was blocked. */
const SILENT_AFTER_CHECKS = 3;

type Watched = Pick<Runtime, 'clock' | 'timers' | 'log'> & {
  dbFor: Pick<Runtime['dbFor'], 'sessions'>;
  /** How many statements the database has answered so far, to any part of this process. */
  answered: () => number;
};

/**
 * Asks the database once a second whether it answers, by the connections that look up callers. One question is under way at a time: a
 * frozen server answers all that it was asked once it goes on. While callers queue for those connections the question waits behind them:
 * an answer to any other statement counts as well.
 */
export function watchDatabase({ clock, timers, dbFor, answered, log }: Watched): DatabaseWatch & { stop: () => void } {
  let answeredAt: Instant = clock.now();
  let answeredBefore = answered();
  let isAsking = false;
  let late = 0;
  const waiting = new Set<(error: DatabaseDown) => void>();

  const isSilent = () => late >= SILENT_AFTER_CHECKS;
  const down = () => new DatabaseDown('the database does not answer');
  const hear = () => {
    if (isSilent()) log.info({ silentMs: clock.now() - answeredAt }, 'database answers again');
    answeredAt = clock.now();
    answeredBefore = answered();
    late = 0;
  };
  const count = () => {
    if (answered() > answeredBefore) return hear();
    late += 1;
    if (!isSilent()) return;
    if (late === SILENT_AFTER_CHECKS) log.error('database silent: no order is placed, calls are refused');
    for (const giveUp of waiting) giveUp(down());
    waiting.clear();
  };
  const ask = async () => {
    isAsking = true;
    try {
      await dbFor.sessions.execute(sql`select 1`);
      hear();
    } catch {
      count();
    } finally {
      isAsking = false;
    }
  };
  const stop = timers.every(ASK_EVERY_MS, () => {
    if (isAsking) count();
    else void ask();
  });

  return {
    stop,
    silentMs: () => (isSilent() ? Math.max(0, clock.now() - answeredAt) : null),
    whileItAnswers: (answer) =>
      new Promise((resolve, reject) => {
        if (isSilent()) reject(down());
        else waiting.add(reject);
        answer.then(resolve, reject).finally(() => waiting.delete(reject));
      }),
  };
}

/** Of a process that looks at nothing but its own calls: each waits for as long as its answer takes. */
export const UNWATCHED: DatabaseWatch = { silentMs: () => null, whileItAnswers: (answer) => answer };
