/** Books a final payout that the venue has changed: its fills get the new dollars, and the ledger the difference. */
import { mulDiv } from '@dutchbook/units/micro.ts';
import { addUsd, pricePerShare, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { readSubmission, type Submission } from '../chain-steps/store.ts';
import { chainSubmissions } from '../chain-steps/table.ts';
import { type Lease, LeaseLost, releaseLease, takeLease } from '../execution/runner/batch-lease.ts';
import { callBatch } from '../execution/runner/batch-runner.ts';
import type { BatchPublisher } from '../execution/runner/publish-batch.ts';
import { underLease } from '../execution/runner/under-lease.ts';
import { fills } from '../orders/table.ts';
import { divided } from './book-payouts.ts';
import type { PayoutRow } from './payouts.ts';
import { venuePayouts } from './table.ts';

type CorrectingParts = { runtime: Runtime; owner: string; publisher: BatchPublisher };

/** Repeating it changes nothing more. @returns whether all batches have it in their books */
export async function correctPayout(parts: CorrectingParts, payout: PayoutRow): Promise<boolean> {
  const { db, clock } = parts.runtime;
  const submission = payout.submissionId === null ? null : await readSubmission(db, payout.submissionId);
  if (submission === null || submission.row.bookedAt === null) return false;
  const dollars = dollarsByOrder(submission, payout);
  for (const batchId of submission.row.batchIds) if (!(await correctBatch(parts, batchId, dollars))) return false;
  const received = [...dollars.values()].reduce(addUsd, USD_ZERO);
  const error = payout.changes.at(-1)?.reason ?? null;
  await db.transaction(async (tx) => {
    await tx.update(chainSubmissions).set({ received, error }).where(eq(chainSubmissions.id, submission.row.id));
    await tx
      .update(venuePayouts)
      .set({ bookedAt: clock.now() })
      .where(and(eq(venuePayouts.marketId, payout.marketId), isNotNull(venuePayouts.submissionId)));
  });
  return true;
}

/** Each share of an outcome gets the same; what rounding leaves goes to the last. */
function dollarsByOrder({ steps }: Submission, { outcomes, dollars, fee }: PayoutRow): Map<string, Usd> {
  const byOutcome = divided(subtractUsd(dollars, fee), outcomes);
  const paid = new Map(outcomes.map(({ tokenId, shares }, place) => [tokenId, { shares, came: byOutcome[place] }]));
  return new Map(
    steps.flatMap(({ tokenId, parts, shares }) => {
      const { shares: of, came = USD_ZERO } = paid.get(tokenId ?? '') ?? { shares };
      const forOurs = mulDiv(came, shares, of, 'down');
      let rest = forOurs;
      return parts.map((part, place) => {
        const own = place === parts.length - 1 ? rest : mulDiv(forOurs, part.shares, shares, 'down');
        rest -= own;
        return [part.orderId, own as Usd] as const;
      });
    }),
  );
}

async function correctBatch(
  { runtime, owner, publisher }: CorrectingParts,
  batchId: string,
  dollars: ReadonlyMap<string, Usd>,
): Promise<boolean> {
  const lease = await takeLease(runtime, owner, batchId);
  if (lease === null) return false;
  try {
    await writeCosts(runtime, lease, dollars);
    await releaseLease(runtime.db, lease);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    return false;
  }
  await publisher.publish(batchId);
  await callBatch(runtime, batchId);
  return true;
}

async function writeCosts(runtime: Runtime, lease: Lease, dollars: ReadonlyMap<string, Usd>): Promise<void> {
  await underLease(runtime, lease, async (tx, state) => {
    for (const { tradeId, orderHash, size } of state.fills) {
      const cost = dollars.get(tradeId.slice('chain:'.length));
      if (cost === undefined || !tradeId.startsWith('chain:')) continue;
      await tx
        .update(fills)
        .set({ cost, price: pricePerShare(cost, size, 'down') })
        .where(and(eq(fills.tradeId, tradeId), eq(fills.orderHash, orderHash)));
    }
  });
}
