import { createFileRoute } from '@tanstack/react-router';
import { ORDER_SLOTS } from '../../../../app/batch-slots.tsx';
import { BatchDetails, type BatchSlots } from '../../../../features/batches/batch-details.tsx';
import { LazyBatchMoments } from '../../../../features/flight-recorder/lazy-batch-moments.tsx';
import { LazyBatchResult } from '../../../../features/report/lazy-batch-result.tsx';
import { SellAllButton } from '../../../../features/selling/sell-all-button.tsx';
import { UnwindButton } from '../../../../features/selling/unwind-dialog.tsx';

export const Route = createFileRoute('/_shell/batches/$batchId/')({
  component: BatchPage,
});

function BatchPage() {
  const { batchId } = Route.useParams();
  return <BatchDetails key={batchId} id={batchId} slots={SLOTS} />;
}

const SLOTS: BatchSlots = {
  ...ORDER_SLOTS,
  books: (batch) => <LazyBatchMoments id={batch.id} />,
  result: (batch) => <LazyBatchResult id={batch.id} />,
  sellAll: (batch) => <SellAllButton batch={batch} />,
  unwind: (batch) => <UnwindButton batch={batch} />,
};
