import {
  type HeldSaleExecution,
  type HeldSaleSimulation,
  type SellExecution,
  type SellSimulation,
  sellAll,
  sellHeld,
  type UnwindSimulation,
  unwind,
} from '@dutchbook/contract/selling.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { call } from '../../calls/call.ts';
import { pricesAsShown, type ReadySale } from './sell-all-readiness.ts';
import type { SellPrices } from './sell-prices.ts';

const OTHER_ANSWER = 'The server answered another question than was asked. Reload the page.';

export async function simulateSellAll(batchId: string, prices: SellPrices): Promise<SellSimulation> {
  const reply = await call(sellAll, { params: { batch_id: batchId }, query: { simulate: true }, body: prices });
  if (!reply.simulation) throw new Error(OTHER_ANSWER);
  return reply;
}

/** The orders as they are shown, all of the batch's unless `orderIds` are named. */
export async function executeSellAll(
  batchId: string,
  { ready, orderIds }: { ready: ReadySale; orderIds?: readonly string[] },
  idempotencyKey: string,
) {
  const query = { ...asShown(ready), ...(orderIds && { order_ids: [...orderIds] }) };
  const params = { batch_id: batchId };
  return executed(await call(sellAll, { params, query, body: pricesAsShown(ready), idempotencyKey }));
}

/** What all orders hold of some tokens, sold together. */
export async function simulateSellHeld(tokenIds: readonly TokenId[], prices: SellPrices): Promise<HeldSaleSimulation> {
  const reply = await call(sellHeld, { query: { simulate: true }, body: { token_ids: [...tokenIds], prices } });
  if (!reply.simulation) throw new Error(OTHER_ANSWER);
  return reply;
}

export async function executeSellHeld(
  tokenIds: readonly TokenId[],
  ready: ReadySale,
  idempotencyKey: string,
): Promise<HeldSaleExecution> {
  const body = { token_ids: [...tokenIds], prices: pricesAsShown(ready) };
  const reply = await call(sellHeld, { query: asShown(ready), body, idempotencyKey });
  if (reply.simulation) throw new Error(OTHER_ANSWER);
  return reply;
}

export async function simulateUnwind(batchId: string): Promise<UnwindSimulation> {
  const reply = await call(unwind, { params: { batch_id: batchId }, query: { simulate: true }, body: null });
  if (!reply.simulation) throw new Error(OTHER_ANSWER);
  return reply;
}

export async function executeUnwind(batchId: string, ready: ReadySale, idempotencyKey: string) {
  const params = { batch_id: batchId };
  return executed(await call(unwind, { params, query: asShown(ready), body: pricesAsShown(ready), idempotencyKey }));
}

/** With what is sold of each order: where the bids take fewer of one by then, no order leaves. */
function asShown({ simulation }: ReadySale) {
  return { simulate: false, shown_shares: simulation.orders.map(({ sell_size }) => sell_size) };
}

function executed(reply: SellSimulation | UnwindSimulation | SellExecution): SellExecution {
  if (reply.simulation) throw new Error(OTHER_ANSWER);
  return reply;
}
