import type { AuditAction } from '@dutchbook/contract/audit.ts';
import type { SellPlan } from '@dutchbook/engine/sell/plan.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { priceToNumber } from '@dutchbook/units/price.ts';
import { sharesToNumber } from '@dutchbook/units/shares.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { type JsonObject, recordAction } from '../../platform/audit/record.ts';
import { awaitRows } from '../../platform/database/await-rows.ts';
import { Conflict, NotFound } from '../../platform/http/errors.ts';
import type { OrderPriority, WithOrderPriority } from '../../platform/http/order-priority.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import type { SaleScope } from '../execution/selling/sale-inputs.ts';
import { ordersOfSale, type SoldOrder } from '../execution/selling/sale-orders.ts';
import type { SaleRequest } from '../execution/selling/sale-plan.ts';
import { type RecordedSale, type SellParts, sellShares } from '../execution/selling/sell-shares.ts';
import { type BatchState, loadBatches } from '../orders/batch-state.ts';
import type { Placing } from '../orders/intents.ts';
import { batches, batchOrders } from '../orders/table.ts';
import { type Bind, type IdempotentRequest, oncePerKey, type Recorded } from './idempotency.ts';

const SALE_MAX_MS = 15_000;

/** Who sells, how their orders read the venue, and what the audit log says was done to which object. */
export type SaleOrdered = {
  key: IdempotentRequest | null;
  actor: Actor;
  action: AuditAction;
  object?: string;
  withPriority: WithOrderPriority;
};

/**
 * Records a sale, once for each key, and waits a while for what becomes of its orders. @throws NotFound, and Conflict with
 * the reasons for which it is refused
 */
export async function sell(
  parts: SellParts & { placing: Pick<Placing, 'wake'> },
  scope: SaleScope,
  request: SaleRequest,
  { key, actor, action, object, withPriority }: SaleOrdered,
): Promise<SoldOrder[]> {
  const { runtime, placing } = parts;
  const decide = async (bind: Bind, priority: OrderPriority): Promise<Recorded> => {
    const inSameTransaction = async (tx: Db, sale: RecordedSale, plan: SellPlan) => {
      await bind(tx, runtime, boundTo(sale));
      await recordAction(tx, runtime, actor, { action, ...(object && { object }), after: recorded(plan) });
    };
    const sold = await sellShares(parts, scope, request, inSameTransaction, priority);
    if (sold === null) throw new NotFound('Batch not found');
    if (sold.kind === 'refused') throw new Conflict(sold.reasons.join(' '));
    return boundTo(sold);
  };
  const perform = (bind: Bind) => withPriority((priority) => decide(bind, priority));
  return await oncePerKey(runtime, key, perform, async ({ batchId, saleId }) => {
    if (saleId === null) throw new Error(`a sale of batch ${batchId} was recorded without its id`);
    const batchIds = 'batchId' in scope ? [batchId] : await batchesOfSale(runtime.db, scope.tokenIds, saleId);
    for (const id of batchIds) placing.wake(id);
    return await becomeOf(runtime, { saleId, batchIds }, request);
  });
}

/** Binds the idempotency key to the first batch; the sale's id leads to the others. */
function boundTo({ saleId, batchIds: [batchId] }: RecordedSale): Recorded {
  if (batchId === undefined) throw new Error(`sale ${saleId} sells nothing of any batch`);
  return { batchId, saleId };
}

async function batchesOfSale(db: Db, tokenIds: readonly TokenId[], saleId: string): Promise<string[]> {
  const holders = db
    .select({ id: batchOrders.batchId })
    .from(batchOrders)
    .where(
      and(eq(batchOrders.side, 'sell'), eq(batchOrders.saleId, saleId), inArray(batchOrders.tokenId, [...tokenIds])),
    );
  const rows = await db
    .select({ id: batches.id })
    .from(batches)
    .where(inArray(batches.id, holders))
    .orderBy(batches.createdAt, batches.id);
  return rows.map(({ id }) => id);
}

async function becomeOf(
  runtime: Runtime,
  { saleId, batchIds }: RecordedSale,
  request: SaleRequest,
): Promise<SoldOrder[]> {
  const { db } = runtime;
  const ofSale = inArray(batches.id, [...batchIds]);
  // Only when all its sales have ended is none under way: until then a look at the batches is enough.
  const isUnderWay = async () =>
    (await db.select({ id: batches.id }).from(batches).where(and(ofSale, batches.saleUnderWay)).limit(1)).length > 0;
  const isOnItsWay = async () => (await isUnderWay()) && isSent(await loadBatches(db, sql`${ofSale}`), saleId);
  const waits = request.kind === 'order' && request.waits !== null;
  await awaitRows(runtime, SALE_MAX_MS, waits ? isOnItsWay : isUnderWay, (underWay) => !underWay);
  const all = request.kind === 'all' && request.orderIds === undefined;
  const states = await loadBatches(db, sql`${ofSale}`);
  return batchIds.flatMap((id) => {
    const state = states.find(({ batch }) => batch.id === id);
    return state === undefined ? [] : ordersOfSale(state, { saleId, all });
  });
}

/** Whether an order of the sale has not been answered by the venue yet. */
function isSent(states: readonly BatchState[], saleId: string): boolean {
  const sales = states.flatMap((state) => state.sales.filter((sale) => sale.saleId === saleId));
  return sales.some(({ status }) => status === 'pending' || status === 'processing');
}

function recorded({ orders }: SellPlan): JsonObject {
  return {
    orders: orders.map(({ orderId, sellSize, limitPrice }) => ({
      order_id: orderId,
      sell_size: sharesToNumber(sellSize),
      sell_price: priceToNumber(limitPrice),
    })),
  };
}
