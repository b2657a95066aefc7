/**
 * The short way to the venue: a batch that is recorded leased to this process, signed and marked as sent, in one
 * transaction, whose orders leave once that has committed. Whatever speaks against it leaves the batch to the loop, which
 * comes to the same step by step.
 */
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { VenueTrading } from '@dutchbook/venues/venue.ts';
import type { PgInsertValue } from 'drizzle-orm/pg-core';
import type { BatchRows } from '../../batches/record.ts';
import type { batches } from '../../world/schema.ts';
import type { World } from '../../world/world.ts';
import { newsOfPost } from './attempt-news.ts';
import type { AttemptRecord, BatchState } from './batch-state.ts';
import { recordNews, type SignedAttempt } from './batch-writes.ts';
import { firstLease, type Lease } from './lease.ts';
import { DECISION_AGE_MAX_MS, mayLeave, neverSent, post, type StepTools, signAll } from './placing-steps.ts';

/** The attempts of a batch that has begun: marked as sent, and none of them has left. */
export type Begun = { lease: Lease; attempts: readonly AttemptRecord[] };

/** Who begins batches here. */
export type Beginner = {
  world: World;
  trading: VenueTrading;
  owner: string;
  /**
   * Keeps the loop of this process off a batch that is about to be recorded, until what is answered is called: with what
   * has begun, which the loop then sends, or with null, and it looks what there is. Null where nothing is begun any more.
   */
  hold: (batchId: string) => ((begun: Begun | null) => void) | null;
};

/** What is recorded of a batch that begins at once. */
export type BegunRows = {
  batch: PgInsertValue<typeof batches>;
  orders: BatchRows['orders'];
  attempts: AttemptRecord[];
};

/** Signs the orders of a batch that is about to be recorded, and takes their turn; null where the loop has to do it. */
export async function beginBatch(
  { world, trading, owner }: Beginner,
  { batch, orders }: BatchRows,
  markets: ReadonlyMap<string, Market>,
): Promise<{ rows: BegunRows; begun: Begun } | null> {
  if (batch.simulated || orders.some(({ marketId }) => !markets.has(marketId))) return null;
  const call = { who: `${batch.id} buy`, errand: 'buy', orders: orders.length } as const;
  if (!mayLeave({ world, trading }, call)) return null;
  const toSign = orders.map((order) => ({ ...order, orderId: order.id }));
  const signed = await signAll(trading, toSign, markets);
  if (typeof signed === 'string' || isOld(world, batch.createdAt)) return null;
  world.pass('orders_signed');
  const now = world.clock.now();
  const { lease, columns } = firstLease(world, owner, batch.id);
  const sent = signed.map((each) => sentAttempt(world, batch.id, each, now));
  return {
    rows: {
      batch: { ...batch, ...columns, status: 'processing', executionStartedAt: now },
      orders: orders.map((order) => ({ ...order, status: 'processing', attemptCount: 1 })),
      attempts: sent,
    },
    begun: { lease, attempts: sent },
  };
}

/** Sends what has begun, unless it may not leave any more. Nobody else has the batch, so that none of it left is known. */
export async function sendBegun(tools: StepTools, { lease, attempts: sent }: Begun): Promise<BatchState | null> {
  const { world } = tools;
  world.pass('attempts_committed');
  world.pass('marked_sent');
  if (!tools.armed()) return await recordNews(world, lease, sent.map(neverSent));
  const decidedAt = Math.min(...sent.map(({ createdAt }) => createdAt));
  if (isOld(world, decidedAt)) return await recordNews(world, lease, sent.map(notSentYet));
  return await post(tools, lease, null, sent, newsOfPost);
}

/** Judged again before it leaves, as everything that has waited. */
function notSentYet({ id }: AttemptRecord) {
  return { attemptId: id, turnedAway: true, reason: null } as const;
}

function isOld({ clock }: World, decidedAt: number): boolean {
  return clock.now() - decidedAt >= DECISION_AGE_MAX_MS;
}

function sentAttempt(
  { dice }: World,
  batchId: string,
  { orderId, signed, size, price }: SignedAttempt,
  now: Instant,
): AttemptRecord {
  return {
    id: dice.uuid(),
    orderId,
    batchId,
    ...signed,
    size,
    price,
    status: 'sent',
    matchedSize: null,
    reason: null,
    createdAt: now,
    sentAt: now,
    answeredAt: null,
    endedAt: null,
    askedAt: null,
    lookupAnswer: null,
    goneAt: null,
    updatedAt: now,
  };
}
