/** Signs what is planned, stores that, marks it as sent, and sends exactly these bytes once. */
import { sharesToText } from '@dutchbook/units/shares.ts';
import {
  type ChainBalances,
  ConversionRefused,
  type PreparedConversion,
  type SubmitOutcome,
} from '@dutchbook/venues/venue-chain.ts';
import { and, eq, isNotNull, isNull, ne } from 'drizzle-orm';
import { leaderClaim } from '../../platform/engines/leader.ts';
import { provenUntilEnd } from '../../platform/engines/lease.ts';
import { isArmedUntilEnd } from '../trading-controls/store.ts';
import { type ChainLoopParts, DISARMED, REFUSED, sentenceOf } from './chain-loop-parts.ts';
import { missingApprovals } from './needed-approvals.ts';
import { changeAndNotify } from './notify-submission.ts';
import { readQuota, submissionsLeft } from './quota.ts';
import { recordApprovals } from './record.ts';
import { changeSubmission, requestOf, type StepRow, type Submission, type SubmissionRow } from './store.ts';
import { chainSubmissions, type StoredBalances } from './table.ts';

/** A process that stood still after marking it does not send by what was allowed before: trading may be disarmed by then. */
const LEAVES_WITHIN_MS = 500;

const NOTHING_SIGNED = { preparedId: null, nonce: null, deadline: null, payload: null, highestCost: null };

/** Whether something has changed, so that there may be more to do at once. Throws VenueUnavailable. */
export async function sendSubmission(parts: ChainLoopParts, submission: Submission): Promise<boolean> {
  const { runtime, chain, controls } = parts;
  const { row, steps } = submission;
  if (!controls.current().armed) return await fail(parts, row.id, DISARMED);
  if (await waitsForQuota(parts, submission)) return false;
  if (await standsBehindApprovals(parts, submission)) return true;
  const before = await chain.balances(tokensOf(steps));
  const lack = lackOf(steps, before);
  if (lack !== null) return await fail(parts, row.id, lack);
  const prepared = await prepare(parts, submission);
  if (prepared === null) return true;
  if (await isUnderWayAlready(parts, row.id, prepared)) return await fail(parts, row.id, SENT_ALREADY);
  runtime.pass('chain_prepared');
  const { id: preparedId, nonce, deadline, highestCost, payload } = prepared;
  const signed = { preparedId, nonce, deadline, highestCost, payload, balancesBefore: storedBalances(before) };
  const unsigned = and(isNull(chainSubmissions.endedAt), isNull(chainSubmissions.payload));
  if (!(await changeSubmission(runtime.db, row.id, { ...signed, error: null, notBefore: null }, unsigned)))
    return false;
  runtime.pass('chain_stored');
  const markedAt = runtime.clock.now();
  const marked = await markSent(parts, row.id, prepared);
  if (marked === 'disarmed') return await fail(parts, row.id, DISARMED);
  if (marked === 'lost') return false;
  runtime.pass('chain_marked');
  if (runtime.clock.now() - markedAt > LEAVES_WITHIN_MS || !controls.current().armed) {
    await planAgain(parts, row.id, prepared, {});
    return true;
  }
  const outcome = await chain.submit(prepared);
  runtime.pass('chain_submitted');
  await recordOutcome(parts, row.id, prepared, outcome);
  runtime.pass('chain_answered');
  return true;
}

const SENT_ALREADY =
  'Not sent: another submission makes the same calls with the same nonce, and may still be carried out.';

/** Where nothing in the bytes tells the time, one transaction would prove two submissions. */
async function isUnderWayAlready(
  { runtime }: ChainLoopParts,
  id: string,
  prepared: PreparedConversion,
): Promise<boolean> {
  const { preparedId, sentAt, endedAt } = chainSubmissions;
  const twin = and(eq(preparedId, prepared.id), ne(chainSubmissions.id, id), isNotNull(sentAt), isNull(endedAt));
  return (await runtime.db.$count(chainSubmissions, twin)) > 0;
}

/** Takes the mark back: these bytes were certainly not sent, or the venue refused to look at them. */
async function planAgain(
  { runtime }: ChainLoopParts,
  id: string,
  prepared: PreparedConversion,
  waits: Pick<Partial<SubmissionRow>, 'notBefore' | 'error'>,
): Promise<void> {
  const onlyOurs = and(
    isNull(chainSubmissions.endedAt),
    eq(chainSubmissions.preparedId, prepared.id),
    isNull(chainSubmissions.postedAgainAt),
  );
  const planned = { ...NOTHING_SIGNED, status: 'planned' as const, sentAt: null, unknownSince: null, ...waits };
  await changeSubmission(runtime.db, id, planned, onlyOurs);
}

