import type { RehearsalResult } from '@dutchbook/contract/rehearsals.ts';
import type { Instant } from '@dutchbook/units/instant.ts';

type UnknownSpan = RehearsalResult['unknown'][number];

/** The parts of a span of which nothing is known, one by one in the order of time. */
export class UnknownSpans {
  readonly spans: UnknownSpan[] = [];
  readonly #from: Instant;
  readonly #until: Instant;

  constructor(from: Instant, until: Instant) {
    this.#from = from;
    this.#until = until;
  }

  /** One that goes on where the last did is the same. */
  add(from: Instant, until: Instant, reason: string): void {
    const span = {
      from: Math.max(from, this.#from) as Instant,
      until: Math.min(until, this.#until) as Instant,
      reason,
    };
    if (span.from >= span.until) return;
    const last = this.spans.at(-1);
    if (last === undefined || last.until < span.from) this.spans.push(span);
    else if (last.until < span.until) last.until = span.until;
  }
}
