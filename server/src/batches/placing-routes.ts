import type { Simulation } from '@dutchbook/contract/opportunities.ts';
import { placeOrder, simulateOrders } from '@dutchbook/contract/opportunities.ts';
import { maxProfitableSize } from '@dutchbook/engine/opportunity/curve.ts';
import { PERCENT_ZERO } from '@dutchbook/units/percent.ts';
import type { App } from '../http/app.ts';
import { Conflict, NotFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { readOpportunity, type StoredOpportunity } from '../opportunities/store.ts';
import type { Placing } from '../parts.ts';
import { type Assessment, sentences } from '../trading/assess.ts';
import { assessNow, type PlaceParts, placeByHand } from '../trading/placing/place.ts';
import { type Bind, type Deed, oncePerKey, requestUnderKey } from './idempotency.ts';
import { presentBatch } from './present.ts';
import { recordPlaced } from './record-placed.ts';
import { readBatch } from './store.ts';

export function registerPlacing(app: App, parts: PlaceParts & { placing: Placing }): void {
  const { world, quotes, placing } = parts;

  route(app, simulateOrders, async ({ params, query }) => {
    const opportunity = await opportunityOr404(params.opportunity_id);
    const wish = { size: query.order_size ?? null, quotedPrice: opportunity.currentPrice };
    const assessed = await assessNow(parts, opportunity, wish);
    return presentSimulation(opportunity, assessed);
  });

  route(app, placeOrder, async ({ params, query, user, actor, request }) => {
    const key = requestUnderKey({ user, request }, { ...params, ...query });
    const perform = async (bind: Bind): Promise<Deed> => {
      const opportunity = await opportunityOr404(params.opportunity_id);
      const wish = { size: query.order_size ?? null, quotedPrice: query.quoted_price ?? null, userId: user.id };
      const placed = await placeByHand(parts, opportunity, wish, async (tx, batchId) => {
        await bind(tx, world, { batchId, saleId: null });
        await recordPlaced(tx, world, actor, batchId);
      });
      if (placed.kind === 'refused') throw new Conflict(placed.reasons.join(' '));
      placing.wake(placed.batchId);
      return { batchId: placed.batchId, saleId: null };
    };
    return await oncePerKey(world.db, key, perform, ({ batchId }) => batchReply(batchId));
  });

  async function opportunityOr404(id: string): Promise<StoredOpportunity> {
    const opportunity = await readOpportunity(world.db, id);
    if (opportunity === null) throw new NotFound('Opportunity not found');
    return opportunity;
  }

  async function batchReply(batchId: string) {
    const row = await readBatch(world.db, batchId);
    if (!row) throw new NotFound('Batch not found');
    return await presentBatch({ db: world.db, quotes }, row);
  }
}

function presentSimulation(
  opportunity: StoredOpportunity,
  { plan, quotes, blockers, warnings }: Assessment,
): Simulation {
  return {
    opportunity_id: opportunity.id,
    order_size: plan.size,
    orders: plan.orders.map((order) => ({
      leg: order.leg,
      market_id: order.marketId,
      market_name: order.marketName,
      outcome: order.outcome,
      token_id: order.tokenId,
      side: order.side,
      size: order.size,
      price: order.limitPrice,
      average_price: order.averagePrice,
      cost: order.cost,
      fee: order.fee,
    })),
    total_cost: plan.totalCost,
    total_fees: plan.totalFees,
    expected_profit_usd: plan.expectedProfit,
    expected_profit_percentage: plan.expectedProfitPct ?? PERCENT_ZERO,
    max_profitable_size: maxProfitableSize(quotes, opportunity.targetPrice),
    worst_case_loss_usd: plan.worstCaseLoss,
    warnings: sentences(warnings),
    errors: sentences(blockers),
  };
}
