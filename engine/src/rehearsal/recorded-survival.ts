/** How much of the depth that recorded books showed was still there when an order would have come, as known by an instant. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { type MeasuredSurvival, measureSurvival, NOTHING_MEASURED, type SentOrder } from '../order/survival.ts';

/** As in live trading. */
const MEASURED_EVERY_MS = 60_000;
const KEPT_MAX = 20_000;

/** `knownAt`: when live decisions could count it. */
export type KnownOrder = SentOrder & { knownAt: Instant };

export class RecordedSurvival {
  /** The first that becomes known is the last. */
  readonly #toCome: KnownOrder[];
  #known: SentOrder[] = [];
  #measured = NOTHING_MEASURED;
  #measuredAt: Instant | null = null;
  #isGrown = false;

  /** `known`: what really was measured before and meanwhile, in any order. */
  constructor(known: readonly KnownOrder[] = []) {
    this.#toCome = known.toSorted((one, other) => other.knownAt - one.knownAt);
  }

  note(order: SentOrder): void {
    this.#known.push(order);
    this.#isGrown = true;
    if (this.#known.length > 2 * KEPT_MAX) this.#known = this.#known.slice(-KEPT_MAX);
  }

  at(now: Instant): MeasuredSurvival {
    const isDue = this.#measuredAt === null || now - this.#measuredAt >= MEASURED_EVERY_MS;
    if (!isDue) return this.#measured;
    for (let next = this.#toCome.at(-1); next !== undefined && next.knownAt <= now; next = this.#toCome.at(-1)) {
      this.note(next);
      this.#toCome.pop();
    }
    if (!this.#isGrown) return this.#measured;
    this.#measured = measureSurvival(this.#known.slice(-KEPT_MAX));
    this.#measuredAt = now;
    this.#isGrown = false;
    return this.#measured;
  }
}
