import type { AuditAction } from '@dutchbook/contract/audit.ts';
import type { SellPlan } from '@dutchbook/engine/sell/plan.ts';
import { priceToNumber } from '@dutchbook/units/price.ts';
import { sharesToNumber } from '@dutchbook/units/shares.ts';
import { type Actor, type JsonObject, recordAction } from '../audit/record.ts';
import { Conflict, NotFound } from '../http/errors.ts';
import type { Placing } from '../parts.ts';
import { ordersOfSale, type SaleOrder } from '../trading/selling/sale-orders.ts';
import type { SaleWish } from '../trading/selling/sale-plan.ts';
import { type SellParts, sellShares } from '../trading/selling/sell-shares.ts';
import { awaitRows } from '../world/await-rows.ts';
import type { World } from '../world/world.ts';
import { type Bind, type Deed, type IdempotentRequest, oncePerKey } from './idempotency.ts';
import { readBatch } from './store.ts';

const SALE_MAX_MS = 15_000;

/** Who sells, and what the audit log says was done to which object. */
export type SaleOrdered = { key: IdempotentRequest | null; actor: Actor; action: AuditAction; object: string };

/**
 * Records a sale, once for each key, and waits a while for what becomes of its orders. @throws NotFound, and Conflict with
 * the reasons for which it is refused
 */
export async function sell(
  parts: SellParts & { placing: Pick<Placing, 'wake'> },
  batchId: string,
  wish: SaleWish,
  { key, actor, action, object }: SaleOrdered,
): Promise<SaleOrder[]> {
  const { world, placing } = parts;
  const perform = async (bind: Bind): Promise<Deed> => {
    const sold = await sellShares(parts, batchId, wish, async (tx, saleId, plan) => {
      await bind(tx, world, { batchId, saleId });
      await recordAction(tx, world, actor, { action, object, after: recorded(plan) });
    });
    if (sold === null) throw new NotFound('Batch not found');
    if (sold.kind === 'refused') throw new Conflict(sold.reasons.join(' '));
    return { batchId, saleId: sold.saleId };
  };
  return await oncePerKey(world.db, key, perform, async (deed) => {
    placing.wake(batchId);
    return await becomeOf(world, deed);
  });
}

async function becomeOf(world: World, { batchId, saleId }: Deed): Promise<SaleOrder[]> {
  if (saleId === null) throw new Error(`a sale of batch ${batchId} was recorded without its id`);
  const { db } = world;
  const isUnderWay = async () => (await readBatch(db, batchId))?.saleUnderWay ?? false;
  // Only when all its sales have ended is none under way: until then a look at the batch is enough.
  await awaitRows(world, SALE_MAX_MS, isUnderWay, (underWay) => !underWay);
  return await ordersOfSale(db, { batchId, saleId });
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
