import { ApiError, SessionOver, waitAskedMs } from '../calls/api-error.ts';
import { randomKey } from '../calls/idempotent-requests.ts';

/** Wait after a 429 without `Retry-After`. */
const WAIT_MS = 1_000;

type Run<Row> = {
  /** Makes the call for one row; a repetition has the same idempotency key. */
  each: (row: Row, idempotencyKey: string) => Promise<unknown>;
  onProgress: (ended: number) => void;
  signal: AbortSignal;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type Outcome<Row> = { done: Row[]; failed: { row: Row; error: unknown }[] };

/**
 * Makes one call for each row, one after another, so that other users need not wait. After a 429 it waits as long as the server says and
 * repeats the call. It ends after the last row, when `signal` aborts, or with the session.
 */
export async function runForEach<Row>(rows: readonly Row[], run: Run<Row>): Promise<Outcome<Row>> {
  const outcome: Outcome<Row> = { done: [], failed: [] };
  for (const row of rows) {
    if (run.signal.aborted) break;
    try {
      await untilTaken(row, run);
      outcome.done.push(row);
    } catch (error) {
      outcome.failed.push({ row, error });
      if (error instanceof SessionOver || (error instanceof ApiError && error.endsSession)) break;
    }
    run.onProgress(outcome.done.length + outcome.failed.length);
  }
  return outcome;
}

async function untilTaken<Row>(row: Row, { each, signal, wait }: Run<Row>): Promise<void> {
  const key = randomKey();
  for (;;) {
    try {
      await each(row, key);
      return;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 429) || signal.aborted) throw error;
      await wait(waitAskedMs(error) || WAIT_MS, signal);
    }
  }
}

/** Ends early when `signal` aborts. */
export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}
