/** Looks up what became of what was sent, until that is proven. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { TurnLookup } from '@dutchbook/venues/venue-chain.ts';
import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { postGas } from '../ledger/post-gas.ts';
import type { Db, Runtime } from '../runtime.ts';
import { type KeeperParts, REFUSED, sentenceOf } from './keeper-parts.ts';
import { changeAndNotify } from './notify-submission.ts';
import { postAgain, storedBalances, tokensOf } from './send.ts';
import { changeSubmission, preparedOf, type Submission, type SubmissionRow } from './store.ts';
import { chainSubmissions, type StoredBalances } from './table.ts';

/** So long after it was sent, it is looked up again after that; later every five seconds. */
const PACE = [
  { untilMs: 1000, everyMs: 250 },
  { untilMs: 4000, everyMs: 500 },
  { untilMs: 60_000, everyMs: 1000 },
] as const;
const SLOWEST_MS = 5000;

/**
 * What is unknown is proven within this, once its deadline, if it has one, is in a block that stays: where it is not, people are
 * told.
 */
const PROVEN_WITHIN_MS = 60_000;
/** So is what has been waiting for a block for so long: its fee may be too low by now. */
const MINED_WITHIN_MS = 600_000;

export function lookUpEveryMs({ sentAt }: Pick<SubmissionRow, 'sentAt'>, now: Instant): number {
  const sentMs = now - (sentAt ?? now);
  return PACE.find(({ untilMs }) => sentMs < untilMs)?.everyMs ?? SLOWEST_MS;
}

/** @returns whether its end is proven, and recorded */
export async function followSubmission(parts: KeeperParts, submission: Submission): Promise<boolean> {
  const { runtime, chain } = parts;
  const { row } = submission;
  const prepared = preparedOf(row);
  if (prepared === null) return false;
  const lookup = await chain.lookUp(prepared, row.sentAs ?? undefined);
  const changes = await toldBy(parts, submission, lookup);
  // Another keeper may have signed it anew: what became of these bytes says nothing of those.
  const asSigned = and(isNull(chainSubmissions.endedAt), eq(chainSubmissions.preparedId, prepared.id));
  if (Object.entries(changes).some(([name, value]) => row[name as keyof SubmissionRow] !== value))
    await record(runtime, row, changes, asSigned);
  if (lookup.kind === 'unknown') await postAgain(parts, submission, prepared);
  return changes.endedAt !== undefined;
}

async function record(
  runtime: Runtime,
  { id, unknownToldAt }: SubmissionRow,
  changes: Partial<SubmissionRow>,
  asSigned: SQL | undefined,
): Promise<void> {
  const { gas, endedAt } = changes;
  const post = async (tx: Db) => {
    if (gas && endedAt) await postGas(tx, id, gas, endedAt);
  };
  const untold = and(asSigned, isNull(chainSubmissions.unknownToldAt));
  if (changes.status === 'failed') await changeAndNotify(runtime, id, changes, asSigned, 'submission_failed', post);
  else if (changes.unknownToldAt !== undefined && unknownToldAt === null)
    await changeAndNotify(runtime, id, changes, untold, 'submission_unknown');
  else if (gas)
    await runtime.db.transaction(async (tx) => {
      if (await changeSubmission(tx, id, changes, asSigned)) await post(tx);
    });
  else await changeSubmission(runtime.db, id, changes, asSigned);
}

async function toldBy(parts: KeeperParts, submission: Submission, lookup: TurnLookup): Promise<Partial<SubmissionRow>> {
  const { row } = submission;
  const now = parts.runtime.clock.now();
  switch (lookup.kind) {
    case 'pending': {
      const isOverdue = now - (row.sentAt ?? now) >= MINED_WITHIN_MS;
      const told = isOverdue ? { unknownToldAt: row.unknownToldAt ?? now } : {};
      return { status: 'sent', error: null, unknownSince: null, ...told };
    }
    case 'unknown': {
      const error = refusalOf(row) ?? sentenceOf('Unknown', lookup.reason);
      const unknownSince = row.unknownSince ?? now;
      const isOverdue = now - Math.max(unknownSince, row.deadline ?? 0) >= PROVEN_WITHIN_MS;
      const told = isOverdue ? { unknownToldAt: row.unknownToldAt ?? now } : {};
      return { status: 'unknown', error, unknownSince, ...told };
    }
    case 'mined': {
      const { hash, block } = lookup;
      return { status: 'mined', hash, block, minedAt: row.minedAt ?? now, error: null, unknownSince: null };
    }
    case 'absent': {
      const told = [refusalOf(row), sentenceOf('Not carried out', lookup.reason)];
      return { status: 'failed', error: told.filter((each) => each !== null).join(' '), endedAt: now };
    }
    case 'failed': {
      const { hash, block, gas } = lookup;
      const error = sentenceOf('Taken back by the chain', lookup.reason);
      return { status: 'failed', hash, block, gas, minedAt: row.minedAt ?? now, endedAt: now, error };
    }
    case 'confirmed': {
      const { hash, block, gas, received } = lookup;
      if (received !== row.expected) {
        const facts = { submissionId: row.id, expected: formatUsd(row.expected), received: formatUsd(received) };
        parts.runtime.log.warn(facts, 'submission brought other cash than expected');
      }
      const balancesAfter = await readAfter(parts, submission);
      const ended = {
        status: 'confirmed' as const,
        hash,
        block,
        gas,
        received,
        minedAt: row.minedAt ?? now,
        endedAt: now,
      };
      return { ...ended, balancesAfter, error: null, unknownSince: null };
    }
  }
}

/** What the venue said when it did not take it, which outlives the proof that it was not carried out. */
function refusalOf({ status, error }: SubmissionRow): string | null {
  return status === 'unknown' && error?.startsWith(`${REFUSED}: `) ? error : null;
}

/** Null where it cannot be read: what is proven needs no balances, they are evidence beside it. */
async function readAfter({ runtime, chain }: KeeperParts, { row, steps }: Submission): Promise<StoredBalances | null> {
  try {
    return storedBalances(await chain.balances(tokensOf(steps)));
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    runtime.log.warn({ submissionId: row.id, reason: error.message }, 'balances after a chain submission not read');
    return null;
  }
}
