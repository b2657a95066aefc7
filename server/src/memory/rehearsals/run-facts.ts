/** The facts of a span in their order, read ahead of the records: on a rise it is asked what was really decided after it. */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Fact } from '../../market/decision-journal/read.ts';
import type { TakenDecision } from './virtual-opportunity.ts';

/** Longer than the database keeps a trigger waiting, but for outages. */
export const AHEAD_MS = 60_000;

/** Those that were really taken, as far as they were read. */
export class TakenDecisions {
  readonly #byOpportunity = new Map<string, TakenDecision[]>();

  add(opportunityId: string, decision: TakenDecision): void {
    const others = this.#byOpportunity.get(opportunityId);
    if (others === undefined) this.#byOpportunity.set(opportunityId, [decision]);
    else others.push(decision);
  }

  /** On the first rise that was seen after `lostUntil`. */
  firstAfter(opportunityId: string, lostUntil: Instant): TakenDecision | null {
    return this.#byOpportunity.get(opportunityId)?.find(({ at, seenAt = at }) => seenAt > lostUntil) ?? null;
  }

  /** On the `rises`th rise, which was seen at `seenAt`. */
  of(opportunityId: string, rises: number, seenAt: Instant): TakenDecision | null {
    const decisions = this.#byOpportunity.get(opportunityId);
    if (decisions === undefined) return null;
    // One of long ago is asked for no more.
    while (decisions[0] !== undefined && decisions[0].at < seenAt - AHEAD_MS) decisions.shift();
    return decisions.find((decision) => decision.rises === rises) ?? null;
  }
}

export class FactsAhead {
  readonly #facts: AsyncGenerator<Fact>;
  readonly #decisions: TakenDecisions;
  #read: Fact[] = [];
  #next = 0;
  #readUntil = Number.NEGATIVE_INFINITY;

  constructor(facts: AsyncGenerator<Fact>, decisions: TakenDecisions) {
    this.#facts = facts;
    this.#decisions = decisions;
  }

  /** Of all that is read. */
  get nextAt(): Instant | null {
    return this.#read[this.#next]?.at ?? null;
  }

  /** Reads all that is needed to go on until `at`. */
  async readFor(at: number): Promise<void> {
    const until = instantFromMs(at + AHEAD_MS);
    if (this.#next > 0) this.#read = this.#read.slice(this.#next);
    this.#next = 0;
    while (this.#readUntil <= until) {
      const { value: fact, done } = await this.#facts.next();
      if (done === true) {
        this.#readUntil = Number.POSITIVE_INFINITY;
        return;
      }
      this.#readUntil = fact.at;
      this.#read.push(fact);
      if (fact.topic === 'decision' && fact.data !== null)
        this.#decisions.add(fact.subject, { ...fact.data, at: fact.at });
    }
  }

  take(): Fact | null {
    const fact = this.#read[this.#next] ?? null;
    this.#next += 1;
    return fact;
  }
}