/** Ends it where nothing of it was sent, also by another loop meanwhile: its shares are free again. @returns whether it did */
export async function fail({ runtime }: Pick<ChainLoopParts, 'runtime'>, id: string, error: string): Promise<boolean> {
  const unsent = and(isNull(chainSubmissions.endedAt), isNull(chainSubmissions.sentAt));
  const failed = { status: 'failed' as const, error, endedAt: runtime.clock.now() };
  return await changeAndNotify(runtime, id, { changes: failed, seen: unsent, type: 'submission_failed' });
}

/** Signed by a process that ended, or stood still, before it had marked it: nothing of it was sent, and its nonce may be old. */
export async function dropUnsent({ runtime }: ChainLoopParts, { row }: Submission): Promise<void> {
  const unsent = and(isNull(chainSubmissions.sentAt), eq(chainSubmissions.preparedId, row.preparedId ?? ''));
  await changeSubmission(runtime.db, row.id, NOTHING_SIGNED, unsent);
}

async function waitsForQuota(
  { runtime, chain, controls }: ChainLoopParts,
  { row, steps }: Submission,
): Promise<boolean> {
  if (row.notBefore !== null && row.notBefore > runtime.clock.now()) return true;
  if (!steps.some(({ kind }) => kind === 'merge' || kind === 'horizontal_merge' || kind === 'directional_merge'))
    return false;
  const quota = await readQuota(runtime.db, runtime, chain, controls.venue);
  if (quota === null || submissionsLeft(quota) > 0) return false;
  const error = `Waits: all ${quota.allowed} merges of the day are used.`;
  await changeSubmission(runtime.db, row.id, { error, notBefore: quota.resets_at });
  return true;
}

/** Puts a submission that approves in front of this one, where an approval is missing. */
async function standsBehindApprovals(parts: ChainLoopParts, { row, steps }: Submission): Promise<boolean> {
  const { runtime, chain } = parts;
  if (row.purpose === 'approval') return false;
  const missing = await missingApprovals(parts, steps);
  if (missing.length === 0) return false;
  const names = missing.map(({ name }) => name).join(', ');
  if (row.waitsFor.length > 0) {
    await fail(parts, row.id, `Not sent: the chain still does not let the ${names} move the shares.`);
    return true;
  }
  await runtime.db.transaction(async (tx) => {
    const waitsFor: string[] = [];
    const { venue, requestId, automatic, requestedBy } = row;
    for (let from = 0; from < missing.length; from += chain.callsMax) {
      const calls = missing.slice(from, from + chain.callsMax);
      waitsFor.push(await recordApprovals(tx, runtime, { venue, requestId, automatic, requestedBy }, calls));
    }
    const unsigned = and(isNull(chainSubmissions.endedAt), isNull(chainSubmissions.payload));
    await changeSubmission(tx, row.id, { status: 'approving', waitsFor }, unsigned);
  });
  return true;
}

/** Null where the chain, or the venue, would refuse it: it has failed. */
async function prepare(parts: ChainLoopParts, { row, steps }: Submission): Promise<PreparedConversion | null> {
  try {
    return await parts.chain.prepare(steps.map(requestOf));
  } catch (error) {
    if (!(error instanceof ConversionRefused)) throw error;
    await fail(parts, row.id, sentenceOf('Not sent', error.message));
    return null;
  }
}

/**
 * From here on bytes may have left. Nothing is marked where trading is disarmed, or where another engine has become the leader;
 * a change of it waits for this transaction, or this one has waited for the change.
 */
async function markSent(
  { runtime, partitions, controls }: ChainLoopParts,
  id: string,
  prepared: PreparedConversion,
): Promise<'marked' | 'disarmed' | 'lost'> {
  return await runtime.db.transaction(async (tx) => {
    if (!(await isArmedUntilEnd(tx, runtime.config.venueMode, controls.venue))) return 'disarmed';
    const claim = leaderClaim(partitions);
    if (claim !== null && !(await provenUntilEnd(tx, claim))) return 'lost';
    const unsent = and(
      isNull(chainSubmissions.endedAt),
      isNull(chainSubmissions.sentAt),
      eq(chainSubmissions.preparedId, prepared.id),
    );
    const isMarked = await changeSubmission(tx, id, { status: 'sent', sentAt: runtime.clock.now() }, unsent);
    return isMarked ? 'marked' : 'lost';
  });
}

