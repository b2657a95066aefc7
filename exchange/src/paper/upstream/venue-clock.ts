import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';

/** The `Date` of an answer has whole seconds. */
const SECOND_MS = 1_000;
/** Answers that are remembered: the two clocks do not drift apart meanwhile. */
const ANSWERS = 64;

/** How far the clock of a venue may be from that of `performance.now()`. */
interface Bounds {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** The time at a venue by what its answers carry, whatever the clocks of this machine and of this exchange say. */
export class VenueClock {
  #answers: Bounds[] = [];

  /**
   * An answer has come. The venue wrote its time after it was asked, and before the answer was here.
   * @param date of its header; what is none says nothing
   */
  noteAnswer(date: string | null, askedAtMs: number, cameAtMs: number): void {
    const ms = Date.parse(date ?? '');
    if (Number.isNaN(ms)) return;
    const bounds = { leastMs: ms - cameAtMs, mostMs: ms + SECOND_MS - askedAtMs };
    // Where one of the clocks was set, what was known before is of no use.
    const isApart = this.#answers.some(({ leastMs, mostMs }) => leastMs > bounds.mostMs || mostMs < bounds.leastMs);
    this.#answers = [...(isApart ? [] : this.#answers), bounds].slice(-ANSWERS);
  }

  /** The latest that it can be at the venue; before any answer what the clock of this machine says. */
  latest(nowMs = performance.now()): Instant {
    return instantFromMs(Math.ceil(nowMs + this.#mostMs()));
  }

  /** By how much the venue is ahead of the clock of this machine at most, in whole ms; null before any answer. */
  get aheadMs(): number | null {
    return this.#answers.length === 0 ? null : this.latest() - Date.now();
  }

  #mostMs(): number {
    if (this.#answers.length === 0) return Date.now() - performance.now();
    return Math.min(...this.#answers.map(({ mostMs }) => mostMs));
  }
}
