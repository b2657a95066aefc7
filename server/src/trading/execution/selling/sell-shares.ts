import type { SellPlan } from '@dutchbook/engine/sell/plan.ts';
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { venueOf } from '@dutchbook/units/ids.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { stillVerified } from '../../../market/prices/quotes/verified-quotes.ts';
import type { SystemSettings } from '../../../people/system-settings/watched-settings.ts';
import { lock } from '../../../platform/database/locks.ts';
import { insertOf } from '../../../platform/database/many-rows.ts';
import { notBefore } from '../../../platform/database/update-time.ts';
import type { OrderPriority } from '../../../platform/http/order-priority.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { lockBatches, nextOrdinals } from '../../orders/locked-batches.ts';
import { batches, batchOrders } from '../../orders/table.ts';
import { armedUntilEnd } from '../../trading-controls/store.ts';
import { askVenue, readSaleInputs, type SaleInputs, type SaleScope, type VenueToAsk } from './sale-inputs.ts';
import {
  type PlannedSale,
  planSaleRequest,
  refusalsOf,
  type SaleRequest,
  saleRefusal,
  type Waiting,
} from './sale-plan.ts';

export type SellParts = VenueToAsk & { settings: SystemSettings };

/** What a sale would be now. `errors` of its plan are empty when it may be sent. Null where there is no such batch. */
export async function simulateSale(
  parts: SellParts,
  scope: SaleScope,
  request: SaleRequest,
): Promise<PlannedSale | null> {
  const inputs = await readSaleInputs(parts.runtime.db, scope);
  if (inputs === null) return null;
  const planned = planSaleRequest(inputs, await askVenue(parts, inputs, 'display'), request, maxDeviation(parts));
  const refusal = saleRefusal(inputs, request, parts.runtime.clock.now());
  if (refusal === null) return planned;
  return { ...planned, plan: { ...planned.plan, errors: [refusal, ...planned.plan.errors] } };
}

/** `reasons` are sentences. */
export type Sold = ({ kind: 'recorded' } & RecordedSale) | { kind: 'refused'; reasons: string[] };

/** `batchIds`: those that sell in it, the first one first. */
export type RecordedSale = { saleId: string; batchIds: readonly string[] };

/** The shares were being decided on by two at once, and the other one was first. */
const SOLD_MEANWHILE = 'Shares were bought or sold meanwhile: look again at what the sale would be.';

/**
 * Records the sell orders that a simulation of this moment would show. The venue is asked first; whatever was committed
 * since then refuses the sale, because the answers may or may not know of it, and so does a book that has gone stale: no order
 * leaves without the others. `inSameTransaction` comes last in it.
 */
export async function sellShares(
  parts: SellParts,
  scope: SaleScope,
  request: SaleRequest,
  inSameTransaction: (tx: Db, sale: RecordedSale, plan: SellPlan) => Promise<void>,
  priority: OrderPriority = 'trading',
): Promise<Sold | null> {
  const { runtime } = parts;
  const before = await readSaleInputs(runtime.db, scope);
  if (before === null) return null;
  const refusal = saleRefusal(before, request, runtime.clock.now());
  if (refusal !== null) return { kind: 'refused', reasons: [refusal] };
  const venue = await askVenue(parts, before, priority);
  const sold = await runtime.db.transaction(async (tx): Promise<Sold | null> => {
    await lock(tx, 'selling');
    // Before the batch, as a retry does: until the end nothing is bought that this sale could trade with.
    await lock(tx, 'spending');
    const disarmed = await disarmedRefusal(tx, runtime, before, request);
    if (disarmed !== null) return { kind: 'refused', reasons: [disarmed] };
    await lockBatches(
      tx,
      before.batches.map(({ id }) => id),
    );
    const inputs = await readSaleInputs(tx, scope);
    if (inputs === null) return null;
    const refusedNow = saleRefusal(inputs, request, runtime.clock.now());
    if (refusedNow !== null) return { kind: 'refused', reasons: [refusedNow] };
    if (fingerprint(inputs) !== fingerprint(before)) return { kind: 'refused', reasons: [SOLD_MEANWHILE] };
    const now = { ...venue, quotes: stillVerified(parts.quotes, venue.quotes) };
    const { plan } = planSaleRequest(inputs, now, request, maxDeviation(parts));
    const refusals = refusalsOf(plan, request);
    if (refusals.length > 0) return { kind: 'refused', reasons: refusals };
    const sale = await recordSale(tx, runtime, inputs, { plan, waits: waitingOf(request) });
    await inSameTransaction(tx, sale, plan);
    return { kind: 'recorded', ...sale };
  });
  if (sold?.kind === 'recorded') runtime.pass('sale_recorded');
  return sold;
}

