import type { TokenFeed } from './token-feed.ts';

/** Forgets that REST agreed with a book once that lies too far back. Counted in timers, whatever the clock does. */
export class Agreements {
  readonly #lastMs: number;
  readonly #onOutdated: (feeds: readonly TokenFeed[]) => void;
  readonly #timers = new Set<NodeJS.Timeout>();

  /** `lastMs`: for how long an agreement says something about a book. */
  constructor(lastMs: number, onOutdated: (feeds: readonly TokenFeed[]) => void) {
    this.#lastMs = lastMs;
    this.#onOutdated = onOutdated;
  }

  /** These feeds have just been compared. */
  note(compared: readonly TokenFeed[]): void {
    const turns = new Map(compared.filter(({ hasAgreed }) => hasAgreed).map((feed) => [feed, feed.checkedTurn]));
    if (turns.size === 0) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const outdated = [...turns].filter(([feed, turn]) => feed.checkedTurn === turn).map(([feed]) => feed);
      for (const feed of outdated) feed.hasAgreed = false;
      this.#onOutdated(outdated);
    }, this.#lastMs);
    this.#timers.add(timer);
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
