import { sellAll, sellOrder, unwind } from '@dutchbook/contract/selling.ts';
import type { App } from '../../platform/http/app.ts';
import { NotFound } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { PlannedSale, SaleRequest } from '../execution/selling/sale-plan.ts';
import { type SellParts, simulateSale } from '../execution/selling/sell-shares.ts';
import type { Placing } from '../orders/intents.ts';
import { presentOrder } from '../orders/present.ts';
import { readOrder } from '../orders/store.ts';
import { requestUnderKey } from './idempotency.ts';
import { presentSaleResult, presentSaleSimulation, presentUnwindSimulation } from './present-sale.ts';
import { sell } from './sell.ts';

/** Selling what batches hold: each sale is recorded here and carried out by the batch runner, also while disarmed. */
export function registerSelling(app: App, parts: SellParts & { placing: Pick<Placing, 'wake'> }): void {
  route(app, sellAll, async ({ params: { batch_id }, query, body, user, actor, request }) => {
    const sale: SaleRequest = { kind: 'all', prices: new Map(Object.entries(body ?? {})) };
    if (query.simulate) return presentSaleSimulation(batch_id, await simulated(batch_id, sale));
    const key = requestUnderKey({ user, request }, { call: sellAll.path, batch_id, prices: [...sale.prices].sort() });
    const sales = await sell(parts, batch_id, sale, {
      key,
      actor,
      action: 'batch.sold',
      object: batch_id,
      withPriority: app.orderPriorities(user.id),
    });
    return presentSaleResult(batch_id, sales);
  });

  route(app, unwind, async ({ params: { batch_id }, query, body, user, actor, request }) => {
    const sale: SaleRequest = { kind: 'unwind', prices: new Map(Object.entries(body ?? {})) };
    if (query.simulate) return presentUnwindSimulation(batch_id, await simulated(batch_id, sale));
    const key = requestUnderKey({ user, request }, { call: unwind.path, batch_id, prices: [...sale.prices].sort() });
    const sales = await sell(parts, batch_id, sale, {
      key,
      actor,
      action: 'batch.unwound',
      object: batch_id,
      withPriority: app.orderPriorities(user.id),
    });
    return presentSaleResult(batch_id, sales);
  });

  route(app, sellOrder, async ({ params: { order_id }, query, user, actor, request }) => {
    const order = await readOrder(parts.runtime.db, order_id);
    if (order === null) throw new NotFound('Order not found');
    const asked = { size: query.sell_size ?? null, price: query.sell_price ?? null };
    const key = requestUnderKey({ user, request }, { call: sellOrder.path, order_id, ...asked });
    const sale: SaleRequest = { kind: 'order', orderId: order_id, ...asked };
    const [sold] = await sell(parts, order.batchId, sale, {
      key,
      actor,
      action: 'order.sold',
      object: order_id,
      withPriority: app.orderPriorities(user.id),
    });
    if (!sold?.row) throw new Error(`the sale of order ${order_id} has no order`);
    return presentOrder(sold.row);
  });

  async function simulated(batchId: string, sale: SaleRequest): Promise<PlannedSale> {
    const planned = await simulateSale(parts, batchId, sale);
    if (planned === null) throw new NotFound('Batch not found');
    return planned;
  }
}
