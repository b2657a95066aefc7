import { setTimeout as pause } from 'node:timers/promises';

/** Matters only to a test that hangs: a busy machine may be twenty times slower than an idle one. */
const WITHIN_MS = 120_000;
const FIRST_PAUSE_MS = 20;
/** Most of what is waited for takes seconds, and the product needs the cores meanwhile. */
const PAUSE_MAX_MS = 250;

/** Asks until `look` gives something else than null. Where it never does, fails with what it threw last, if it threw. */
export async function eventually<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + WITHIN_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, PAUSE_MAX_MS)) {
    let failure: unknown;
    const seen = await look().catch((error: unknown) => {
      failure = error;
      return null;
    });
    if (seen !== null) return seen;
    if (Date.now() > deadline) {
      const why = failure instanceof Error ? `: ${failure.message}` : '';
      throw new Error(`${what}: not within ${WITHIN_MS / 1000} s${why}`, { cause: failure });
    }
    await pause(pauseMs);
  }
}
