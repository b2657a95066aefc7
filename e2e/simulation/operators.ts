/** What operators do: the same functions that the calls of the product go through, audit entries included. */
import { recordAction } from '@dutchbook/server/audit/record.ts';
import { type Requested, requestCancel, requestRetry } from '@dutchbook/server/batches/intents.ts';
import { lookAtOrders } from '@dutchbook/server/batches/look.ts';
import { readOpportunity } from '@dutchbook/server/opportunities/store.ts';
import { placeByHand } from '@dutchbook/server/trading/placing/place.ts';
import type { SaleWish } from '@dutchbook/server/trading/selling/sale-plan.ts';
import { sellShares } from '@dutchbook/server/trading/selling/sell-shares.ts';
import { arm, disarm } from '@dutchbook/server/trading-controls/arming.ts';
import type { Db, World } from '@dutchbook/server/world/world.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Product } from './product.ts';

const OPERATOR = { id: '00000000-0000-4000-8000-0000000000aa', email: 'operator@example.com', address: '127.0.0.1' };

/** Buys an opportunity as the call does, audit entry included. */
export async function place(product: Product, opportunityId: string, size: Shares | null): Promise<string> {
  const { world, trading } = product;
  const opportunity = await readOpportunity(world.db, opportunityId);
  if (opportunity === null) return 'there is no such opportunity';
  const wish = { size, quotedPrice: null, userId: OPERATOR.id };
  const placed = await placeByHand(trading, opportunity, wish, async (tx, batchId) => {
    await recordAction(tx, world, OPERATOR, { action: 'order.placed', object: batchId });
  });
  if (placed.kind === 'refused') return `refused: ${placed.reasons.join(' ')}`;
  trading.placing.wake(placed.batchId);
  return `batch ${placed.batchId}`;
}

export async function disarmTrading({ world, controls, armingAsked }: Product): Promise<string> {
  armingAsked(false);
  await disarm(world, controls, { actor: OPERATOR, user: OPERATOR });
  return 'done';
}

export async function armTrading({ world, controls, armingAsked }: Product): Promise<string> {
  armingAsked(true);
  await arm(world, controls, { actor: OPERATOR, user: OPERATOR });
  return 'done';
}

/** Asks for what a batch lacks to be bought. */
export async function retry(product: Product, batchId: string): Promise<string> {
  if (!product.controls.current().armed) return 'refused: Trading is disarmed.';
  const byHand: typeof requestCancel = (tx, world, id) => requestRetry(tx, world, id, true);
  return await request(product, batchId, 'batch.retried', byHand);
}

export async function cancel(product: Product, batchId: string): Promise<string> {
  return await request(product, batchId, 'batch.canceled', requestCancel);
}

export async function sell(product: Product, batchId: string, wish: SaleWish): Promise<string> {
  const { world, trading, venue, settings } = product;
  const parts = { world, quotes: trading.quotes, venue, settings };
  const sold = await sellShares(parts, batchId, wish, async (tx) => {
    await recordAction(tx, world, OPERATOR, { action: 'batch.sold', object: batchId });
  });
  if (sold === null) return 'there is no such batch';
  if (sold.kind === 'refused') return `refused: ${sold.reasons.join(' ')}`;
  trading.placing.wake(batchId);
  return `sale ${sold.saleId}`;
}

/** The button that has the exchange asked about everything that has not ended. */
export async function look(product: Product, batchId: string): Promise<string> {
  const { world, trading } = product;
  await lookAtOrders({ world, placing: trading.placing }, [batchId]);
  return 'done';
}

async function request(
  { world, trading }: Product,
  batchId: string,
  action: 'batch.retried' | 'batch.canceled',
  ask: (tx: Db, world: World, batchId: string) => Promise<Requested | null>,
): Promise<string> {
  const asked = await world.db.transaction(async (tx) => {
    const answer = await ask(tx, world, batchId);
    if (answer?.kind === 'requested') await recordAction(tx, world, OPERATOR, { action, object: batchId });
    return answer;
  });
  if (asked?.kind !== 'requested') return `refused: ${asked?.reason ?? 'there is no such batch'}`;
  trading.placing.wake(batchId);
  return 'requested';
}
