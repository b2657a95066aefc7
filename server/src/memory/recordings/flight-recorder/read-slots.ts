/** Limits reads of recordings: one answer at a time for each user, and few in all, since each has to expand what it reads. */
import type { FastifyReply } from 'fastify';
import { Refusal, TooMany } from '../../../platform/http/errors.ts';

const AT_ONCE = 2;
const WAITING_PER_USER = 4;
const RETRY_SECONDS = 5;

export type ReadSlots = <Answer>(
  caller: { userId: string; reply: Pick<FastifyReply, 'raw'> },
  read: (signal: AbortSignal) => Promise<Answer>,
) => Promise<Answer>;

/** Runs `read` once the user's reads before it have ended and there is room; its signal aborts when the caller hangs up. */
export function openReadSlots(): ReadSlots {
  const users = new Map<string, { waiting: number; last: Promise<unknown> }>();
  let running = 0;
  const waiters: (() => void)[] = [];

  const start = async () => {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiters.push(resolve));
    else running += 1;
  };
  const end = () => {
    const next = waiters.shift();
    if (next === undefined) running -= 1;
    else next();
  };

  return async ({ userId, reply }, read) => {
    const own = users.get(userId) ?? { waiting: 0, last: Promise.resolve() };
    if (own.waiting > WAITING_PER_USER) {
      throw new TooMany('You are reading the past several times already. Wait for these first.', RETRY_SECONDS);
    }
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    if (reply.raw.destroyed) gone.abort();
    users.set(userId, own);
    own.waiting += 1;
    const before = own.last;
    const reading = (async () => {
      await before.catch(() => {});
      gone.signal.throwIfAborted();
      await start();
      try {
        gone.signal.throwIfAborted();
        return await read(gone.signal);
      } finally {
        end();
      }
    })();
    own.last = reading;
    try {
      return await reading;
    } catch (error) {
      throw gone.signal.aborted ? new Refusal(499, 'The caller has hung up') : error;
    } finally {
      own.waiting -= 1;
      if (own.waiting === 0) users.delete(userId);
    }
  };
}
