const POLL_MS = 10;
const PATIENCE_MS = 60_000;

/**
 * Lets a case wait for what a stream brings: `until` looks again after every announcement, and now and then in between
 * for states that come without one.
 */
export class Journal {
  readonly #waiting = new Set<() => void>();

  /** Records an announcement and lets the waiting look. */
  add(record: () => unknown): void {
    record();
    for (const look of this.#waiting) look();
  }

  /** Resolves with what `find` finds, once it finds something. Rejects with `what` when that takes too long. */
  until<T>(what: string, find: () => T | undefined | null | false, patienceMs = PATIENCE_MS): Promise<T> {
    return new Promise((resolve, reject) => {
      const finish = (end: () => void) => {
        clearInterval(poll);
        clearTimeout(patience);
        this.#waiting.delete(look);
        end();
      };
      const look = () => {
        const found = find();
        if (found) finish(() => resolve(found));
      };
      const poll = setInterval(look, POLL_MS);
      const patience = setTimeout(() => finish(() => reject(new Error(`did not happen: ${what}`))), patienceMs);
      this.#waiting.add(look);
      look();
    });
  }
}
