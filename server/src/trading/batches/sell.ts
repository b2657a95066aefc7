import type { AuditAction } from '@dutchbook/contract/audit.ts';
import type { SellPlan } from '@dutchbook/engine/sell/plan.ts';
import { priceToNumber } from '@dutchbook/units/price.ts';
import { sharesToNumber } from '@dutchbook/units/shares.ts';
import { type JsonObject, recordAction } from '../../platform/audit/record.ts';
import { awaitRows } from '../../platform/database/await-rows.ts';
import { Conflict, NotFound } from '../../platform/http/errors.ts';
import type { OrderPriority, WithOrderPriority } from '../../platform/http/order-priority.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { ordersOfSale, type SoldOrder } from '../execution/selling/sale-orders.ts';
import type { SaleRequest } from '../execution/selling/sale-plan.ts';
import { type SellParts, sellShares } from '../execution/selling/sell-shares.ts';
import { loadBatch } from '../orders/batch-state.ts';
import { readBatch } from '../orders/batch-store.ts';
import type { Placing } from '../orders/intents.ts';
import { type Bind, type IdempotentRequest, oncePerKey, type Recorded } from './idempotency.ts';

const SALE_MAX_MS = 15_000;

/** Who sells, how their orders read the venue, and what the audit log says was done to which object. */
export type SaleOrdered = {
  key: IdempotentRequest | null;
  actor: Actor;
  action: AuditAction;
  object: string;
  withPriority: WithOrderPriority;
};

/**
 * Records a sale, once for each key, and waits a while for what becomes of its orders. @throws NotFound, and Conflict with
 * the reasons for which it is refused
 */
export async function sell(
  parts: SellParts & { placing: Pick<Placing, 'wake'> },
  batchId: string,
  request: SaleRequest,
  { key, actor, action, object, withPriority }: SaleOrdered,
): Promise<SoldOrder[]> {
  const { runtime, placing } = parts;
  const decide = async (bind: Bind, priority: OrderPriority): Promise<Recorded> => {
    const inSameTransaction = async (tx: Db, saleId: string, plan: SellPlan) => {
      await bind(tx, runtime, { batchId, saleId });
      await recordAction(tx, runtime, actor, { action, object, after: recorded(plan) });
    };
    const sold = await sellShares(parts, batchId, request, inSameTransaction, priority);
    if (sold === null) throw new NotFound('Batch not found');
    if (sold.kind === 'refused') throw new Conflict(sold.reasons.join(' '));
    return { batchId, saleId: sold.saleId };
  };
  const perform = (bind: Bind) => withPriority((priority) => decide(bind, priority));
  return await oncePerKey(runtime, key, perform, async (recorded) => {
    placing.wake(batchId);
    return await becomeOf(runtime, recorded, request);
  });
}

async function becomeOf(runtime: Runtime, { batchId, saleId }: Recorded, request: SaleRequest): Promise<SoldOrder[]> {
  if (saleId === null) throw new Error(`a sale of batch ${batchId} was recorded without its id`);
  const { db } = runtime;
  // Only when all its sales have ended is none under way: until then a look at the batch is enough.
  const isUnderWay = async () => (await readBatch(db, batchId))?.saleUnderWay ?? false;
  const isOnItsWay = async () => (await isUnderWay()) && (await isSent(db, batchId, saleId));
  const waits = request.kind === 'order' && request.waits !== null;
  await awaitRows(runtime, SALE_MAX_MS, waits ? isOnItsWay : isUnderWay, (underWay) => !underWay);
  const all = request.kind === 'all' && request.orderIds === undefined;
  const state = await loadBatch(db, batchId);
  return state === null ? [] : ordersOfSale(state, { saleId, all });
}

/** Whether an order of the sale has not been answered by the venue yet. */
async function isSent(db: Db, batchId: string, saleId: string): Promise<boolean> {
  const state = await loadBatch(db, batchId);
  const sales = state?.sales.filter((sale) => sale.saleId === saleId) ?? [];
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
