import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { BatchDetails, type BatchSlots } from '../features/batches/batch-details.tsx';
import { SellAllButton } from '../features/selling/sell-all-button.tsx';
import { UnwindButton } from '../features/selling/unwind-button.tsx';
import { ORDER_SLOTS } from './batch-slots.tsx';

export const Route = createLazyRoute('/desk/batches/$batchId')({ component: BatchPage });

const route = getRouteApi('/desk/batches/$batchId');

function BatchPage() {
  const { batchId } = route.useParams();
  return <BatchDetails key={batchId} id={batchId} slots={SLOTS} />;
}

const SLOTS: BatchSlots = {
  ...ORDER_SLOTS,
  sellAll: (batch) => <SellAllButton batch={batch} />,
  unwind: (batch) => <UnwindButton batch={batch} />,
};
