import { errorText } from '../../../calls/api-error.ts';
import { isRefusal } from '../../../calls/idempotent-requests.ts';
import { submitCashNowOfBatch } from '../../chain-steps/conversion-calls.ts';
import { executeSellAll } from '../sale-calls.ts';
import type { ReadyExit } from './exit-choices.ts';
import { type ExitExecution, exitResult } from './exit-result.ts';

/**
 * Sells the whole batch, or else the chosen orders together, and then converts the others into dollars, under keys made of one: asked
 * again, nothing is done twice. Throws where nothing was done, or where of a part it is not known.
 */
export async function executeExit(batchId: string, ready: ReadyExit, idempotencyKey: string): Promise<ExitExecution> {
  if (ready.sellsAll) return await executeSellAll(batchId, { ready }, idempotencyKey);
  const { convertedIds, asked } = ready;
  const orderIds = ready.simulation.orders.map(({ order_id }) => order_id);
  const tokens = new Set<string>(ready.simulation.orders.map(({ token_id }) => token_id));
  const chosen = {
    asked: Object.fromEntries(Object.entries(asked).filter(([token]) => tokens.has(token))),
    simulation: ready.simulation,
  };
  // First the sale: bids go, what can be converted stays. Where it is refused nothing has been done.
  const sold =
    orderIds.length === 0 ? null : await executeSellAll(batchId, { ready: chosen, orderIds }, `${idempotencyKey}-sale`);
  if (convertedIds.length === 0) return exitResult(sold, undefined);
  const cashNow = await submitCashNowOfBatch(batchId, convertedIds, `${idempotencyKey}-cash-now`).catch(
    (error: Error) => {
      if (sold === null || !isRefusal(error)) throw error;
      return { error: errorText(error) };
    },
  );
  return exitResult(sold, cashNow);
}
