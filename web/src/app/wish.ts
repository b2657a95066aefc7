import { ApiError, SessionOver } from './api-error.ts';

type Send<Reply> = (idempotencyKey: string) => Promise<Reply>;

/**
 * Names what somebody wants done. Asked again while the answer is not known, the same wish goes out under the same key,
 * and the server does it once; another wish, and one that was answered before, gets a key of its own.
 */
export function wishes(newKey: () => string) {
  let open: { wish: string; key: string } | undefined;
  return async <Reply>(wish: string, send: Send<Reply>): Promise<Reply> => {
    if (open?.wish !== wish) open = { wish, key: newKey() };
    try {
      const reply = await send(open.key);
      open = undefined;
      return reply;
    } catch (error) {
      if (isRefusal(error)) open = undefined;
      throw error;
    }
  };
}

/** Whether it is known that nothing was done: not sent at all, or declined by the server. */
export function isRefusal(error: unknown): boolean {
  return error instanceof SessionOver || (error instanceof ApiError && error.status < 500);
}

/** 128 bits, also where the page came over plain HTTP from another machine, which `randomUUID` refuses. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
