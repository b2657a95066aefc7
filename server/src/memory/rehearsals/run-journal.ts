/** The journal of a span in their order, read ahead of the records: on a rise it is asked what was really decided after it. */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { JournalRow } from '../../market/decision-journal/read.ts';
import type { TakenDecision } from './virtual-opportunity.ts';

/** Longer than the database keeps a trigger waiting, but for outages. */
export const AHEAD_MS = 60_000;

/** The decisions that were really taken, as far as read. */
export class TakenDecisions {
  readonly #byOpportunity = new Map<string, TakenDecision[]>();
  /** When rises were seen that were decided with everything of an earlier run reconciled, in the order of their decisions. */
  readonly #readyAt: Instant[] = [];

  add(opportunityId: string, decision: TakenDecision): void {
    const { at, seenAt = at, account } = decision;
    if (account?.readiness.reconciled === true) this.#readyAt.push(seenAt);
    const others = this.#byOpportunity.get(opportunityId);
    if (others === undefined) this.#byOpportunity.set(opportunityId, [decision]);
    else others.push(decision);
  }

  /** Whether a rise that was seen after `since`, and by now, shows that trading was ready. */
  showReady(since: number, now: Instant): boolean {
    return this.#readyAt.some((seenAt) => seenAt > since && seenAt <= now);
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

export class JournalAhead {
  readonly #rows: AsyncGenerator<JournalRow>;
  readonly #decisions: TakenDecisions;
  #read: JournalRow[] = [];
  #next = 0;
  #readUntil = Number.NEGATIVE_INFINITY;

  constructor(rows: AsyncGenerator<JournalRow>, decisions: TakenDecisions) {
    this.#rows = rows;
    this.#decisions = decisions;
  }

  /** Time of the next row of all read ones. */
  get nextAt(): Instant | null {
    return this.#read[this.#next]?.at ?? null;
  }

  /** Reads all that is needed to go on until `at`. */
  async readFor(at: number): Promise<void> {
    const until = instantFromMs(at + AHEAD_MS);
    if (this.#next > 0) this.#read = this.#read.slice(this.#next);
    this.#next = 0;
    while (this.#readUntil <= until) {
      const { value: row, done } = await this.#rows.next();
      if (done === true) {
        this.#readUntil = Number.POSITIVE_INFINITY;
        return;
      }
      this.#readUntil = row.at;
      this.#read.push(row);
      if (row.topic === 'decision' && row.data !== null) this.#decisions.add(row.subject, { ...row.data, at: row.at });
    }
  }

  take(): JournalRow | null {
    const row = this.#read[this.#next] ?? null;
    this.#next += 1;
    return row;
  }
}
