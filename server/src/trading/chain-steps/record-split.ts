/** Writes down a batch that dollars are split into, with the submission that splits them, before anything of it is signed. */
import type { SplitPlan } from '@dutchbook/engine/split/plan-split.ts';
import type { SplitWay } from '@dutchbook/engine/split/way-in.ts';
import { FRACTION_ZERO } from '@dutchbook/units/fraction.ts';
import { PRICE_ONE } from '@dutchbook/units/price.ts';
import { sharesToNumber, sharesToText } from '@dutchbook/units/shares.ts';
import { formatUsd, pricePerShare, type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import { type NewNotification, recordNotification } from '../../people/notifications/record.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { batchRows, type Intent } from '../orders/record-batch.ts';
import { batches, batchOrders } from '../orders/table.ts';
import { chainSteps, chainSubmissions } from './table.ts';

export type Split = { way: SplitWay; plan: SplitPlan };

/** The contract takes nothing. */
const NO_FEE = { rate: FRACTION_ZERO, step: 1 as Usd };

/**
 * Answers the batch's id, or null when the opportunity has an active batch already. Its orders hold what the split hands out, and
 * cost their part of the dollars; a set of them is worth a dollar. `requestedBy`: an email.
 */
export async function recordSplit(
  tx: Db,
  runtime: Pick<Runtime, 'clock' | 'random' | 'pubsub'>,
  requestedBy: string | null,
  intent: Intent,
  { way, plan }: Split,
): Promise<string | null> {
  const { random, pubsub } = runtime;
  const [submissionId, stepId] = [random.uuid(), random.uuid()];
  const held = plan.orders.map((order) => {
    const price = pricePerShare(order.reserve, order.size, 'up');
    return { ...order, side: 'buy' as const, limitPrice: price, averagePrice: price };
  });
  const { batch, orders } = batchRows(runtime, {
    ...intent,
    targetPrice: PRICE_ONE,
    plan: { ...plan, orders: held },
    feeSchedules: new Map(held.map(({ tokenId }) => [tokenId, NO_FEE])),
  });
  const { id: batchId, createdAt } = batch;
  const underWay = { status: 'processing' as const, executionStartedAt: createdAt, maxRetries: 0, splitStepId: stepId };
  const recorded = await tx
    .insert(batches)
    .values({ ...batch, ...underWay })
    .onConflictDoNothing()
    .returning({ id: batches.id });
  if (recorded.length === 0) return null;
  const ofStep = { chainStepId: stepId, submissionId, submissionPurpose: 'split' as const };
  await tx.insert(batchOrders).values(orders.map((order) => ({ ...order, ...ofStep })));
  const expected = -plan.dollars as Usd;
  await tx.insert(chainSubmissions).values({
    ...{ id: submissionId, requestId: random.uuid(), purpose: 'split', status: 'planned', automatic: false },
    ...{ requestedBy, batchIds: [batchId], expected, createdAt },
  });
  const { kind, marketIds } = way;
  await tx.insert(chainSteps).values({
    ...{ id: stepId, submissionId, ordinal: 0, kind, marketIds, shares: plan.size, expected, parts: [] },
    marketNames: marketIds.map((id) => plan.orders.find(({ marketId }) => marketId === id)?.marketName ?? id),
    changes: plan.orders.map(({ tokenId }) => ({ tokenId, micro: plan.size })),
    handedOut: plan.orders.map(({ leg, marketId, marketName, tokenId, outcome, size, reserve, limitPrice }, place) => ({
      ...{ orderId: orders[place]?.id ?? '', batchId, leg, marketId, marketName, tokenId, outcome, shares: size },
      split: { cost: reserve, limit: limitPrice },
    })),
  });
  await recordNotification(tx, runtime, splitNotification(batchId, intent.opportunityId, plan));
  await pubsub.publish(tx, 'chain_called');
  return batchId;
}

function splitNotification(
  batchId: string,
  opportunityId: string,
  { size, orders, dollars, expectedProfit }: SplitPlan,
): NewNotification {
  return {
    type: 'order_placed',
    opportunityId,
    message: `${formatUsd(dollars)} are being split by hand into ${sharesToText(size)} shares of ${orders.length} outcomes, which are sold then, to make ${formatUsd(expectedProfit)}`,
    data: {
      batch_id: batchId,
      orders: orders.length,
      order_size: sharesToNumber(size),
      total_cost_usd: usdToNumber(dollars),
      target_profit_usd: usdToNumber(expectedProfit),
      automatic: false,
      simulated: false,
    },
  };
}
