/** Far more than a comparison takes at a venue that is well. */
const TURN_MS = 1000;

type Waiting = { isWanted: () => boolean; begin: (isGranted: boolean) => void };

/**
 * Lets the sockets of a process compare their books with REST one after the other, those that have waited longest first.
 * A turn lasts a second, and longer where the comparison does: there are never more than `atOnce` under way, nor begin more
 * of them in any second. Counted in timers, whatever the clock does.
 */
export class ComparisonTurns {
  readonly #waiting: Waiting[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Compares when it is its turn: at once while there is a free one. Not at all where it is then not wanted any more. */
  async take(isWanted: () => boolean, compare: () => Promise<void>): Promise<void> {
    if (!(await this.#granted(isWanted))) return;
    const over = new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, TURN_MS);
      this.#timers.add(timer);
    });
    const compared = compare();
    void Promise.allSettled([compared, over]).then(() => this.#handOn());
    await compared;
  }

  /** Nobody's turn comes any more. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const { begin } of this.#waiting.splice(0)) begin(false);
  }

  #granted(isWanted: () => boolean): Promise<boolean> | boolean {
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    return new Promise((begin) => this.#waiting.push({ isWanted, begin }));
  }

  #handOn(): void {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const isWanted = next.isWanted();
      next.begin(isWanted);
      if (isWanted) return;
    }
    this.#free += 1;
  }
}
