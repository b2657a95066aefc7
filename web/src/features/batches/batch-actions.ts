import { type Batch, cancelBatch, finishSet, retryBatch } from '@dutchbook/contract/batches.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { useTrade } from '../../calls/use-trade.ts';
import { batchKey, batchListKey } from './batch-queries.ts';

/** What a retry brings shows a moment later. */
const REFRESH_DELAY_MS = 2_000;

const LOST = 'The answer was lost, so it is not known whether';
const ONCE = 'Asking again does not do it twice.';

/** Buys what a batch lacks; the screens read it again after two seconds. */
export function useRetryBatch() {
  const client = useQueryClient();
  return useTrade({
    send: (id: string, idempotencyKey) => call(retryBatch, { params: { batch_id: id }, idempotencyKey }),
    onSuccess: (batch) => {
      show(client, batch);
      setTimeout(() => readBatchAgain(client, batch.id), REFRESH_DELAY_MS);
    },
    success: 'Batch retry initiated successfully',
    failure: 'Failed to retry batch',
    unknown: `${LOST} the batch is retried. ${ONCE}`,
  });
}

/** Buys what the sets of a batch lack, for `upTo` at most. `onRecorded` is called when the server has recorded the request. */
export function useFinishSet(onRecorded: () => void) {
  const client = useQueryClient();
  return useTrade({
    send: ({ id, upTo }: { id: string; upTo: Usd }, idempotencyKey) =>
      call(finishSet, { params: { batch_id: id }, query: { up_to_usd: upTo }, idempotencyKey }),
    onSuccess: (batch) => {
      show(client, batch);
      onRecorded();
      setTimeout(() => readBatchAgain(client, batch.id), REFRESH_DELAY_MS);
    },
    success: 'What the set lacks is being bought',
    failure: 'Failed to finish the set',
    unknown: `${LOST} the set is being finished. ${ONCE}`,
  });
}

/** Takes the open orders of a batch off the venue. `onCanceled` is called when the server has taken the request down. */
export function useCancelBatch(onCanceled: () => void) {
  const client = useQueryClient();
  return useTrade({
    send: (id: string, idempotencyKey) => call(cancelBatch, { params: { batch_id: id }, idempotencyKey }),
    onSuccess: (batch) => {
      show(client, batch);
      readBatchAgain(client, batch.id);
      onCanceled();
    },
    success: 'Batch canceled successfully',
    failure: 'Failed to cancel batch',
    unknown: `${LOST} the batch is canceled. ${ONCE}`,
  });
}

/** Shows at once what the server answered, where the batch is on screen. */
function show(client: QueryClient, batch: Batch): void {
  const requestedAtMs = Date.now();
  client.setQueryData(batchKey(batch.id), (known) => known && { ...batch, requestedAtMs });
}

function readBatchAgain(client: QueryClient, id: string): void {
  void readAgain(client, batchKey(id));
  void readAgain(client, batchListKey);
}
