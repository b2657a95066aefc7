import type { Shares } from '@dutchbook/units/shares.ts';

/** Of fewer samples nothing is said. */
const SAMPLES_MIN = 30;
const SAMPLES_MAX = 1_000;

/** What share of a displayed level is still there one latency later, on average over what was looked at last. */
export class Survival {
  readonly #shares: number[] = [];

  note(before: Shares, after: Shares): void {
    if (before <= 0) return;
    this.#shares.push(Math.min(1, after / before));
    if (this.#shares.length > SAMPLES_MAX) this.#shares.shift();
  }

  get samples(): number {
    return this.#shares.length;
  }

  /** Undefined while there are too few samples. */
  get share(): number | undefined {
    if (this.#shares.length < SAMPLES_MIN) return undefined;
    return this.#shares.reduce((sum, share) => sum + share, 0) / this.#shares.length;
  }
}
