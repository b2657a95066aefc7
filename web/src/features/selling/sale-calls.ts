import {
  type SellExecution,
  type SellSimulation,
  sellAll,
  type UnwindSimulation,
  unwind,
} from '@dutchbook/contract/selling.ts';
import { call } from '../../calls/call.ts';
import type { SellPrices } from './sell-prices.ts';

const OTHER_ANSWER = 'The server answered another question than was asked. Reload the page.';

export async function simulateSellAll(batchId: string, prices: SellPrices): Promise<SellSimulation> {
  const reply = await call(sellAll, { params: { batch_id: batchId }, query: { simulate: true }, body: prices });
  if (!reply.simulation) throw new Error(OTHER_ANSWER);
  return reply;
}

export async function executeSellAll(batchId: string, prices: SellPrices, idempotencyKey: string) {
  const params = { batch_id: batchId };
  return executed(await call(sellAll, { params, query: { simulate: false }, body: prices, idempotencyKey }));
}

export async function simulateUnwind(batchId: string): Promise<UnwindSimulation> {
  const reply = await call(unwind, { params: { batch_id: batchId }, query: { simulate: true }, body: null });
  if (!reply.simulation) throw new Error(OTHER_ANSWER);
  return reply;
}

export async function executeUnwind(batchId: string, prices: SellPrices, idempotencyKey: string) {
  const params = { batch_id: batchId };
  return executed(await call(unwind, { params, query: { simulate: false }, body: prices, idempotencyKey }));
}

function executed(reply: SellSimulation | UnwindSimulation | SellExecution): SellExecution {
  if (reply.simulation) throw new Error(OTHER_ANSWER);
  return reply;
}
