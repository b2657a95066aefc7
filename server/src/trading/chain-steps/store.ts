import type { ChainStatus } from '@dutchbook/contract/chain-steps.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { ConversionRequest, PreparedConversion } from '@dutchbook/venues/venue-chain.ts';
import { and, asc, desc, eq, exists, gt, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { namesOfBatches } from '../orders/batch-store.ts';
import type { PlannedStep } from './plan.ts';
import { chainSteps, chainSubmissions } from './table.ts';

export type SubmissionRow = typeof chainSubmissions.$inferSelect;
export type StepRow = typeof chainSteps.$inferSelect;
/** `batchNames` are those of the batches of the row, in their order. */
export type Submission = { row: SubmissionRow; steps: StepRow[]; batchNames: (string | null)[] };

export type SubmissionFilter = {
  status?: ChainStatus | undefined;
  batchId?: string | undefined;
  venue?: VenueName | undefined;
};

/** Newest first. */
export async function listSubmissions(
  db: Db,
  { status, batchId, venue }: SubmissionFilter,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ rows: Submission[]; count: number }> {
  const where = and(
    status === undefined ? undefined : eq(chainSubmissions.status, status),
    venue === undefined ? undefined : eq(chainSubmissions.venue, venue),
    batchId === undefined ? undefined : sql`${chainSubmissions.batchIds} @> ${JSON.stringify([batchId])}::jsonb`,
  );
  const rows = await db
    .select()
    .from(chainSubmissions)
    .where(where)
    .orderBy(desc(chainSubmissions.createdAt), desc(chainSubmissions.id))
    .offset(skip)
    .limit(limit);
  return { rows: await withSteps(db, rows), count: await db.$count(chainSubmissions, where) };
}

export async function readSubmission(db: Db, id: string): Promise<Submission | null> {
  const [submission = null] = await readSubmissions(db, eq(chainSubmissions.id, id));
  return submission;
}

/** The submissions of one request, oldest first; those recorded at once are in no order. */
export async function submissionsOfRequest(db: Db, requestId: string): Promise<Submission[]> {
  return await readSubmissions(db, eq(chainSubmissions.requestId, requestId));
}

/** The venue's unfinished submissions, oldest first. */
export async function unbookedSubmissions(db: Db, at: VenueName): Promise<Submission[]> {
  const { bookedAt, venue } = chainSubmissions;
  return await readSubmissions(db, sql`${isNull(bookedAt)} and ${eq(venue, at)}`);
}

async function readSubmissions(db: Db, where: SQL): Promise<Submission[]> {
  const rows = await db
    .select()
    .from(chainSubmissions)
    .where(where)
    .orderBy(asc(chainSubmissions.createdAt), asc(chainSubmissions.id));
  return await withSteps(db, rows);
}

async function withSteps(db: Db, rows: readonly SubmissionRow[]): Promise<Submission[]> {
  if (rows.length === 0) return [];
  const steps = await db
    .select()
    .from(chainSteps)
    .where(
      inArray(
        chainSteps.submissionId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(chainSteps.ordinal));
  const of = Map.groupBy(steps, ({ submissionId }) => submissionId);
  const names = await namesOfBatches(
    db,
    rows.flatMap(({ batchIds }) => batchIds),
  );
  return rows.map((row) => ({
    row,
    steps: of.get(row.id) ?? [],
    batchNames: row.batchIds.map((id) => names.get(id) ?? null),
  }));
}

/** The submissions of these steps. */
export async function submissionsOfSteps(
  db: Db,
  stepIds: readonly string[],
): Promise<ReadonlyMap<string, SubmissionRow>> {
  if (stepIds.length === 0) return new Map();
  const rows = await db
    .select({ stepId: chainSteps.id, submission: chainSubmissions })
    .from(chainSteps)
    .innerJoin(chainSubmissions, eq(chainSubmissions.id, chainSteps.submissionId))
    .where(inArray(chainSteps.id, [...stepIds]));
  return new Map(rows.map(({ stepId, submission }) => [stepId, submission]));
}

/** When submissions that merge were sent since then, oldest first; those that the venue did not look at are not among them. */
export async function mergesSentSince(db: Db, venue: VenueName, since: Instant): Promise<Instant[]> {
  const merges = db
    .select({ id: chainSteps.id })
    .from(chainSteps)
    .where(
      and(
        eq(chainSteps.submissionId, chainSubmissions.id),
        inArray(chainSteps.kind, ['merge', 'horizontal_merge', 'directional_merge']),
      ),
    );
  const rows = await db
    .select({ sentAt: chainSubmissions.sentAt })
    .from(chainSubmissions)
    .where(
      and(
        eq(chainSubmissions.venue, venue),
        isNotNull(chainSubmissions.sentAt),
        gt(chainSubmissions.sentAt, since),
        exists(merges),
      ),
    )
    .orderBy(asc(chainSubmissions.sentAt));
  return rows.flatMap(({ sentAt }) => sentAt ?? []);
}

/** Whether something was converted into dollars automatically since then. */
export async function wasAutomaticSince(db: Db, at: VenueName, since: Instant): Promise<boolean> {
  const { venue, purpose, automatic, createdAt } = chainSubmissions;
  const found = and(eq(venue, at), eq(purpose, 'cash_now'), eq(automatic, true), gt(createdAt, since));
  return (await db.$count(chainSubmissions, found)) > 0;
}

/** Changes a submission that is as it was seen; nothing where another transaction has changed it meanwhile. @returns whether it did */
export async function changeSubmission(
  db: Db,
  id: string,
  changes: Partial<SubmissionRow>,
  seen = isNull(chainSubmissions.endedAt),
): Promise<boolean> {
  const changed = await db
    .update(chainSubmissions)
    .set(changes)
    .where(and(eq(chainSubmissions.id, id), seen))
    .returning({ id: chainSubmissions.id });
  return changed.length > 0;
}

/** The signed conversion; null where nothing is signed. */
export function preparedOf({
  preparedId,
  nonce,
  deadline,
  highestCost,
  payload,
}: SubmissionRow): PreparedConversion | null {
  if (preparedId === null || nonce === null || payload === null) return null;
  return { id: preparedId, nonce, deadline, highestCost, payload };
}

/** The call of a step that takes shares, or hands them out, as the venue is asked for it. */
export function requestOfPlan({
  kind,
  marketIds,
  tokenId,
  shares,
}: Pick<PlannedStep, 'marketIds' | 'tokenId' | 'shares'> & {
  kind: Exclude<ConversionRequest['kind'], 'approve'>;
}): ConversionRequest {
  if (kind === 'redeem') return { kind, marketId: marketIds[0] ?? '', tokenId: tokenId ?? '', shares };
  if (kind === 'split' || kind === 'horizontal_split') return { kind, marketIds, shares };
  return { kind, marketIds, shares };
}

/** The call of any step that is recorded. */
export function requestOf({ kind, contract, holder, isAllowed, ...step }: StepRow): ConversionRequest {
  if (kind !== 'approve') return requestOfPlan({ ...step, kind });
  return { kind, contract: contract ?? '', holder: holder ?? '', isAllowed: isAllowed ?? false };
}
