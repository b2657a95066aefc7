/** Calls that the median is taken of. */
const SAMPLES = 31;
/** Until there is a measured one. */
const ASSUMED_MS = 150;
/** An order that would take longer is not waited for: clients have given it up. */
const LATENCY_MAX_MS = 700;

/** How long a call to the real venue takes, by the calls of the last minutes. */
export class Latency {
  readonly #samples: number[] = [];
  readonly #fixedMs: number | undefined;

  /** @param fixedMs instead of what is measured */
  constructor(fixedMs?: number) {
    this.#fixedMs = fixedMs;
  }

  note(ms: number): void {
    this.#samples.push(ms);
    if (this.#samples.length > SAMPLES) this.#samples.shift();
  }

  /** The median, in whole ms. */
  get ms(): number {
    if (this.#fixedMs !== undefined) return this.#fixedMs;
    const sorted = this.#samples.toSorted((a, b) => a - b);
    return Math.min(LATENCY_MAX_MS, Math.ceil(sorted[sorted.length >> 1] ?? ASSUMED_MS));
  }

  get samples(): number {
    return this.#samples.length;
  }
}
