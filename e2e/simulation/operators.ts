/** What operators do: the same functions that the calls of the product go through, audit entries included. */
import type { WayIn } from '@dutchbook/contract/placing.ts';
import { deleteOpportunity } from '@dutchbook/server/market/opportunities/deletion.ts';
import { type Edit, editOpportunity } from '@dutchbook/server/market/opportunities/edit.ts';
import { servedRow } from '@dutchbook/server/market/opportunities/present.ts';
import { readOpportunity } from '@dutchbook/server/market/opportunities/store.ts';
import { triggerThreshold } from '@dutchbook/server/people/system-settings/in-units.ts';
import { recordAction } from '@dutchbook/server/platform/audit/record.ts';
import type { Db, Runtime } from '@dutchbook/server/platform/runtime/runtime.ts';
import { cashMoves } from '@dutchbook/server/trading/cash-moves/table.ts';
import { splitRowsFor } from '@dutchbook/server/trading/chain-steps/split-rows.ts';
import { placeByHand } from '@dutchbook/server/trading/execution/placing/by-hand.ts';
import { requestRetry } from '@dutchbook/server/trading/execution/request-retry.ts';
import type { SaleRequest } from '@dutchbook/server/trading/execution/selling/sale-plan.ts';
import { sellShares } from '@dutchbook/server/trading/execution/selling/sell-shares.ts';
import { activeBatchOf } from '@dutchbook/server/trading/orders/batch-store.ts';
import { type Requested, requestCancel } from '@dutchbook/server/trading/orders/intents.ts';
import { pollOrders } from '@dutchbook/server/trading/orders/update-status.ts';
import { arm, disarm } from '@dutchbook/server/trading/trading-controls/arming.ts';
import { lockControls, storeArmed } from '@dutchbook/server/trading/trading-controls/store.ts';
import { routedTrading } from '@dutchbook/server/trading/venue-desk/routed-trading.ts';
import { idAt } from '@dutchbook/units/ids.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { CashMove } from '@dutchbook/venues/venue-pockets.ts';
import type { Product } from './product.ts';

export const OPERATOR = {
  id: '00000000-0000-4000-8000-0000000000aa',
  email: 'operator@example.com',
  address: '127.0.0.1',
};

/** Buys an opportunity as the call does, or splits dollars into it, audit entry included. */
export async function place(
  product: Product,
  opportunityId: string,
  size: Shares | null,
  wayIn: WayIn = 'buy',
): Promise<string> {
  const { runtime, trading } = product;
  const opportunity = await readOpportunity(runtime.db, opportunityId);
  if (opportunity === null) return 'there is no such opportunity';
  const request = { opportunity, size, quotedPrice: null, wayIn, userId: OPERATOR.id };
  const splitRows = splitRowsFor(OPERATOR.email);
  const placed = await placeByHand(trading, trading.placing, { ...request, splitRows }, { actor: OPERATOR });
  if (placed.kind === 'refused') return `refused: ${placed.reasons.join(' ')}`;
  return `batch ${placed.batchId}`;
}

export async function edit({ runtime, trading, settings }: Product, id: string, change: Edit): Promise<string> {
  const thresholdPct = triggerThreshold(settings.current());
  const edited = await editOpportunity(runtime, { id, edit: change, thresholdPct, actor: OPERATOR });
  if (edited === null) return 'there is no such opportunity';
  if (edited.isChanged) await trading.live.readChanges();
  return 'done';
}

export async function remove({ runtime, trading }: Product, id: string): Promise<string> {
  const outcome = await deleteOpportunity(runtime, id, OPERATOR, activeBatchOf, (tx, row) =>
    recordAction(tx, runtime, OPERATOR, { action: 'opportunity.deleted', object: id, before: servedRow(row) }),
  );
  if (outcome === 'deleted') trading.live.forget(id);
  return outcome;
}

export async function disarmTrading({ runtime, controls, armingAsked }: Product): Promise<string> {
  armingAsked(false);
  await disarm(runtime, controls, { actor: OPERATOR });
  return 'done';
}

