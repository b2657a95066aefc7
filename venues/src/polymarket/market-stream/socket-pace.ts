/** Window over which a socket's pace is measured. */
const PACE_MS = 10_000;

/** How many texts a socket brings in a time, by the clock of `performance.now()`. */
export class SocketPace {
  #sinceMs = performance.now();
  #texts = 0;

  /** A text has come. `fedAtMs`: when the socket last brought something for one of its tokens. */
  count(atMs: number, fedAtMs: number): void {
    if (atMs - this.#sinceMs > PACE_MS) {
      this.#sinceMs = fedAtMs;
      this.#texts = 0;
    }
    this.#texts += 1;
  }

  /** How many it would have brought by now that has brought nothing since. */
  missedSince(fedAtMs: number): number {
    return ((performance.now() - fedAtMs) * this.#texts) / Math.max(1, fedAtMs - this.#sinceMs);
  }
}
