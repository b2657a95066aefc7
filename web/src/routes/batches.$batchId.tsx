import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { BatchDetails, type BatchSlots } from '../features/batches/batch-details.tsx';
import { DoubtPanel } from '../features/orders/doubt-panel.tsx';
import { OrderTable } from '../features/orders/order-table.tsx';

export const Route = createLazyRoute('/desk/batches/$batchId')({ component: BatchPage });

const route = getRouteApi('/desk/batches/$batchId');

function BatchPage() {
  const { batchId } = route.useParams();
  return <BatchDetails key={batchId} id={batchId} slots={SLOTS} />;
}

const SLOTS: BatchSlots = {
  renderOrders: (orders, { expected_orders }) => <OrderTable orders={orders} skeletonRows={expected_orders} />,
  renderDoubts: (orders, { id }) => orders && <DoubtPanel batchId={id} orders={orders} />,
};
