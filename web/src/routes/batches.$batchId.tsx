import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { BatchDetails, type BatchSlots } from '../features/batches/batch-details.tsx';
import { DoubtPanel } from '../features/orders/doubt-panel.tsx';
import { OrderTable } from '../features/orders/order-table.tsx';
import { SellAllButton } from '../features/selling/sell-all-button.tsx';
import { SellOrderButton } from '../features/selling/sell-order-button.tsx';
import { UnwindButton } from '../features/selling/unwind-button.tsx';

export const Route = createLazyRoute('/desk/batches/$batchId')({ component: BatchPage });

const route = getRouteApi('/desk/batches/$batchId');

function BatchPage() {
  const { batchId } = route.useParams();
  return <BatchDetails key={batchId} id={batchId} slots={SLOTS} />;
}

const SLOTS: BatchSlots = {
  renderOrders: (orders, batch) => (
    <OrderTable
      orders={orders}
      skeletonRows={batch.expected_orders}
      renderActions={(order) => <SellOrderButton order={order} batch={batch} />}
    />
  ),
  renderDoubts: (orders, { id }) => orders && <DoubtPanel batchId={id} orders={orders} />,
  sellAll: (batch) => <SellAllButton batch={batch} />,
  unwind: (batch) => <UnwindButton batch={batch} />,
};