/** Nothing but the rows that all processes read, as a person changes them by hand: the end of no batch is asked for. */
export async function disarmRowAlone({ runtime, controls }: Product): Promise<string> {
  const mode = runtime.config.venueMode;
  await runtime.db.transaction(async (tx) => {
    // In the order in which decisions lock them.
    for (const venue of controls.map((each) => each.venue).toSorted()) {
      await lockControls(tx, mode, venue);
      await storeArmed(tx, { ...runtime, mode, of: venue, userId: OPERATOR.id }, false);
      await recordAction(tx, runtime, OPERATOR, { action: 'trading.disarmed', object: idAt(venue, mode) });
    }
    await runtime.pubsub.publish(tx, 'trading_controls_changed');
  });
  return 'done';
}

export async function armTrading({ runtime, controls, armingAsked }: Product): Promise<string> {
  armingAsked(true);
  for (const each of controls) await arm(runtime, each, { actor: OPERATOR, user: OPERATOR });
  return 'done';
}

/** Asks for what a batch lacks to be bought. */
export async function retry(product: Product, batchId: string): Promise<string> {
  if (!product.controls.every((each) => each.current().armed)) return 'refused: Trading is disarmed.';
  const byHand = (tx: Db, runtime: Runtime, id: string) => requestRetry(tx, runtime, id, OPERATOR.id);
  return await request(product, batchId, 'batch.retried', byHand);
}

export async function cancel(product: Product, batchId: string): Promise<string> {
  return await request(product, batchId, 'batch.canceled', requestCancel);
}

export async function sell(product: Product, batchId: string, request: SaleRequest): Promise<string> {
  const { runtime, trading, settings } = product;
  const { catalogue, desks } = trading;
  const parts = { runtime, quotes: trading.quotes, venue: { catalogue, trading: routedTrading(desks) }, settings };
  const sold = await sellShares(parts, { batchId }, request, async (tx) => {
    await recordAction(tx, runtime, OPERATOR, { action: 'batch.sold', object: batchId });
  });
  if (sold === null) return 'there is no such batch';
  if (sold.kind === 'refused') return `refused: ${sold.reasons.join(' ')}`;
  trading.placing.wake(batchId);
  return `sale ${sold.saleId}`;
}

/** Moves cash between two pockets of the second venue, as the call does. */
export async function moveCash({ runtime }: Product, move: CashMove): Promise<string> {
  const { from: fromPocket, to: toPocket, amount } = move;
  return await runtime.db.transaction(async (tx) => {
    const row = { venue: 'kalshi', fromPocket, toPocket, amount, status: 'recorded' } as const;
    const asked = { id: runtime.random.uuid(), requestedBy: OPERATOR.email, createdAt: runtime.clock.now() };
    const recorded = await tx
      .insert(cashMoves)
      .values({ ...row, ...asked })
      .onConflictDoNothing()
      .returning();
    if (recorded.length === 0) return 'refused: another has not ended';
    await recordAction(tx, runtime, OPERATOR, { action: 'cash.moved', object: 'kalshi' });
    return 'recorded';
  });
}

/** The button that has the exchange asked about everything that has not ended. */
export async function look(product: Product, batchId: string): Promise<string> {
  const { runtime, trading } = product;
  await pollOrders({ runtime, placing: trading.placing }, [batchId]);
  return 'done';
}

async function request(
  { runtime, trading }: Product,
  batchId: string,
  action: 'batch.retried' | 'batch.canceled',
  ask: (tx: Db, runtime: Runtime, batchId: string) => Promise<Requested | null>,
): Promise<string> {
  const asked = await runtime.db.transaction(async (tx) => {
    const answer = await ask(tx, runtime, batchId);
    if (answer?.kind === 'requested') await recordAction(tx, runtime, OPERATOR, { action, object: batchId });
    return answer;
  });
  if (asked?.kind !== 'requested') return `refused: ${asked?.reason ?? 'there is no such batch'}`;
  trading.placing.wake(batchId);
  return 'requested';
}
