/** Looks up what became of what was sent, until that is proven. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { ConversionLookup } from '@dutchbook/venues/venue-chain.ts';
import { and, eq, isNull, type SQL } from 'drizzle-orm';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { postGas } from '../ledger/post-gas.ts';
import { postSurplus } from '../ledger/post-surplus.ts';
import { type ChainLoopParts, GIVEN_UP, REFUSED, sentenceOf } from './chain-loop-parts.ts';
import { changeAndNotify } from './notify-submission.ts';
import { type Proven, prove } from './prove.ts';
import { postAgain, storedBalances, tokensOf } from './send.ts';
import { changeSubmission, preparedOf, type Submission, type SubmissionRow } from './store.ts';
import { chainSteps, chainSubmissions, type StoredBalances } from './table.ts';

/** Pause between lookups by the time since sending; later five seconds. */
const PACE = [
  { untilMs: 1000, everyMs: 250 },
  { untilMs: 4000, everyMs: 500 },
  { untilMs: 60_000, everyMs: 1000 },
] as const;
const SLOWEST_MS = 5000;

/**
 * An unknown submission is proven within this, once its deadline, if any, is in a block that stays: where it is not, people are
 * notified.
 */
const PROVEN_WITHIN_MS = 60_000;
/** A submission that waits longer for a block is notified too: its fee may be too low. */
const MINED_WITHIN_MS = 600_000;

/** A submission that the relayer does not carry out within this, while its nonce stays unused, no longer holds up others. */
const GIVEN_UP_AFTER_MS = 150_000;

export function lookUpEveryMs({ sentAt }: Pick<SubmissionRow, 'sentAt'>, now: Instant): number {
  const sentMs = now - (sentAt ?? now);
  return PACE.find(({ untilMs }) => sentMs < untilMs)?.everyMs ?? SLOWEST_MS;
}

/** @returns whether its end is proven, and recorded */
export async function followSubmission(parts: ChainLoopParts, submission: Submission): Promise<boolean> {
  const { runtime, chain } = parts;
  const { row } = submission;
  const prepared = preparedOf(row);
  if (prepared === null) return false;
  const lookup = await chain.lookUp(prepared, row.sentAs ?? undefined);
  const reported = await changesBy(parts, submission, lookup);
  // Another loop may have signed it anew: what became of these bytes says nothing of those.
  const asSigned = and(isNull(chainSubmissions.endedAt), eq(chainSubmissions.preparedId, prepared.id));
  if (Object.entries(reported.changes).some(([name, value]) => row[name as keyof SubmissionRow] !== value))
    await record(runtime, row, reported, asSigned);
  if (lookup.kind === 'unknown' || lookup.kind === 'given_up') await postAgain(parts, submission, prepared);
  return reported.changes.endedAt !== undefined;
}

/** `proven`: of what the chain has carried out. */
type FollowedChanges = { changes: Partial<SubmissionRow>; proven?: Proven };

/** Records the end of a submission in one transaction with the proofs of its calls, its gas and its notifications. */
async function record(
  runtime: Runtime,
  { id, venue, unknownNotifiedAt }: SubmissionRow,
  { changes, proven }: FollowedChanges,
  asSigned: SQL | undefined,
): Promise<void> {
  const { gas, endedAt } = changes;
  const also = async (tx: Db) => {
    for (const [stepId, proof] of proven?.proofs ?? [])
      await tx.update(chainSteps).set({ proof }).where(eq(chainSteps.id, stepId));
    if (proven?.surplus && endedAt) await postSurplus(tx, { id, venue }, proven.surplus, endedAt);
    if (gas && endedAt) await postGas(tx, { id, venue }, gas, endedAt);
  };
  const notNotified = and(asSigned, isNull(chainSubmissions.unknownNotifiedAt));
  if (changes.status === 'failed')
    await changeAndNotify(runtime, id, { changes, seen: asSigned, type: 'submission_failed', also });
  else if (changes.status === 'confirmed' && changes.error !== null)
    await changeAndNotify(runtime, id, { changes, seen: asSigned, type: 'submission_differs', also });
  else if (changes.unknownNotifiedAt !== undefined && unknownNotifiedAt === null)
    await changeAndNotify(runtime, id, { changes, seen: notNotified, type: 'submission_unknown' });
  else
    await runtime.db.transaction(async (tx) => {
      if (await changeSubmission(tx, id, changes, asSigned)) await also(tx);
    });
}

