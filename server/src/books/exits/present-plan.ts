import type { CashNowSimulation, OrderExits } from '@dutchbook/contract/exits.ts';
import { type AllottedStep, allotSteps } from '@dutchbook/engine/exit/allot.ts';
import type { ExitRoute as PlannedRoute } from '@dutchbook/engine/exit/plan-exit.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { addShares, SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { CashNowDecision } from '../../trading/chain-steps/cash-now.ts';
import type { OrderLot } from '../../trading/chain-steps/free-lots.ts';
import type { EventPlan, PlannedStep } from '../../trading/chain-steps/plan.ts';
import { presentChanges } from '../../trading/chain-steps/present.ts';
import { presentRoute } from '../portfolio/present-events.ts';

/** What converting shares into dollars would bring, beside selling and holding them. */
export function presentCashNow(
  { lots, plan, quota }: CashNowDecision,
  { errors, highest_gas }: Pick<CashNowSimulation, 'errors' | 'highest_gas'>,
): CashNowSimulation {
  const { events, steps, submissions, later } = plan;
  return {
    simulation: true,
    routes:
      events.length === 0
        ? null
        : {
            sell: presentTogether(events, ({ sell }) => sell),
            cash_now: presentTogether(events, ({ cashNow }) => cashNow),
            hold: presentTogether(events, ({ hold }) => hold),
          },
    orders: presentOrders(lots, events, steps),
    steps: steps.map(presentPlannedStep),
    submissions: submissions.length + later,
    quota,
    highest_gas,
    errors,
  };
}

export function presentPlannedStep({ kind, marketIds, marketNames, shares, dollars, changes }: PlannedStep) {
  const names = { market_ids: marketIds, market_names: marketNames };
  return { kind, ...names, shares, expected_usd: dollars, ...presentChanges(changes) };
}

/** What is held of several events leaves, or stays, event by event. */
function presentTogether(events: readonly EventPlan[], routeOf: (plan: EventPlan['plan']) => PlannedRoute) {
  const routes = events.map(({ plan }) => presentRoute(routeOf(plan)));
  const sum = (of: (route: (typeof routes)[number]) => Usd) =>
    routes.reduce((total, route) => addUsd(total, of(route)), USD_ZERO);
  return {
    steps: routes.flatMap(({ steps }) => steps),
    net_usd: sum(({ net_usd }) => net_usd),
    held_least_usd: sum(({ held_least_usd }) => held_least_usd),
    held_most_usd: sum(({ held_most_usd }) => held_most_usd),
  };
}

type Way = OrderExits['sell'];

const NOTHING: Way = { shares: SHARES_ZERO, usd: USD_ZERO };

function presentOrders(
  lots: readonly OrderLot[],
  events: readonly EventPlan[],
  steps: readonly PlannedStep[],
): OrderExits[] {
  const sold = waysOf(events.flatMap(({ event, plan }) => allotSteps(plan.sell.steps.map(asCalled), event.lots)));
  const converted = waysOf(
    steps.map(({ parts }) => ({ parts: parts.map(({ lot, ...part }) => ({ orderId: lot.orderId, ...part })) })),
  );
  const kept = new Map(events.flatMap(keptOf));
  return lots.map(({ orderId, batchId, leg, marketId, marketName, tokenId, outcome, shares }) => ({
    order_id: orderId,
    batch_id: batchId,
    leg,
    market_id: marketId,
    market_name: marketName,
    token_id: tokenId,
    outcome,
    free_shares: shares,
    sell: sold.get(orderId) ?? NOTHING,
    cash_now: converted.get(orderId) ?? NOTHING,
    hold: { shares, usd: kept.get(orderId) ?? USD_ZERO },
  }));
}

function asCalled({ dollars, changes }: PlannedRoute['steps'][number]) {
  return { dollars, changes };
}

function waysOf(steps: readonly Pick<AllottedStep, 'parts'>[]): Map<string, Way> {
  const ways = new Map<string, Way>();
  for (const { orderId, shares, dollars } of steps.flatMap(({ parts }) => parts)) {
    const way = ways.get(orderId) ?? NOTHING;
    ways.set(orderId, { shares: addShares(way.shares, shares), usd: addUsd(way.usd, dollars) });
  }
  return ways;
}

/** Divides the event's least payout between orders by the cost of their shares. */
function keptOf({ event, plan }: EventPlan): (readonly [string, Usd])[] {
  const costs = event.lots.reduce((sum, { cost }) => addUsd(sum, cost), USD_ZERO);
  if (costs === 0) return [];
  return event.lots.map(({ orderId, cost }) => [orderId, mulDiv(plan.hold.atResolution, cost, costs, 'down') as Usd]);
}
