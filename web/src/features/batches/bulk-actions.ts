import { type Batch, cancelBatch, exportBatches, retryBatch } from '@dutchbook/contract/batches.ts';
import { call } from '../../calls/call.ts';
import { exportAction } from '../../lists/export-csv.ts';
import type { BulkAction } from '../../lists/selection.tsx';

/** What can be done with several batches at once. */
export const bulkActions: readonly BulkAction<Batch>[] = [
  {
    label: 'Retry',
    icon: 'refresh',
    appliesTo: ({ can_retry }) => can_retry,
    question: (count) => `Retry ${count} batches? Each buys what it lacks at the prices of now.`,
    each: ({ id }, idempotencyKey) => call(retryBatch, { params: { batch_id: id }, idempotencyKey }),
    done: 'retried',
  },
  {
    label: 'Cancel',
    icon: 'stop',
    tone: 'danger',
    appliesTo: ({ is_active, cancel_requested }) => is_active && !cancel_requested,
    question: (count) =>
      `Cancel ${count} batches? Their open orders are taken off the venue; what is filled stays, and may be unhedged.`,
    each: ({ id }, idempotencyKey) => call(cancelBatch, { params: { batch_id: id }, idempotencyKey }),
    done: 'canceled',
  },
  exportAction('batches', (ids) => call(exportBatches, { query: { ids } })),
];