function waitingOf(request: SaleRequest): Waiting | null {
  return request.kind === 'order' ? request.waits : null;
}

/** Immediate sales are allowed while trading is disarmed; resting ones are not, and hold trading armed until the transaction ends. */
async function disarmedRefusal(
  tx: Db,
  { config }: Pick<Runtime, 'config'>,
  { held }: SaleInputs,
  request: SaleRequest,
): Promise<string | null> {
  if (request.kind !== 'order' || request.waits === null) return null;
  const sold = held.find(({ order }) => order.id === request.orderId);
  const armedAt = await armedUntilEnd(tx, config.venueMode);
  return sold === undefined || armedAt(venueOf(sold.order.tokenId)) ? null : 'Trading is disarmed.';
}

function maxDeviation({ settings }: SellParts) {
  return fractionFromNumber(settings.current().PRICE_DEVIATION_THRESHOLD);
}

/** The inputs that decide a sale, as text to compare: of other batches' sales, only those of tokens that this batch holds. */
function fingerprint({ batches: sold, held, inSale }: SaleInputs): string {
  const holdings = held.map(({ order, holding, inSale: selling }) => [
    order.id,
    holding.held,
    selling,
    inSale.get(order.tokenId) ?? 0,
  ]);
  return JSON.stringify([holdings, sold.map(({ unhedged }) => unhedged?.positions)]);
}

async function recordSale(
  tx: Db,
  { clock, random }: Pick<Runtime, 'clock' | 'random'>,
  { batches: read, held }: SaleInputs,
  { plan, waits }: { plan: SellPlan; waits: Waiting | null },
): Promise<RecordedSale> {
  const now = clock.now();
  const saleId = random.uuid();
  const boughtBy = new Map(held.map(({ order }) => [order.id, order]));
  const selling = new Set(plan.orders.map(({ orderId }) => boughtBy.get(orderId)?.batchId));
  const sold = read.filter(({ id }) => selling.has(id));
  const batchIds = sold.map(({ id }) => id);
  const nextOrdinal = await nextOrdinals(tx, batchIds);
  const rows = plan.orders.map((sale) => {
    const bought = boughtBy.get(sale.orderId);
    if (bought === undefined) throw new Error(`the plan sells order ${sale.orderId}, which is of no batch of the sale`);
    const { batchId, leg, marketId, marketName, tokenId, outcome, feeRate, feeStep, opportunityId } = bought;
    return {
      id: random.uuid(),
      batchId,
      opportunityId,
      leg,
      ordinal: nextOrdinal(batchId),
      marketId,
      marketName,
      tokenId,
      outcome,
      side: 'sell' as const,
      size: sale.sellSize,
      price: sale.limitPrice,
      expectedPrice: sale.averagePrice,
      feeRate,
      feeStep,
      status: 'pending' as const,
      filledSize: SHARES_ZERO,
      filledCost: USD_ZERO,
      fee: USD_ZERO,
      sellsOrderId: bought.id,
      saleId,
      waits: waits !== null,
      waitsUntil: waits?.until ?? null,
      createdAt: now,
      updatedAt: now,
    };
  });
  await tx.execute(insertOf(batchOrders, rows));
  for (const batch of sold) {
    const updatedAt = notBefore(batch, now);
    await tx.update(batches).set({ saleUnderWay: true, updatedAt }).where(eq(batches.id, batch.id));
  }
  return { saleId, batchIds };
}
