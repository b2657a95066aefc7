/**
 * The keeper of the chain carries out what is recorded: it signs and sends one submission at a time, follows it until what became
 * of it is proven, and writes that into the books of its batches. It goes by the rows alone, so that one that has just started and
 * one that has been running do the same thing.
 */
import { isLeader } from '../../platform/engines/leader.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import { readBatch } from '../orders/batch-store.ts';
import { bookSubmission, CANCELED } from './book.ts';
import { followSubmission, lookUpEveryMs } from './follow.ts';
import { DISARMED, type KeeperParts } from './keeper-parts.ts';
import { publishSubmission } from './present.ts';
import { dropUnsent, fail, sendSubmission } from './send.ts';
import { readSubmission, type Submission, unbookedSubmissions } from './store.ts';

export type ChainKeeper = { stop: () => Promise<void> };

/** What was recorded by a process that could not call is found within this. */
const SWEEP_EVERY_MS = 1000;
/** Somebody else works on a batch, or has just changed a submission. */
const TRY_AGAIN_MS = 250;

export function startChainKeeper(parts: KeeperParts): ChainKeeper {
  const { runtime, partitions, controls, stream } = parts;
  const { db, clock, timers, log, pubsub } = runtime;
  const failures = openFailureLog(log, 'warn', 'chain submissions not carried on, repeated every second');
  /** When each that was sent is looked up next; a process that starts looks at once. */
  const nextLookUp = new Map<string, number>();
  /** Ended submissions of which the venue was told: what dollars were split into may wait long for bids after that. */
  const seenByVenue = new Set<string>();
  let isStopped = false;

  const work = oneAtATime(async () => {
    try {
      const pauseMs = await carryOn();
      failures.succeeded();
      if (pauseMs !== null && pauseMs < SWEEP_EVERY_MS) timers.after(pauseMs, work);
    } catch (error) {
      failures.failed(error);
    }
  });

  /** Does one thing after the other until there is only waiting left. @returns for how many ms, null where nothing is expected */
  async function carryOn(): Promise<number | null> {
    for (;;) {
      if (isStopped || !isLeader(partitions)) return null;
      const { changed, pauseMs } = await step(await unbookedSubmissions(db));
      for (const id of changed) await publishSubmission(db, stream, id);
      if (pauseMs !== 0) return pauseMs;
    }
  }

  async function step(unbooked: readonly Submission[]): Promise<Done> {
    const standing = unbooked.filter(({ row }) => row.endedAt === null);
    const booked = await bookEnded(unbooked.filter(({ row }) => row.endedAt !== null));
    const stopped = await failUnsent(standing);
    if (stopped.length > 0) return { changed: [...booked.changed, ...stopped], pauseMs: 0 };
    const sent = standing.find(({ row }) => row.sentAt !== null);
    if (sent !== undefined) return together(booked, await follow(sent));
    return together(booked, await sendNext(standing));
  }

  async function bookEnded(ended: readonly Submission[]): Promise<Done> {
    let pauseMs: Done['pauseMs'] = null;
    for (const submission of ended) {
      nextLookUp.delete(submission.row.id);
      const booked = await bookSubmission(parts, submission, seenByVenue);
      if (booked === 'again') pauseMs = TRY_AGAIN_MS;
      if (booked === 'booked') seenByVenue.delete(submission.row.id);
    }
    return { changed: ended.map(({ row }) => row.id), pauseMs };
  }

  /** The kill switch, or the end of a batch that somebody asked for: what was sent is followed all the same. */
  async function failUnsent(standing: readonly Submission[]): Promise<string[]> {
    const unsent = standing.filter(({ row }) => row.sentAt === null);
    const isArmed = controls.current().armed;
    const failed = isArmed ? await canceledOf(unsent.filter(({ row }) => row.purpose === 'split')) : unsent;
    for (const { row } of failed) await fail(parts, row.id, isArmed ? CANCELED : DISARMED);
    return failed.map(({ row }) => row.id);
  }

  async function canceledOf(splits: readonly Submission[]): Promise<Submission[]> {
    const ofBatches = await Promise.all(splits.map(({ row }) => readBatch(db, row.batchIds[0] ?? '')));
    return splits.filter((_, place) => ofBatches[place]?.cancelRequestedAt != null);
  }

  async function follow(sent: Submission): Promise<Done> {
    const { id } = sent.row;
    const dueMs = (nextLookUp.get(id) ?? 0) - clock.now();
    if (dueMs > 0) return { changed: [], pauseMs: dueMs };
    const hasEnded = await followSubmission(parts, sent);
    if (hasEnded) runtime.pass('chain_ended');
    const pauseMs = hasEnded ? 0 : lookUpEveryMs(sent.row, clock.now());
    nextLookUp.set(id, clock.now() + pauseMs);
    return { changed: [id], pauseMs };
  }

  async function sendNext(unsent: readonly Submission[]): Promise<Done> {
    const signed = unsent.find(({ row }) => row.payload !== null);
    if (signed !== undefined) {
      await dropUnsent(parts, signed);
      return { changed: [], pauseMs: 0 };
    }
    const approvalsFirst = unsent.toSorted((a, b) => Number(isApproval(b)) - Number(isApproval(a)));
    for (const submission of approvalsFirst) {
      const { id, waitsFor } = submission.row;
      if (await isHeldUp(submission)) continue;
      if (await sendSubmission(parts, submission)) return { changed: [id, ...waitsFor], pauseMs: 0 };
    }
    return { changed: [], pauseMs: null };
  }

  /** By an approval in front of it that is not confirmed; where one has failed, it fails. */
  async function isHeldUp({ row }: Submission): Promise<boolean> {
    const approvals = await Promise.all(row.waitsFor.map((id) => readSubmission(db, id)));
    const failed = approvals.find((approval) => approval?.row.status === 'failed');
    if (failed) await fail(parts, row.id, `Not sent: what it needs was not approved. ${failed.row.error ?? ''}`.trim());
    return approvals.some((approval) => approval?.row.status !== 'confirmed');
  }

  const stops = [
    timers.every(SWEEP_EVERY_MS, work),
    pubsub.subscribe('chain_called', () => void work()),
    controls.onChange(() => void work()),
    partitions.onChange(() => void work()),
  ];
  return {
    async stop() {
      isStopped = true;
      for (const stop of stops) stop();
      await work.ended();
    },
  };
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
