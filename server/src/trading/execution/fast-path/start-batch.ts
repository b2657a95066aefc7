/**
 * The fast path to the venue: a batch that is recorded leased to this process, signed and marked as sent, in one
 * transaction, whose orders leave once that has committed. Whatever speaks against it leaves the batch to the batch
 * runner, with the same result step by step.
 */

import type { Market } from '@dutchbook/engine/market/market.ts';
import { isDecisionOld } from '@dutchbook/engine/order/age.ts';
import type { MarketId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { SQL } from 'drizzle-orm';
import type { Quotes } from '../../../market/markets/live-quotes.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import type { AttemptRecord, BatchState } from '../../orders/batch-state.ts';
import type { BatchRows } from '../../orders/record-batch.ts';
import type { RoutedTrading } from '../../venue-desk/routed-trading.ts';
import { firstLease, type Lease } from '../runner/batch-lease.ts';
import { recordAttemptUpdates, type SignedAttempt } from '../runner/batch-writes.ts';
import { callsOf, mayLeave } from '../runner/venue-pace.ts';
import { neverSent, postMarked, type StepTools, signAll } from '../runner/venue-steps.ts';
import type { TriggersFirst } from './triggers-first.ts';

/** The attempts of a batch that was started: marked as sent, and none of them has left. */
export type StartedBatch = {
  lease: Lease;
  opportunityId: string;
  orders: readonly { tokenId: string }[];
  attempts: readonly AttemptRecord[];
};

/** With what batches are started here. */
export type FastPath = {
  runtime: Runtime;
  trading: RoutedTrading;
  quotes: Pick<Quotes, 'current'>;
  owner: string;
  triggers: TriggersFirst;
  /** Whether the batches of an opportunity are this process's to carry out. */
  owns: (opportunityId: string) => boolean;
  /**
   * Keeps the workers of this process off a batch that is about to be recorded, until what is answered is called: with
   * what was started, which a worker then posts, or with null, and it reads what there is. Null where nothing is started any
   * more.
   */
  reserve: (batchId: string) => ((started: StartedBatch | null) => void) | null;
};

/** The rows recorded for a batch that starts at once. */
export type StartedRows = {
  batch: BatchRows['batch'];
  leaseExpiresAt: SQL;
  orders: BatchRows['orders'];
  attempts: AttemptRecord[];
};

/** Signs the orders of a batch that is about to be recorded. Null where the batch runner has to start it. */
export async function signedStart(
  { runtime, trading, quotes, owner }: FastPath,
  { batch, orders }: BatchRows,
  markets: ReadonlyMap<MarketId, Market>,
): Promise<{ rows: StartedRows; started: StartedBatch } | null> {
  if (batch.simulated || orders.some(({ marketId }) => !markets.has(marketId))) return null;
  const toSign = orders.map((order) => ({ ...order, orderId: order.id, orderSize: order.size }));
  const signed = await signAll({ signOrder: trading.signOrder, quotes }, toSign, markets);
  if (typeof signed === 'string') return null;
  runtime.pass('orders_signed');
  const now = runtime.clock.now();
  const { lease, columns, expiresAt: leaseExpiresAt } = firstLease(runtime, owner, batch.id);
  const sent = signed.map((each) => sentAttempt(runtime, batch.id, each, now));
  return {
    rows: {
      batch: { ...batch, ...columns, status: 'processing', executionStartedAt: now },
      leaseExpiresAt,
      orders: orders.map((order) => ({ ...order, status: 'processing', attemptCount: 1 })),
      attempts: sent,
    },
    started: { lease, opportunityId: batch.opportunityId, orders, attempts: sent },
  };
}

/** Takes the slot of its orders, if that has come and they were not decided on too long ago. */
export function mayStart(
  { runtime, trading }: FastPath,
  batch: BatchRows['batch'],
  { attempts }: StartedBatch,
): boolean {
  if (isDecisionOld(batch.createdAt, runtime.clock.now())) return false;
  return mayLeave(trading, callsOf(batch.id, 'buy', attempts), runtime.clock);
}

/** Posts what was started, unless it may not leave any more. This process holds the lease, so that it is known that nothing left. */
export async function postStarted(
  tools: StepTools,
  { lease, orders, attempts: sent }: StartedBatch,
): Promise<BatchState> {
  const { runtime } = tools;
  runtime.pass('attempts_committed');
  runtime.pass('marked_sent');
  if (!tools.mayBuy(lease.batchId, orders)) return await recordAttemptUpdates(runtime, lease, sent.map(neverSent));
  return await postMarked(tools, lease, sent);
}

function sentAttempt(
  { random }: Runtime,
  batchId: string,
  { signed, ...terms }: SignedAttempt,
  now: Instant,
): AttemptRecord {
  return {
    ...signed,
    ...terms,
    id: random.uuid(),
    batchId,
    venueName: null,
    status: 'sent',
    matchedSize: null,
    reason: null,
    unknownReason: null,
    createdAt: now,
    sentAt: now,
    answeredAt: null,
    endedAt: null,
    askedAt: null,
    lookupAnswer: null,
    goneAt: null,
    reserved: true,
    updatedAt: now,
  };
}
