import { DrizzleQueryError } from 'drizzle-orm';
import type { Timers } from '../runtime/runtime.ts';

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
