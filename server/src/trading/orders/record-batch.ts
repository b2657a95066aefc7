import type { Settings } from '@dutchbook/contract/system-settings.ts';
import type { FeeSchedule } from '@dutchbook/engine/market/market.ts';
import type { SizeBound } from '@dutchbook/engine/order/choose-size.ts';
import type { PlacementPlan } from '@dutchbook/engine/order/plan.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { warningOf } from './attempt-wording.ts';
import type { batches, batchOrders } from './table.ts';

/** A decision to buy, by a user or the trigger. `warning` is shown on every order of the batch. */
export type Intent = {
  opportunityId: string;
  /** The opportunity's current name. */
  name: string;
  targetPrice: Price;
  quotedPrice: Price | null;
  plan: PlacementPlan;
  sizeBoundedBy: SizeBound | null;
  /** Profit of the best size after fees; left out where that is not known. */
  offeredProfit?: Usd | null;
  /** The series of clips that it belongs to, and its place there from 1; it begins one without an id. Null where it belongs to none. */
  series?: { id: string | null; clip: number } | null;
  /** Per token: what fee the plan was made with. */
  feeSchedules: ReadonlyMap<string, FeeSchedule>;
  /** Per market: how old the books were that it was decided by, in milliseconds. */
  bookAges: ReadonlyMap<string, number>;
  settings: Settings;
  automatic: boolean;
  createdBy: string | null;
  warning: string | null;
  /** A second person has agreed to it. */
  isSignedOff?: boolean;
};

/** A batch and its orders, pending, as they are to be recorded. */
export type BatchRows = { batch: typeof batches.$inferInsert; orders: (typeof batchOrders.$inferInsert)[] };

export function batchRows({ clock, random }: Pick<Runtime, 'clock' | 'random'>, intent: Intent): BatchRows {
  const now = clock.now();
  const id = random.uuid();
  return {
    batch: {
      id,
      opportunityId: intent.opportunityId,
      name: storable(intent.name),
      status: 'pending',
      expectedOrders: intent.plan.orders.length,
      orderSize: intent.plan.size,
      sizeBoundedBy: intent.sizeBoundedBy,
      seriesId: intent.series ? (intent.series.id ?? id) : null,
      clipNumber: intent.series?.clip ?? null,
      targetPrice: intent.targetPrice,
      quotedPrice: intent.quotedPrice,
      targetProfit: intent.plan.expectedProfit,
      offeredProfit: intent.offeredProfit ?? null,
      automatic: intent.automatic,
      simulated: intent.settings.ORDER_SIMULATION_ENABLED,
      settings: intent.settings,
      createdAt: now,
      updatedAt: now,
      createdBy: intent.createdBy,
      askedFor: intent.createdBy === null ? null : intent.plan.totalReserve,
      reserved: true,
      ...(intent.isSignedOff === true && { signedOff: intent.plan.totalReserve }),
    },
    orders: intent.plan.orders.map((order, ordinal) => ({
      id: random.uuid(),
      batchId: id,
      opportunityId: intent.opportunityId,
      leg: order.leg,
      ordinal,
      marketId: order.marketId,
      marketName: order.marketName,
      tokenId: order.tokenId,
      outcome: order.outcome,
      side: order.side,
      size: order.size,
      price: order.limitPrice,
      expectedPrice: order.averagePrice,
      expectedFee: order.fee,
      bookAgeMs: intent.bookAges.get(order.marketId) ?? null,
      ...feeOf(intent, order.tokenId),
      status: 'pending',
      filledSize: SHARES_ZERO,
      filledCost: USD_ZERO,
      fee: USD_ZERO,
      warning: intent.warning,
      ...warningOf(intent.warning),
      createdAt: now,
      updatedAt: now,
    })),
  };
}

/** A venue's words may hold what a database does not take. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function feeOf(intent: Intent, tokenId: TokenId) {
  const schedule = intent.feeSchedules.get(tokenId);
  if (schedule === undefined) throw new Error(`a plan was made without a fee schedule for token ${tokenId}`);
  return { feeRate: schedule.rate, feeStep: schedule.step };
}
