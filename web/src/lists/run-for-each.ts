import { ApiError, SessionOver, waitAskedMs } from '../calls/api-error.ts';
import { randomKey } from '../calls/idempotent-requests.ts';

/** How long to wait where the server refuses for asking too often and does not say for how long. */
const WAIT_MS = 1_000;

type Run<Row> = {
  /** Does it with one row; asked again, it is the same request by its key. */
  each: (row: Row, idempotencyKey: string) => Promise<unknown>;
  onProgress: (ended: number) => void;
  signal: AbortSignal;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type Outcome<Row> = { done: Row[]; failed: { row: Row; error: unknown }[] };

/**
 * Does one thing with many rows, one after another, so that no other user waits for them: refused for asking too often, it
 * waits as long as the server says and asks the same again. It ends with the rows, when `signal` says so, or with the session.
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

/** Ends early when `signal` says so. */
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
