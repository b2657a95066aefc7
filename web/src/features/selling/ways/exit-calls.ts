import { sellOrder } from '@dutchbook/contract/selling.ts';
import { errorText } from '../../../calls/api-error.ts';
import { call } from '../../../calls/call.ts';
import { isRefusal } from '../../../calls/idempotent-requests.ts';
import { submitCashNowOfBatch } from '../../chain-steps/conversion-calls.ts';
import { executeSellAll } from '../sale-calls.ts';
import { pricesAsShown } from '../sell-all-readiness.ts';
import type { ReadyExit } from './exit-choices.ts';
import { type ExitExecution, exitResult } from './exit-result.ts';

/**
 * Sells the whole batch, or else each order by itself and converts the others into dollars, all under keys made of one: asked
 * again, none is done twice. Throws where nothing was done, or where of a part it is not known.
 */
export async function executeExit(batchId: string, ready: ReadyExit, idempotencyKey: string): Promise<ExitExecution> {
  const prices = pricesAsShown(ready);
  if (ready.sellsAll) return executeSellAll(batchId, prices, idempotencyKey);
  const { convertedIds } = ready;
  const { orders } = ready.simulation;
  const [converted, ...sold] = await Promise.allSettled([
    convertedIds.length === 0 ? undefined : submitCashNowOfBatch(batchId, convertedIds, `${idempotencyKey}-cash-now`),
    ...orders.map(({ order_id, token_id }) =>
      call(sellOrder, {
        params: { order_id },
        query: { sell_price: prices[token_id] },
        idempotencyKey: `${idempotencyKey}-${order_id}`,
      }),
    ),
  ]);
  refuseUnlessDone([...(convertedIds.length === 0 ? [] : [converted]), ...sold]);
  const sales = orders.flatMap((planned, nth) => {
    const answer = sold[nth];
    return answer === undefined ? [] : [{ planned, result: resultOf(answer) }];
  });
  const cashNow = resultOf(converted);
  return exitResult(batchId, sales, cashNow);
}

function refuseUnlessDone(answers: readonly PromiseSettledResult<unknown>[]): void {
  const failures = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason as Error);
  const lost = failures.find((reason) => !isRefusal(reason));
  if (lost !== undefined) throw lost;
  const [first] = failures;
  if (first !== undefined && failures.length === answers.length) throw first;
}

function resultOf<Reply>(answer: PromiseSettledResult<Reply>): Reply | { error: string } {
  return answer.status === 'fulfilled' ? answer.value : { error: errorText(answer.reason as Error) };
}
