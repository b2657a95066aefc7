import { cancelOrder, sellAll, sellHeld, sellOrder, unwind } from '@dutchbook/contract/selling.ts';
import { recordAction } from '../../platform/audit/record.ts';
import { awaitRows } from '../../platform/database/await-rows.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict, NotFound } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { SaleScope } from '../execution/selling/sale-inputs.ts';
import type { PlannedSale, SaleRequest } from '../execution/selling/sale-plan.ts';
import { type SellParts, simulateSale } from '../execution/selling/sell-shares.ts';
import { hasEnded, loadBatch } from '../orders/batch-state.ts';
import type { Placing } from '../orders/intents.ts';
import { presentOrder } from '../orders/present.ts';
import { readOrder } from '../orders/store.ts';
import { requestSaleCancel } from '../orders/waiting-sales.ts';
import { requestUnderKey } from './idempotency.ts';
import { presentSaleResult, presentSaleSimulation, presentUnwindSimulation } from './present-sale.ts';
import { sell } from './sell.ts';

/** How long the answer waits for the venue to have taken an order off its book. */
const CANCEL_MAX_MS = 3000;

/** Selling what batches hold: each sale is recorded here and carried out by the batch runner, also while disarmed. */
export function registerSelling(app: App, parts: SellParts & { placing: Pick<Placing, 'wake'> }): void {
  route(app, sellAll, async ({ params: { batch_id }, query, body, user, actor, request }) => {
    const { order_ids: orderIds, shown_shares: shownShares } = query;
    const sale: SaleRequest = {
      ...{ kind: 'all', prices: new Map(Object.entries(body ?? {})) },
      ...(orderIds && { orderIds: new Set(orderIds) }),
      ...(shownShares && { shownShares }),
    };
    if (query.simulate) return { ...presentSaleSimulation(await simulated({ batchId: batch_id }, sale)), batch_id };
    const key = requestUnderKey(
      { user, request },
      { call: sellAll.path, batch_id, prices: [...sale.prices].sort(), ...(orderIds && { orderIds }) },
    );
    const sales = await sell(parts, { batchId: batch_id }, sale, {
      key,
      actor,
      action: 'batch.sold',
      object: batch_id,
      withPriority: app.orderPriorities(user.id),
    });
    return { ...presentSaleResult(sales), batch_id };
  });

  route(app, unwind, async ({ params: { batch_id }, query, body, user, actor, request }) => {
    const sale: SaleRequest = {
      ...{ kind: 'unwind', prices: new Map(Object.entries(body ?? {})) },
      ...(query.shown_shares && { shownShares: query.shown_shares }),
    };
    if (query.simulate) return { ...presentUnwindSimulation(await simulated({ batchId: batch_id }, sale)), batch_id };
    const key = requestUnderKey({ user, request }, { call: unwind.path, batch_id, prices: [...sale.prices].sort() });
    const sales = await sell(parts, { batchId: batch_id }, sale, {
      key,
      actor,
      action: 'batch.unwound',
      object: batch_id,
      withPriority: app.orderPriorities(user.id),
    });
    return { ...presentSaleResult(sales), batch_id };
  });

  route(app, sellHeld, async ({ query, body, user, actor, request }) => {
    const scope = { tokenIds: body.token_ids };
    const sale: SaleRequest = {
      ...{ kind: 'tokens', prices: new Map(Object.entries(body.prices ?? {})) },
      ...(query.shown_shares && { shownShares: query.shown_shares }),
    };
    if (query.simulate) return presentSaleSimulation(await simulated(scope, sale));
    const asked = { call: sellHeld.path, token_ids: body.token_ids.toSorted(), prices: [...sale.prices].sort() };
    const sales = await sell(parts, scope, sale, {
      key: requestUnderKey({ user, request }, asked),
      actor,
      action: 'portfolio.sold',
      withPriority: app.orderPriorities(user.id),
    });
    return presentSaleResult(sales, ({ outcome, marketName }) => `${outcome}, “${marketName}”`);
  });

  route(app, sellOrder, async ({ params: { order_id }, query, user, actor, request }) => {
    const order = await readOrder(parts.runtime.db, order_id);
    if (order === null) throw new NotFound('Order not found');
    const asked = { size: query.sell_size ?? null, price: query.sell_price ?? null };
    const waits = query.wait === true ? { until: query.wait_until ?? null } : null;
    const key = requestUnderKey(
      { user, request },
      { call: sellOrder.path, order_id, ...asked, ...(waits && { waits }) },
    );
    const sale: SaleRequest = { kind: 'order', orderId: order_id, ...asked, waits };
    const [sold] = await sell(parts, { batchId: order.batchId }, sale, {
      key,
      actor,
      action: 'order.sold',
      object: order_id,
      withPriority: app.orderPriorities(user.id),
    });
    if (!sold?.row) throw new Error(`the sale of order ${order_id} has no order`);
    return presentOrder(sold.row);
  });

  route(app, cancelOrder, async ({ params: { order_id }, actor }) => {
    const { runtime, placing } = parts;
    const batchId = await runtime.db.transaction(async (tx) => {
      const asked = await requestSaleCancel(tx, runtime, order_id);
      if (asked === null) throw new NotFound('Order not found');
      if (asked.kind === 'refused') throw new Conflict(asked.reason);
      if (!asked.repeated) await recordAction(tx, runtime, actor, { action: 'order.canceled', object: order_id });
      return asked.batchId;
    });
    placing.wake(batchId);
    const isStanding = async () => {
      const state = await loadBatch(runtime.db, batchId);
      return state?.sales.some((sale) => sale.id === order_id && !hasEnded(state, sale)) ?? false;
    };
    await awaitRows(runtime, CANCEL_MAX_MS, isStanding, (standing) => !standing);
    const row = await readOrder(runtime.db, order_id);
    if (row === null) throw new NotFound('Order not found');
    return presentOrder(row);
  });

  async function simulated(scope: SaleScope, sale: SaleRequest): Promise<PlannedSale> {
    const planned = await simulateSale(parts, scope, sale);
    if (planned === null) throw new NotFound('Batch not found');
    return planned;
  }
}
