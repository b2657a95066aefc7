/** Sells what dollars were split into, at the limits that were decided on, once the chain has confirmed it and the venue knows. */
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

/** After the split is confirmed, the sale waits this long for bids that take all of it at its limits, and for the venue. */
const SOLD_WITHIN_MS = 60_000;

const HELD = 'All of it is held: sell it, or convert it back into its dollars with Cash Now.';
const DISARMED = 'Trading was disarmed, or the batch canceled, after the split was sent.';

/** The sale is not what was decided, or no longer to be made: nothing of it is recorded. */
class NotSold extends Error {
  override readonly name = 'NotSold';
}

/**
 * All of it or nothing: of a set of which a part is sold alone the rest may be worth nothing. It is sold once, without what a user
 * has sold or converted meanwhile. @returns whether it is decided, and the submission booked
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
      if (!(await book(tx, parts, submission))) throw new NotSold('It was decided by another process.');
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

/** A sentence, or null where it was sold. */
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

/** Sells nothing of it; the batch shows why. */
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
