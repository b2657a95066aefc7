import { setTimeout as pause } from 'node:timers/promises';

/** Asks until `look` gives something else than null; fails with what it last saw when `withinMs` has passed. */
export async function eventually<T>(what: string, look: () => Promise<T | null>, withinMs = 30_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const seen = await look().catch(() => null);
    if (seen !== null) return seen;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${withinMs} ms`);
    await pause(50);
  }
}
