/** Makes the rows of a batch that splits dollars into shares, and of its submission to the chain, before anything is signed. */
import type { SplitPlan } from '@dutchbook/engine/split/plan-split.ts';
import type { SplitWay } from '@dutchbook/engine/split/way-in.ts';
import { FRACTION_ZERO } from '@dutchbook/units/fraction.ts';
import { venueOf } from '@dutchbook/units/ids.ts';
import { PRICE_ONE } from '@dutchbook/units/price.ts';
import { sharesToNumber, sharesToText } from '@dutchbook/units/shares.ts';
import { formatUsd, pricePerShare, type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import type { NewNotification } from '../../people/notifications/record.ts';
import { insertOf } from '../../platform/database/many-rows.ts';
import type { SplitRows } from '../execution/placing/request.ts';
import { batchRows } from '../orders/record-batch.ts';
import { batches, batchOrders } from '../orders/table.ts';
import { reserveNew } from '../under-way/reserve.ts';
import { chainSteps, chainSubmissions } from './table.ts';

export type Split = { way: SplitWay; plan: SplitPlan };

/** The contract charges no fee for a split. */
const NO_FEE = { rate: FRACTION_ZERO, step: 1 as Usd };

/**
 * Makes the rows of a split: the orders of its batch hold the shares that the contract hands out, each at its part of the dollars; a
 * complete set is worth a dollar. `requestedBy`: an email.
 */
export function splitRowsFor(requestedBy: string | null): SplitRows {
  return ({ clock, random, pubsub }, intent, { way, plan }) => {
    const [submissionId, stepId] = [random.uuid(), random.uuid()];
    const held = plan.orders.map((order) => {
      const price = pricePerShare(order.reserve, order.size, 'up');
      return { ...order, side: 'buy' as const, limitPrice: price, averagePrice: price };
    });
    const rows = batchRows(
      { clock, random },
      {
        ...{ ...intent, targetPrice: PRICE_ONE, plan: { ...plan, orders: held } },
        feeSchedules: new Map(held.map(({ tokenId }) => [tokenId, NO_FEE])),
      },
    );
    const { id: batchId, createdAt } = rows.batch;
    const underWay = {
      status: 'processing' as const,
      executionStartedAt: createdAt,
      maxRetries: 0,
      splitStepId: stepId,
    };
    const batch = { ...rows.batch, ...underWay };
    const ofStep = { chainStepId: stepId, submissionId, submissionPurpose: 'split' as const };
    const orders = rows.orders.map((order) => ({ ...order, ...ofStep }));
    const expected = -plan.dollars as Usd;
    const submission = {
      ...{
        id: submissionId,
        venue: venueOf(way.marketIds[0] ?? ''),
        requestId: random.uuid(),
        purpose: 'split' as const,
        status: 'planned' as const,
      },
      ...{ automatic: false, requestedBy, batchIds: [batchId], expected, createdAt },
    };
    const step = { ...stepOf({ way, plan }, { batchId, orders }), id: stepId, submissionId, expected };
    return {
      ...{ batch, orders },
      writes: [
        insertOf(batches, [batch]),
        insertOf(batchOrders, orders),
        reserveNew({ batch, orders }),
        insertOf(chainSubmissions, [submission]),
        insertOf(chainSteps, [step]),
      ],
      calls: [pubsub.publishing('chain_called')],
      notification: splitNotification(batchId, intent.opportunityId, plan),
    };
  };
}

function stepOf({ way, plan }: Split, { batchId, orders }: { batchId: string; orders: readonly { id: string }[] }) {
  const { kind, marketIds } = way;
  return {
    ...{ ordinal: 0, kind, marketIds, shares: plan.size, parts: [] },
    marketNames: marketIds.map((id) => plan.orders.find(({ marketId }) => marketId === id)?.marketName ?? id),
    changes: plan.orders.map(({ tokenId }) => ({ tokenId, micro: plan.size })),
    handedOut: plan.orders.map(({ leg, marketId, marketName, tokenId, outcome, size, reserve, limitPrice }, place) => ({
      ...{ orderId: orders[place]?.id ?? '', batchId, leg, marketId, marketName, tokenId, outcome, shares: size },
      split: { cost: reserve, limit: limitPrice },
    })),
  };
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
