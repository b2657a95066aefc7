import { ApiError, SessionOver } from './api-error.ts';

type Send<Reply> = (idempotencyKey: string) => Promise<Reply>;

/** Declined before the server looked at what was asked: of an earlier time it was asked, that says nothing. */
const NOT_PROCESSED = [401, 403, 429];

/**
 * Gives each request of the user a key. Asked again while the answer is not known, the same request goes out under the same key,
 * and the server does it once; another request, and one that was answered before, gets a key of its own.
 */
export function idempotentRequests(newKey: () => string) {
  const keys = new Map<string, string>();
  return {
    /** Keys of requests whose outcome is unknown. */
    open: (): readonly string[] => [...keys.keys()],
    async ask<Reply>(request: string, send: Send<Reply>): Promise<Reply> {
      const before = keys.get(request);
      const key = before ?? newKey();
      keys.set(request, key);
      try {
        const reply = await send(key);
        keys.delete(request);
        return reply;
      } catch (error) {
        if (before === undefined ? isRefusal(error) : isAnswer(error)) keys.delete(request);
        throw error;
      }
    },
  };
}

/** Whether it is known that this time nothing was done: not sent at all, or declined by the server. */
export function isRefusal(error: unknown): boolean {
  return error instanceof SessionOver || (error instanceof ApiError && error.status < 500);
}

/** Whether the server has also said that nothing was done before under the same key. */
function isAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && !NOT_PROCESSED.includes(error.status);
}

/** 128 bits, also where the page came over plain HTTP from another machine, which `randomUUID` refuses. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
