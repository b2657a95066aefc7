import { sellAll, sellOrder, unwind } from '@dutchbook/contract/selling.ts';
import type { App } from '../http/app.ts';
import { NotFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { presentOrder } from '../orders/present.ts';
import { readOrder } from '../orders/store.ts';
import type { Placing } from '../parts.ts';
import type { PlannedWish, SaleWish } from '../trading/selling/sale-plan.ts';
import { type SellParts, simulateSale } from '../trading/selling/sell-shares.ts';
import { requestUnderKey } from './idempotency.ts';
import { presentSaleResult, presentSaleSimulation, presentUnwindSimulation } from './present-sale.ts';
import { sell } from './sell.ts';

/** Selling what batches hold: each sale is recorded here and carried out by the placing loop, also while disarmed. */
export function registerSelling(app: App, parts: SellParts & { placing: Pick<Placing, 'wake'> }): void {
  route(app, sellAll, async ({ params: { batch_id }, query, body, user, actor, request }) => {
    const wish: SaleWish = { kind: 'all', prices: new Map(Object.entries(body ?? {})) };
    if (query.simulate) return presentSaleSimulation(batch_id, await simulated(batch_id, wish));
    const key = requestUnderKey({ user, request }, { call: sellAll.path, batch_id, prices: [...wish.prices].sort() });
    const sales = await sell(parts, batch_id, wish, { key, actor, action: 'batch.sold', object: batch_id });
    return presentSaleResult(batch_id, sales);
  });

  route(app, unwind, async ({ params: { batch_id }, query, body, user, actor, request }) => {
    const wish: SaleWish = { kind: 'unwind', prices: new Map(Object.entries(body ?? {})) };
    if (query.simulate) return presentUnwindSimulation(batch_id, await simulated(batch_id, wish));
    const key = requestUnderKey({ user, request }, { call: unwind.path, batch_id, prices: [...wish.prices].sort() });
    const sales = await sell(parts, batch_id, wish, { key, actor, action: 'batch.unwound', object: batch_id });
    return presentSaleResult(batch_id, sales);
  });

  route(app, sellOrder, async ({ params: { order_id }, query, user, actor, request }) => {
    const order = await readOrder(parts.world.db, order_id);
    if (order === null) throw new NotFound('Order not found');
    const asked = { size: query.sell_size ?? null, price: query.sell_price ?? null };
    const key = requestUnderKey({ user, request }, { call: sellOrder.path, order_id, ...asked });
    const wish: SaleWish = { kind: 'order', orderId: order_id, ...asked };
    const [sold] = await sell(parts, order.batchId, wish, { key, actor, action: 'order.sold', object: order_id });
    if (sold === undefined) throw new Error(`the sale of order ${order_id} has no order`);
    return presentOrder(sold.row);
  });

  async function simulated(batchId: string, wish: SaleWish): Promise<PlannedWish> {
    const planned = await simulateSale(parts, batchId, wish);
    if (planned === null) throw new NotFound('Batch not found');
    return planned;
  }
}
