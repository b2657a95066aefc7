import type { Simulation, WayIn } from '@dutchbook/contract/placing.ts';
import { placeOrder, simulateOrders } from '@dutchbook/contract/placing.ts';
import type { ExpectedDepth } from '@dutchbook/contract/valuation.ts';
import { judgeable, sentences } from '@dutchbook/engine/desk/assess.ts';
import { maxProfitableSize } from '@dutchbook/engine/opportunity/curve.ts';
import { annualisedPct, msUntilCash } from '@dutchbook/engine/opportunity/return-on-time.ts';
import type { ChosenSize } from '@dutchbook/engine/order/choose-size.ts';
import { planPlacement } from '@dutchbook/engine/order/plan.ts';
import { type MeasuredSurvival, NOTHING_MEASURED, survivalOfPlan } from '@dutchbook/engine/order/survival.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { PERCENT_ZERO } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { presentSurvival } from '../../market/opportunities/depth.ts';
import type { LivePrices } from '../../market/opportunities/live-prices.ts';
import { readOpportunity, type StoredOpportunity } from '../../market/opportunities/store.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict, NotFound } from '../../platform/http/errors.ts';
import type { OrderPriority } from '../../platform/http/order-priority.ts';
import { route } from '../../platform/http/route.ts';
import type { Actor, UserRow } from '../../platform/http/signed-in.ts';
import { type Split, splitRowsFor } from '../chain-steps/split-rows.ts';
import { type AssessedNow, assessNow, placeByHand } from '../execution/placing/by-hand.ts';
import { REPLACED_MEANWHILE } from '../execution/placing/judge.ts';
import type { Carriers, PlaceParts } from '../execution/placing/request.ts';
import { readBatch } from '../orders/batch-store.ts';
import { presentBatch } from '../orders/present-batch.ts';
import { presentPolicySize } from './chosen-sizes.ts';
import { type Bind, onceOrAsk, type Recorded, requestUnderKey } from './idempotency.ts';

type PlacingParts = PlaceParts & { placing: Carriers; live: Pick<LivePrices, 'rowsNow'> };

export function registerPlacing(app: App, parts: PlacingParts): void {
  const { runtime, quotes, live } = parts;

  route(app, simulateOrders, async ({ params, query, user, actor }) => {
    const opportunity = await opportunityOr404(params.opportunity_id);
    const quotedPrice = opportunity.currentPrice;
    const asked = { ...askedBy(user, actor), opportunity, quotedPrice, ...sizeOf(query) };
    const assessed = await assessNow(parts, asked);
    const measured = parts.survival?.() ?? NOTHING_MEASURED;
    return presentSimulation(opportunity, assessed, measured, runtime.clock.now());
  });

  route(app, placeOrder, async ({ params, query, user, actor, request }) => {
    const key = requestUnderKey({ user, request }, { ...params, ...query });
    const decide = async (bind: Bind, priority: OrderPriority): Promise<Recorded> => {
      const opportunity = await opportunityOr404(params.opportunity_id);
      if (query.content_hash !== undefined && query.content_hash !== opportunity.contentHash)
        throw new Conflict(REPLACED_MEANWHILE);
      const placed = await placeByHand(
        parts,
        parts.placing,
        { ...askedBy(user, actor), opportunity, quotedPrice: query.quoted_price ?? null, ...sizeOf(query), priority },
        { actor, bind: (tx, batchId) => bind(tx, runtime, { batchId, saleId: null }) },
      );
      if (placed.kind === 'refused') throw new Conflict(placed.reasons.join(' '));
      return { batchId: placed.batchId, saleId: null };
    };
    const perform = (bind: Bind) => app.orderPriorities(user.id)((priority) => decide(bind, priority));
    return await onceOrAsk(runtime, { user, actor }, key, perform, ({ batchId }) => batchReply(batchId));
  });

  async function opportunityOr404(id: string): Promise<StoredOpportunity> {
    const stored = await readOpportunity(runtime.db, id);
    if (stored === null) throw new NotFound('Opportunity not found');
    // An order without a quoted price is compared with the live price; the stored one may be older.
    const [now = stored] = live.rowsNow([stored]);
    return now;
  }

  async function batchReply(batchId: string) {
    const row = await readBatch(runtime.db, batchId);
    if (!row) throw new NotFound('Batch not found');
    return await presentBatch({ db: runtime.db, quotes }, row);
  }
}

function askedBy({ id: userId }: Pick<UserRow, 'id'>, { email }: Actor) {
  return { userId, splitRows: splitRowsFor(email) };
}

type Asked = { order_size?: Shares | undefined; way_in?: WayIn | undefined };

const sizeOf = ({ order_size: size, way_in: wayIn }: Asked) => ({ size: size ?? null, wayIn });

function presentSimulation(
  opportunity: StoredOpportunity,
  { plan, split, quotes, waysIn, blockers, warnings, chosen }: AssessedNow,
  measured: MeasuredSurvival,
  now: Instant,
): Simulation {
  const profitPct = plan.expectedProfitPct ?? PERCENT_ZERO;
  const untilCashMs = msUntilCash(quotes, opportunity.targetPrice, now);
  return {
    opportunity_id: opportunity.id,
    content_hash: opportunity.relationId === null ? null : opportunity.contentHash,
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
    expected_profit_percentage: profitPct,
    annualised_return: annualisedPct(profitPct, untilCashMs),
    chosen_size: chosen && {
      ...presentPolicySize(chosen),
      survival: expectedOf(chosen, quotes, opportunity.targetPrice, measured),
    },
    max_profitable_size: maxProfitableSize(quotes, opportunity.targetPrice),
    worst_case_loss_usd: plan.worstCaseLoss,
    ways_in: waysIn,
    split: split === null ? null : presentSplit(split),
    warnings: sentences(judgeable(warnings, plan)),
    errors: sentences(judgeable(blockers, plan)),
  };
}

/** The expected result at the most profitable size. */
function expectedOf(
  { pays }: ChosenSize,
  quotes: AssessedNow['quotes'],
  targetPrice: Price,
  measured: MeasuredSurvival,
): ExpectedDepth | null {
  if (pays === null || pays === 0) return null;
  return presentSurvival(pays, survivalOfPlan(measured, quotes, planPlacement(quotes, pays, targetPrice)));
}

function presentSplit({ way: { kind, marketIds }, plan }: Split): Simulation['split'] {
  return {
    dollars_in_usd: plan.dollars,
    proceeds_usd: plan.proceeds,
    calls: [{ kind, market_ids: marketIds }],
  };
}