async function changesBy(
  parts: ChainLoopParts,
  submission: Submission,
  lookup: ConversionLookup,
): Promise<FollowedChanges> {
  const { row } = submission;
  const now = parts.runtime.clock.now();
  switch (lookup.kind) {
    case 'pending': {
      const isOverdue = now - (row.sentAt ?? now) >= MINED_WITHIN_MS;
      const reported = isOverdue ? { unknownNotifiedAt: row.unknownNotifiedAt ?? now } : {};
      return { changes: { status: 'sent', error: null, unknownSince: null, ...reported } };
    }
    case 'unknown': {
      const error = refusalOf(row) ?? sentenceOf('Unknown', lookup.reason);
      const unknownSince = row.unknownSince ?? now;
      const isOverdue = now - Math.max(unknownSince, row.deadline ?? 0) >= PROVEN_WITHIN_MS;
      const reported = isOverdue ? { unknownNotifiedAt: row.unknownNotifiedAt ?? now } : {};
      return { changes: { status: 'unknown', error, unknownSince, ...reported } };
    }
    case 'given_up': {
      const error = sentenceOf(GIVEN_UP, lookup.reason);
      const unknownSince = row.unknownSince ?? now;
      const isOver = now - unknownSince >= GIVEN_UP_AFTER_MS;
      const reported = isOver
        ? { givenUpAt: row.givenUpAt ?? now, unknownNotifiedAt: row.unknownNotifiedAt ?? now }
        : {};
      return { changes: { status: 'unknown', error: refusalOf(row, [REFUSED]) ?? error, unknownSince, ...reported } };
    }
    case 'mined': {
      const { hash, block } = lookup;
      const minedAt = row.minedAt ?? now;
      return { changes: { status: 'mined', hash, block, minedAt, error: null, unknownSince: null } };
    }
    case 'absent': {
      const reported = [refusalOf(row), sentenceOf('Not carried out', lookup.reason)];
      const error = reported.filter((each) => each !== null).join(' ');
      return { changes: { status: 'failed', error, endedAt: now } };
    }
    case 'failed': {
      const { hash, block, gas } = lookup;
      const error = sentenceOf('Taken back by the chain', lookup.reason);
      return { changes: { status: 'failed', hash, block, gas, minedAt: row.minedAt ?? now, endedAt: now, error } };
    }
    case 'confirmed':
      return await carriedOut(parts, submission, lookup);
  }
}

/** A submission that moved nothing of what it should has failed, whatever the chain says of its transaction. */
async function carriedOut(
  parts: ChainLoopParts,
  submission: Submission,
  { hash, block, gas, moved }: Extract<ConversionLookup, { kind: 'confirmed' }>,
): Promise<FollowedChanges> {
  const { row, steps } = submission;
  const now = parts.runtime.clock.now();
  const proven = prove(steps, row.expected, moved);
  const status = proven.isFailed ? ('failed' as const) : ('confirmed' as const);
  const ended = { status, hash, block, gas, received: moved.cash, minedAt: row.minedAt ?? now, endedAt: now };
  const balancesAfter = await readAfter(parts, submission);
  return { changes: { ...ended, balancesAfter, error: proven.error, unknownSince: null }, proven };
}

/** The venue's reason for refusing or giving up the submission, kept after the proof that it was not carried out. */
function refusalOf({ status, error }: SubmissionRow, kinds: readonly string[] = [REFUSED, GIVEN_UP]): string | null {
  return status === 'unknown' && kinds.some((kind) => error?.startsWith(`${kind}: `)) ? error : null;
}

/** Null where it cannot be read: what is proven needs no balances, they are evidence beside it. */
async function readAfter(
  { runtime, chain }: ChainLoopParts,
  { row, steps }: Submission,
): Promise<StoredBalances | null> {
  try {
    return storedBalances(await chain.balances(tokensOf(steps)));
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    runtime.log.warn({ submissionId: row.id, reason: error.message }, 'balances after a chain submission not read');
    return null;
  }
}
