/**
 * The chain loop carries out what is recorded: it signs and sends submissions, several at a time only where none depends on
 * another, follows each until what became of it is proven, and writes that into the books of its batches. It goes by the rows alone, so that one that has just started and
 * one that has been running do the same thing.
 */
import { isLeader } from '../../platform/engines/leader.ts';
import { type FailureLog, openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import { readBatch } from '../orders/batch-store.ts';
import { besides } from './besides.ts';
import { bookSubmission, CANCELED } from './book.ts';
import { type ChainLoopParts, DISARMED } from './chain-loop-parts.ts';
import { followSubmission, lookUpEveryMs } from './follow.ts';
import { publishSubmission } from './present.ts';
import { isReleaseDue, recordRelease } from './release.ts';
import { dropUnsent, fail, sendSubmission } from './send.ts';
import { readSubmission, type Submission, unbookedSubmissions } from './store.ts';

export type ChainLoop = { stop: () => Promise<void> };

/** Submissions recorded by another process without a notification are found within this. */
const SWEEP_EVERY_MS = 1000;
/** Another transaction holds a batch, or has just changed a submission. */
const TRY_AGAIN_MS = 250;

export function startChainLoop(parts: ChainLoopParts): ChainLoop {
  return new RunningLoop(parts);
}

class RunningLoop implements ChainLoop {
  readonly #parts: ChainLoopParts;
  readonly #failures: FailureLog;
  readonly #stops: readonly (() => void)[];
  /** When each that was sent is looked up next; a process that starts looks at once. */
  readonly #nextLookUp = new Map<string, number>();
  /** Ended submissions that were reported to the venue: what dollars were split into may wait long for bids after that. */
  readonly #seenByVenue = new Set<string>();
  #isStopped = false;

  constructor(parts: ChainLoopParts) {
    const { runtime, partitions, controls } = parts;
    this.#parts = parts;
    this.#failures = openFailureLog(runtime.log, 'warn', 'chain submissions not carried on, repeated every second');
    const work = () => void this.#work();
    this.#stops = [
      runtime.timers.every(SWEEP_EVERY_MS, this.#work),
      runtime.pubsub.subscribe('chain_called', work),
      controls.onChange(work),
      partitions.onChange(work),
    ];
  }

  stop = async (): Promise<void> => {
    this.#isStopped = true;
    for (const stop of this.#stops) stop();
    await this.#work.ended();
  };

  readonly #work = oneAtATime(async () => {
    try {
      const pauseMs = await this.#carryOn();
      this.#failures.succeeded();
      if (pauseMs !== null && pauseMs < SWEEP_EVERY_MS) this.#parts.runtime.timers.after(pauseMs, this.#work);
    } catch (error) {
      this.#failures.failed(error);
    }
  });

  /** Does one thing after the other until there is only waiting left. @returns for how many ms, null where nothing is expected */
  async #carryOn(): Promise<number | null> {
    for (;;) {
      if (this.#isStopped || !isLeader(this.#parts.partitions)) return null;
      const { changed, pauseMs } = await this.#step(
        await unbookedSubmissions(this.#parts.runtime.db, this.#parts.controls.venue),
      );
      for (const id of changed) await publishSubmission(this.#parts.runtime.db, this.#parts.stream, id);
      if (pauseMs !== 0) return pauseMs;
    }
  }

  async #step(unbooked: readonly Submission[]): Promise<Done> {
    const standing = unbooked.filter(({ row }) => row.endedAt === null);
    const booked = await this.#bookEnded(unbooked.filter(({ row }) => row.endedAt !== null));
    const stopped = await this.#failUnsent(standing);
    if (stopped.length > 0) return { changed: [...booked.changed, ...stopped], pauseMs: 0 };
    const sent = standing.filter(({ row }) => row.sentAt !== null);
    let done = booked;
    for (const each of sent) done = together(done, await this.#follow(each));
    if (done.pauseMs === 0) return done;
    const unsent = standing.filter(({ row }) => row.sentAt === null);
    if (isReleaseDue(sent, unsent, this.#parts.runtime.clock.now()) && (await recordRelease(this.#parts, sent)))
      return { ...done, pauseMs: 0 };
    return together(done, await this.#sendNext(besides(sent, unsent, this.#parts.chain)));
  }

  async #bookEnded(ended: readonly Submission[]): Promise<Done> {
    let pauseMs: Done['pauseMs'] = null;
    for (const submission of ended) {
      this.#nextLookUp.delete(submission.row.id);
      const booked = await bookSubmission(this.#parts, submission, this.#seenByVenue);
      if (booked === 'again') pauseMs = TRY_AGAIN_MS;
      if (booked === 'booked') this.#seenByVenue.delete(submission.row.id);
    }
    return { changed: ended.map(({ row }) => row.id), pauseMs };
  }

  /** Ends what the kill switch, or a user's request to end a batch, stops: what was sent is followed all the same. */
  async #failUnsent(standing: readonly Submission[]): Promise<string[]> {
    const unsent = standing.filter(({ row }) => row.sentAt === null);
    const isArmed = this.#parts.controls.current().armed;
    const failed = isArmed ? await this.#canceledOf(unsent.filter(({ row }) => row.purpose === 'split')) : unsent;
    for (const { row } of failed) await fail(this.#parts, row.id, isArmed ? CANCELED : DISARMED);
    return failed.map(({ row }) => row.id);
  }

  async #canceledOf(splits: readonly Submission[]): Promise<Submission[]> {
    const ofBatches = await Promise.all(
      splits.map(({ row }) => readBatch(this.#parts.runtime.db, row.batchIds[0] ?? '')),
    );
    return splits.filter((_, place) => ofBatches[place]?.cancelRequestedAt != null);
  }

  async #follow(sent: Submission): Promise<Done> {
    const { id } = sent.row;
    const dueMs = (this.#nextLookUp.get(id) ?? 0) - this.#parts.runtime.clock.now();
    if (dueMs > 0) return { changed: [], pauseMs: dueMs };
    const hasEnded = await followSubmission(this.#parts, sent);
    if (hasEnded) this.#parts.runtime.pass('chain_ended');
    const pauseMs = hasEnded ? 0 : lookUpEveryMs(sent.row, this.#parts.runtime.clock.now());
    this.#nextLookUp.set(id, this.#parts.runtime.clock.now() + pauseMs);
    return { changed: [id], pauseMs };
  }

  async #sendNext(unsent: readonly Submission[]): Promise<Done> {
    const signed = unsent.find(({ row }) => row.payload !== null);
    if (signed !== undefined) {
      await dropUnsent(this.#parts, signed);
      return { changed: [], pauseMs: 0 };
    }
    const approvalsFirst = unsent.toSorted((a, b) => Number(isApproval(b)) - Number(isApproval(a)));
    for (const submission of approvalsFirst) {
      const { id, waitsFor } = submission.row;
      if (await this.#isHeldUp(submission)) continue;
      if (await sendSubmission(this.#parts, submission)) return { changed: [id, ...waitsFor], pauseMs: 0 };
    }
    return { changed: [], pauseMs: null };
  }

  /** Whether an unconfirmed approval in front holds it up; where that has failed, it fails too. */
  async #isHeldUp({ row }: Submission): Promise<boolean> {
    const approvals = await Promise.all(row.waitsFor.map((id) => readSubmission(this.#parts.runtime.db, id)));
    const failed = approvals.find((approval) => approval?.row.status === 'failed');
    if (failed)
      await fail(this.#parts, row.id, `Not sent: what it needs was not approved. ${failed.row.error ?? ''}`.trim());
    return approvals.some((approval) => approval?.row.status !== 'confirmed');
  }
}

function isApproval({ row }: Submission): boolean {
  return row.purpose === 'approval';
}

/** Submissions that have changed, and how long there is nothing to do: 0 where there may be at once, null where nothing is expected. */
type Done = { changed: string[]; pauseMs: number | null };

function together(one: Done, other: Done): Done {
  const pauses = [one.pauseMs, other.pauseMs].filter((ms) => ms !== null);
  return { changed: [...one.changed, ...other.changed], pauseMs: pauses.length === 0 ? null : Math.min(...pauses) };
}
