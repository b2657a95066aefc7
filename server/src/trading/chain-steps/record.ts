/** Writes down what is to be submitted, before anything of it is signed: the submissions, their calls, and whose shares they take. */

import { FRACTION_ZERO } from '@dutchbook/units/fraction.ts';
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { pricePerShare, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { inArray } from 'drizzle-orm';
import { insertOf } from '../../platform/database/many-rows.ts';
import { noEarlier } from '../../platform/database/update-time.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { nextOrdinals } from '../orders/locked-batches.ts';
import { batches, batchOrders } from '../orders/table.ts';
import type { PlannedStep } from './plan.ts';
import { chainSteps, chainSubmissions } from './table.ts';

type Recorder = Pick<Runtime, 'clock' | 'random' | 'pubsub'>;

/** `requestedBy`: an email; null where the product does by itself. */
export type Requested = {
  requestId: string;
  purpose: 'cash_now' | 'redeem' | 'close';
  automatic: boolean;
  requestedBy: string | null;
  /** The venue has done it by itself: it is only to be booked. */
  byVenue?: true;
};

/** The batches of the shares must be locked. @returns the ids of the submissions, in order */
export async function recordSubmissions(
  tx: Db,
  runtime: Recorder,
  { requestId, purpose, automatic, requestedBy, byVenue }: Requested,
  submissions: readonly (readonly PlannedStep[])[],
): Promise<string[]> {
  const now = runtime.clock.now();
  const batchIds = batchesOf(submissions.flat());
  const next = await nextOrdinals(tx, batchIds);
  const orders: (typeof batchOrders.$inferInsert)[] = [];
  const ids: string[] = [];
  for (const steps of submissions) {
    const id = runtime.random.uuid();
    ids.push(id);
    const rows = steps.map((step, ordinal) => stepRow(runtime, id, step, ordinal));
    await tx.insert(chainSubmissions).values({
      id,
      venue: venueOf(steps[0]?.marketIds[0] ?? ''),
      requestId,
      purpose,
      ...(byVenue ? { status: 'confirmed', byVenue, endedAt: now } : { status: 'planned' }),
      automatic,
      requestedBy,
      batchIds: batchesOf(steps),
      expected: steps.reduce((sum, { dollars }) => sum + dollars, 0) as Usd,
      createdAt: now,
    });
    await tx.insert(chainSteps).values(rows);
    for (const [place, step] of steps.entries())
      for (const [nth, { lot, shares, dollars }] of step.parts.entries()) {
        const row = rows[place];
        const part = row?.parts[nth];
        if (row === undefined || part === undefined) throw new Error('a part of a step has no order');
        const price = pricePerShare(dollars, shares, 'down');
        const { batchId, opportunityId, leg, marketId, marketName, tokenId, outcome } = lot;
        const ordinal = next(batchId);
        orders.push({
          ...{ id: part.orderId, batchId, opportunityId, leg, ordinal, marketId, marketName, tokenId, outcome },
          ...{ side: 'sell', size: shares, price, expectedPrice: price, feeRate: FRACTION_ZERO, status: 'processing' },
          ...{ filledSize: SHARES_ZERO, filledCost: USD_ZERO, fee: USD_ZERO },
          ...{ sellsOrderId: lot.orderId, saleId: requestId, chainStepId: row.id },
          ...{ submissionId: id, submissionPurpose: purpose, createdAt: now, updatedAt: now },
        });
      }
  }
  if (orders.length > 0) await tx.execute(insertOf(batchOrders, orders));
  if (batchIds.length > 0)
    await tx
      .update(batches)
      .set({ saleUnderWay: true, updatedAt: noEarlier(batches.updatedAt, now) })
      .where(inArray(batches.id, batchIds));
  await runtime.pubsub.publish(tx, 'chain_called');
  return ids;
}

function batchesOf(steps: readonly PlannedStep[]): string[] {
  return [...new Set(steps.flatMap(({ parts }) => parts.map(({ lot }) => lot.batchId)))];
}

function stepRow(
  { random }: Pick<Recorder, 'random'>,
  submissionId: string,
  { kind, marketIds, marketNames, tokenId, shares, dollars, changes, parts, handedOut }: PlannedStep,
  ordinal: number,
) {
  return {
    ...{ id: random.uuid(), submissionId, ordinal, kind, marketIds, marketNames, tokenId, shares, changes },
    expected: dollars,
    parts: parts.map((part) => ({
      orderId: random.uuid(),
      batchId: part.lot.batchId,
      shares: part.shares,
      dollars: part.dollars,
    })),
    handedOut: handedOut.map(({ to: { batchId, leg }, ...receipt }) => ({
      orderId: random.uuid(),
      batchId,
      leg,
      ...receipt,
    })),
  };
}

/** A call that gives a contract the right to move something, or takes it back. */
export type ApprovalCall = { contract: string; name: string; holder: string; isAllowed: boolean };

/** Records a submission of approvals. @returns its id */
export async function recordApprovals(
  tx: Db,
  { clock, random, pubsub }: Recorder,
  requested: Omit<Requested, 'purpose'> & { venue: VenueName },
  calls: readonly ApprovalCall[],
): Promise<string> {
  const id = random.uuid();
  const values = { id, ...requested, purpose: 'approval' as const, status: 'planned' as const, batchIds: [] };
  await tx.insert(chainSubmissions).values({ ...values, expected: USD_ZERO, createdAt: clock.now() });
  await tx.insert(chainSteps).values(
    calls.map(({ contract, name, holder, isAllowed }, ordinal) => ({
      ...{ id: random.uuid(), submissionId: id, ordinal, kind: 'approve' as const, marketIds: [], marketNames: [name] },
      ...{ contract, holder, isAllowed, shares: 0 as Shares, expected: USD_ZERO },
      ...{ changes: [], parts: [], handedOut: [] },
    })),
  );
  await pubsub.publish(tx, 'chain_called');
  return id;
}
