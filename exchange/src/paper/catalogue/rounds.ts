import type { UpstreamCalls } from '../upstream/calls.ts';

/** The rounds of a reader, which go on until its calls are closed, and why the last one ended early. */
export class Rounds {
  readonly #calls: Pick<UpstreamCalls, 'isClosed'>;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Null where it did not. */
  trouble: string | null = null;

  constructor(calls: Pick<UpstreamCalls, 'isClosed'>) {
    this.#calls = calls;
  }

  note(error: unknown): void {
    if (!this.#calls.isClosed) this.trouble = error instanceof Error ? error.message : String(error);
  }

  later(ms: number, run: () => Promise<void>): void {
    if (this.#calls.isClosed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void run();
    }, ms).unref();
    this.#timers.add(timer);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
