import type { AuditAction } from '@dutchbook/contract/audit.ts';
import { sellAll, sellOrder, unwind } from '@dutchbook/contract/selling.ts';
import type { SellPlan } from '@dutchbook/engine/sell/plan.ts';
import { priceToNumber } from '@dutchbook/units/price.ts';
import { sharesToNumber } from '@dutchbook/units/shares.ts';
import { type Actor, type JsonObject, recordAction } from '../audit/record.ts';
import type { App } from '../http/app.ts';
import { Conflict, NotFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { presentOrder } from '../orders/present.ts';
import { type OrderRow, readOrder } from '../orders/store.ts';
import type { Placing } from '../parts.ts';
import { ordersOfSale, type SaleOrder } from '../trading/selling/sale-orders.ts';
import type { PlannedWish, SaleWish } from '../trading/selling/sale-plan.ts';
import { type SellParts, sellShares, simulateSale } from '../trading/selling/sell-shares.ts';
import { awaitRows } from '../world/await-rows.ts';
import { bindKey, type Deed, type IdempotentRequest, oncePerKey, requestUnderKey } from './idempotency.ts';
import { presentSaleResult, presentSaleSimulation, presentUnwindSimulation } from './present-sale.ts';
import { readBatch } from './store.ts';

const SALE_MAX_MS = 15_000;

/** Selling what batches hold: each sale is recorded here and carried out by the placing loop, also while disarmed. */
export function registerSelling(app: App, parts: SellParts & { placing: Pick<Placing, 'wake'> }): void {
  const { world, placing } = parts;
  const { db } = world;

  route(app, sellAll, async ({ params: { batch_id }, query, body, user, actor, request }) => {
    const wish: SaleWish = { kind: 'all', prices: new Map(Object.entries(body ?? {})) };
    if (query.simulate) return presentSaleSimulation(batch_id, await simulated(batch_id, wish));
    const key = requestUnderKey({ user, request }, { call: sellAll.path, batch_id, prices: [...wish.prices].sort() });
    return presentSaleResult(
      batch_id,
      await sell(batch_id, wish, { key, actor, action: 'batch.sold', object: batch_id }),
    );
  });

  route(app, unwind, async ({ params: { batch_id }, query, user, actor, request }) => {
    const wish: SaleWish = { kind: 'unwind' };
    if (query.simulate) return presentUnwindSimulation(batch_id, await simulated(batch_id, wish));
    const key = requestUnderKey({ user, request }, { call: unwind.path, batch_id });
    return presentSaleResult(
      batch_id,
      await sell(batch_id, wish, { key, actor, action: 'batch.unwound', object: batch_id }),
    );
  });

  route(app, sellOrder, async ({ params: { order_id }, query, user, actor, request }) => {
    const { batchId } = await orderOr404(order_id);
    const size = query.sell_size ?? null;
    const price = query.sell_price ?? null;
    const key = requestUnderKey({ user, request }, { call: sellOrder.path, order_id, size, price });
    const wish: SaleWish = { kind: 'order', orderId: order_id, size, price };
    const [sold] = await sell(batchId, wish, { key, actor, action: 'order.sold', object: order_id });
    if (sold === undefined) throw new Error(`the sale of order ${order_id} has no order`);
    return presentOrder(sold.row);
  });

  async function simulated(batchId: string, wish: SaleWish): Promise<PlannedWish> {
    const planned = await simulateSale(parts, batchId, wish);
    if (planned === null) throw new NotFound('Batch not found');
    return planned;
  }

  type Order = { key: IdempotentRequest | null; actor: Actor; action: AuditAction; object: string };

  /** Records the sale once for each key, and waits a while for what becomes of its orders. */
  async function sell(batchId: string, wish: SaleWish, { key, actor, action, object }: Order): Promise<SaleOrder[]> {
    const deed = await oncePerKey(db, key, async () => {
      const sold = await sellShares(parts, batchId, wish, async (tx, saleId, plan) => {
        await bindKey(tx, world, key, { batchId, saleId });
        await recordAction(tx, world, actor, { action, object, after: recorded(plan) });
      });
      if (sold === null) throw new NotFound('Batch not found');
      if (sold.kind === 'refused') throw new Conflict(sold.reasons.join(' '));
      return { batchId, saleId: sold.saleId };
    });
    placing.wake(batchId);
    return await becomeOf(deed);
  }

  async function becomeOf({ batchId, saleId }: Deed): Promise<SaleOrder[]> {
    if (saleId === null) throw new Error(`a sale of batch ${batchId} was recorded without its id`);
    const read = async () => ({
      isOver: (await readBatch(db, batchId))?.saleUnderWay === false,
      sales: await ordersOfSale(db, { batchId, saleId }),
    });
    const isEnough = ({ isOver, sales }: Awaited<ReturnType<typeof read>>) =>
      isOver && sales.every(({ hasEnded }) => hasEnded);
    return (await awaitRows(world, SALE_MAX_MS, read, isEnough)).sales;
  }

  async function orderOr404(id: string): Promise<OrderRow> {
    const row = await readOrder(db, id);
    if (row === null) throw new NotFound('Order not found');
    return row;
  }
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