async function recordOutcome(
  parts: ChainLoopParts,
  id: string,
  prepared: PreparedConversion,
  outcome: SubmitOutcome,
): Promise<void> {
  const { runtime } = parts;
  const stands = and(isNull(chainSubmissions.endedAt), eq(chainSubmissions.preparedId, prepared.id));
  const change = (changes: Parameters<typeof changeSubmission>[2]) => changeSubmission(runtime.db, id, changes, stands);
  const unknownSince = runtime.clock.now();
  switch (outcome.kind) {
    case 'sent':
      return void (await change({ sentAs: outcome.id }));
    case 'rate_limited':
    case 'quota_exceeded': {
      // Not looked at: it is as if it had not been sent. Until then its deadline may have passed, so that it is signed anew.
      const error = sentenceOf('Waits: the venue takes no more now', outcome.reason);
      return await planAgain(parts, id, prepared, { notBefore: outcome.resetsAt, error });
    }
    case 'refused':
      // The answer to this call proves nothing: it is looked up before it is believed.
      return void (await change({ status: 'unknown', unknownSince, error: sentenceOf(REFUSED, outcome.reason) }));
    case 'unknown':
      return void (await change({
        status: 'unknown',
        unknownSince,
        error: sentenceOf('Not answered', outcome.reason),
      }));
  }
}

const POST_AGAIN_AFTER_MS = 60_000;
/** Posting a given-up submission again uses the day's quota each time, so it is done rarely. */
const POST_GIVEN_UP_AGAIN_AFTER_MS = 3_600_000;

/**
 * Posts the same bytes again where time alone never ends them and nothing has been known of them for a minute: a node may have
 * lost them, and until their nonce is used no other submission can be signed. They cannot be carried out twice: they have one
 * nonce and one hash. What has a deadline is waited for instead.
 */
export async function postAgain(
  parts: ChainLoopParts,
  { row }: Submission,
  prepared: PreparedConversion,
): Promise<void> {
  const { runtime, chain, controls, partitions } = parts;
  const now = runtime.clock.now();
  const since = Math.max(row.unknownSince ?? now, row.postedAgainAt ?? 0);
  const everyMs = row.givenUpAt === null ? POST_AGAIN_AFTER_MS : POST_GIVEN_UP_AGAIN_AFTER_MS;
  if (prepared.deadline !== null || now - since < everyMs || !controls.current().armed) return;
  const isMarked = await runtime.db.transaction(async (tx) => {
    if (!(await isArmedUntilEnd(tx, runtime.config.venueMode, controls.venue))) return false;
    const claim = leaderClaim(partitions);
    if (claim !== null && !(await provenUntilEnd(tx, claim))) return false;
    const seen = and(
      isNull(chainSubmissions.endedAt),
      row.postedAgainAt === null
        ? isNull(chainSubmissions.postedAgainAt)
        : eq(chainSubmissions.postedAgainAt, row.postedAgainAt),
    );
    return await changeSubmission(tx, row.id, { postedAgainAt: now }, seen);
  });
  if (!isMarked) return;
  const outcome = await chain.submit(prepared);
  runtime.log.warn({ submissionId: row.id, outcome: outcome.kind }, 'unknown chain submission posted again');
  if (outcome.kind === 'sent' && row.sentAs === null)
    await changeSubmission(runtime.db, row.id, { sentAs: outcome.id });
}

/** Every token that a step moves. */
export function tokensOf(steps: readonly StepRow[]): string[] {
  return [...new Set(steps.flatMap(({ changes }) => changes.map(({ tokenId }) => tokenId)))];
}

export function storedBalances({ block, cash, shares }: ChainBalances): StoredBalances {
  return { block, cash, shares: Object.fromEntries(shares) };
}

/** Says which shares the steps, taken in order, lack; null where all are there. */
function lackOf(steps: readonly StepRow[], { shares }: ChainBalances): string | null {
  const left = new Map<string, number>(shares);
  for (const { tokenId, micro } of steps.flatMap(({ changes }) => changes)) {
    const rest = (left.get(tokenId) ?? 0) + micro;
    if (rest < 0) {
      const there = sharesToText(shares.get(tokenId) ?? (0 as never));
      return `Not sent: the chain has only ${there} shares of token ${tokenId}.`;
    }
    left.set(tokenId, rest);
  }
  return null;
}
