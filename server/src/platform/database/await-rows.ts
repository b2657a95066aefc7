import type { Runtime } from '../runtime/runtime.ts';

const ASK_EVERY_MS = 75;

/**
 * Waits for what another part of the product, or another process, is about to write: reads until `isEnough` or until
 * `limitMs` have passed, and answers what was read last.
 */
export async function awaitRows<Rows>(
  { clock, timers }: Pick<Runtime, 'clock' | 'timers'>,
  limitMs: number,
  read: () => Promise<Rows>,
  isEnough: (rows: Rows) => boolean,
): Promise<Rows> {
  const until = clock.now() + limitMs;
  for (;;) {
    const rows = await read();
    if (isEnough(rows) || clock.now() >= until) return rows;
    await new Promise<void>((resolve) => void timers.after(ASK_EVERY_MS, resolve));
  }
}
