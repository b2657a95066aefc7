import type { TokenId } from '@dutchbook/units/ids.ts';

/** The times until tokens have to have brought their books. `onLate` gets all tokens of a wait, those that have brought theirs as well. */
export class SnapshotWaits {
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #waitMs: number;
  readonly #onLate: (tokenIds: readonly TokenId[]) => void;

  constructor(waitMs: number, onLate: (tokenIds: readonly TokenId[]) => void) {
    this.#waitMs = waitMs;
    this.#onLate = onLate;
  }

  begin(tokenIds: readonly TokenId[]): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#onLate(tokenIds);
    }, this.#waitMs);
    this.#timers.add(timer);
  }

  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
