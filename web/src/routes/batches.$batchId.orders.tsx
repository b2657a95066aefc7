import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { BatchSlots } from '../features/batches/batch-details.tsx';
import { BatchOrdersPage } from '../features/batches/batch-orders-page.tsx';
import { DoubtPanel } from '../features/orders/doubt-panel.tsx';
import { OrderTable } from '../features/orders/order-table.tsx';
import { SellOrderButton } from '../features/selling/sell-order-button.tsx';

export const Route = createLazyRoute('/desk/batches/$batchId/orders')({ component: OrdersPage });

const route = getRouteApi('/desk/batches/$batchId/orders');

function OrdersPage() {
  const { batchId } = route.useParams();
  return <BatchOrdersPage key={batchId} id={batchId} slots={SLOTS} />;
}

const SLOTS: Pick<BatchSlots, 'renderOrders' | 'renderDoubts'> = {
  renderOrders: (orders, batch) => (
    <OrderTable
      orders={orders}
      skeletonRows={batch.expected_orders}
      renderActions={(order) => <SellOrderButton order={order} batch={batch} />}
    />
  ),
  renderDoubts: (orders, { id }) => orders && <DoubtPanel batchId={id} orders={orders} />,
};
