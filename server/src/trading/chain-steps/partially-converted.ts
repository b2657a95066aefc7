/** Requests of which a submission has handed out shares for the next one, which could not be planned before. */
import type { MarketId, VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { and, eq, gt, inArray, isNotNull, isNull, not } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { chainSteps, chainSubmissions } from './table.ts';

/** `marketIds`: of the shares that it took and handed out. */
export type PartiallyConverted = {
  requestId: string;
  requestedBy: string | null;
  marketIds: MarketId[];
  batchIds: string[];
};

/** Converted since then for no dollars, which is done for what follows alone, and nothing of the request is under way. */
export async function partiallyConvertedSince(db: Db, at: VenueName, since: Instant): Promise<PartiallyConverted[]> {
  const { venue, requestId, purpose, status, expected, bookedAt, endedAt } = chainSubmissions;
  const underWay = db.select({ requestId }).from(chainSubmissions).where(isNull(bookedAt));
  const rows = await db
    .select({ submission: chainSubmissions, step: chainSteps })
    .from(chainSubmissions)
    .innerJoin(chainSteps, eq(chainSteps.submissionId, chainSubmissions.id))
    .where(
      and(
        eq(venue, at),
        eq(purpose, 'cash_now'),
        eq(status, 'confirmed'),
        eq(expected, USD_ZERO),
        isNotNull(bookedAt),
        gt(endedAt, since),
        not(inArray(requestId, underWay)),
      ),
    );
  return [...Map.groupBy(rows, ({ submission }) => submission.requestId)].map(([id, own]) => ({
    requestId: id,
    requestedBy: own[0]?.submission.requestedBy ?? null,
    marketIds: [
      ...new Set(own.flatMap(({ step }) => [...step.marketIds, ...step.handedOut.map((one) => one.marketId)])),
    ],
    batchIds: [...new Set(own.flatMap(({ submission }) => submission.batchIds))],
  }));
}
