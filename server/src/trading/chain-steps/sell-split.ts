/** Sells the shares of a confirmed split at the limits that were decided on, once the venue shows them. */
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq, isNull } from 'drizzle-orm';
import { noEarlier } from '../../platform/database/update-time.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { callBatch } from '../execution/runner/batch-runner.ts';
import { sellShares } from '../execution/selling/sell-shares.ts';
import { loadBatch } from '../orders/batch-state.ts';
import { batches } from '../orders/table.ts';
import { isArmedUntilEnd } from '../trading-controls/store.ts';
import type { ChainLoopParts } from './chain-loop-parts.ts';
import { changeSubmission, type Submission } from './store.ts';
import { chainSubmissions, type HandedOut } from './table.ts';

/** From the confirmation on, the sale is tried again for so long while bids do not take all shares at its limits, or the venue does not answer. */
const SOLD_WITHIN_MS = 60_000;

const HELD = 'All shares are held: sell them, or convert them into dollars with Cash Now.';
const DISARMED = 'Trading was disarmed, or the batch canceled, after the split was sent.';

/** Rolls the sale back: its plan differs from what was decided, or it may no longer be made. */
class NotSold extends Error {
  override readonly name = 'NotSold';
}

/**
 * Sells all shares of the set or none: after a part is sold the rest may be worth nothing. Of a batch that has a sale or a conversion already
 * nothing is sold. @returns whether the submission is booked, sold or not; false to be tried again
 */
export async function sellSplit(parts: ChainLoopParts, submission: Submission): Promise<boolean> {
  const { runtime, controls, publisher } = parts;
  const { row, steps } = submission;
  const [batchId = ''] = row.batchIds;
  const state = await loadBatch(runtime.db, batchId);
  if (state === null || state.sales.length > 0) return await leave(parts, submission, null);
  if (state.batch.cancelRequestedAt !== null || !controls.current().armed)
    return await leave(parts, submission, DISARMED);
  const handedOut = steps.flatMap((step) => step.handedOut);
  const settings = { current: () => state.batch.settings };
  const reason = await refusalOf(async () => {
    const prices = new Map(handedOut.flatMap(({ tokenId, split }) => (split ? [[tokenId, split.limit] as const] : [])));
    const { quotes, trading, catalogue } = parts;
    const selling = { runtime, quotes, venue: { catalogue, trading }, settings };
    const sold = await sellShares(selling, { batchId }, { kind: 'all', prices }, async (tx, _sale, plan) => {
      if (!handedOut.every((part) => plan.orders.some((order) => isAllOf(order, part))))
        throw new NotSold(plan.warnings.join(' '));
      if (!(await isArmedUntilEnd(tx, runtime.config.venueMode, controls.venue))) throw new NotSold(DISARMED);
      if (!(await book(tx, parts, submission))) throw new NotSold('Another process has booked the split.');
    });
    return sold?.kind === 'refused' ? sold.reasons.join(' ') : null;
  });
  if (reason !== null) {
    if (runtime.clock.now() - (row.endedAt ?? 0) < SOLD_WITHIN_MS) return false;
    return await leave(parts, submission, reason);
  }
  await publisher.publish(batchId);
  await callBatch(runtime, batchId);
  return true;
}

function isAllOf(order: { orderId: string; sellSize: number }, { orderId, shares }: HandedOut): boolean {
  return order.orderId === orderId && order.sellSize === shares;
}

/** Why the shares were not sold; null where they were. */
async function refusalOf(sell: () => Promise<string | null>): Promise<string | null> {
  try {
    return await sell();
  } catch (error) {
    if (error instanceof VenueUnavailable) return 'The venue did not answer.';
    if (error instanceof NotSold) return error.message;
    throw error;
  }
}

function book(db: Db, { runtime }: Pick<ChainLoopParts, 'runtime'>, { row }: Submission): Promise<boolean> {
  const unbooked = isNull(chainSubmissions.bookedAt);
  return changeSubmission(db, row.id, { bookedAt: runtime.clock.now() }, unbooked);
}

/** Books the submission without a sale; the batch shows `why`, where that is given. */
async function leave(parts: ChainLoopParts, submission: Submission, why: string | null): Promise<boolean> {
  const { runtime, publisher } = parts;
  const [batchId = ''] = submission.row.batchIds;
  await runtime.db.transaction(async (tx) => {
    if (!(await book(tx, parts, submission)) || why === null) return;
    const updatedAt = noEarlier(batches.updatedAt, runtime.clock.now());
    await tx
      .update(batches)
      .set({ lastError: `Not sold: ${why} ${HELD}`, updatedAt })
      .where(eq(batches.id, batchId));
  });
  await publisher.publish(batchId);
  return true;
}
