import type { Instant } from '@dutchbook/units/instant.ts';

type Entry = { at: Instant; work: () => void };

/** What is due later on the virtual clock, in the order of time, and of one instant in the order in which it was added. */
export class VirtualAgenda {
  readonly #entries: Entry[] = [];

  get nextAt(): Instant | null {
    return this.#entries[0]?.at ?? null;
  }

  add(at: Instant, work: () => void): void {
    let place = this.#entries.length;
    while (place > 0 && (this.#entries[place - 1]?.at ?? 0) > at) place -= 1;
    this.#entries.splice(place, 0, { at, work });
  }

  /** Does the work that is due by `at`, also what that work adds. */
  runUntil(at: number): void {
    for (let entry = this.#entries[0]; entry !== undefined && entry.at <= at; entry = this.#entries[0]) {
      this.#entries.shift();
      entry.work();
    }
  }
}
