import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { BatchDetails } from '../features/batches/batch-details.tsx';
import { OrderTable } from '../features/orders/order-table.tsx';

export const Route = createLazyRoute('/desk/batches/$batchId')({ component: BatchPage });

const route = getRouteApi('/desk/batches/$batchId');

function BatchPage() {
  const { batchId } = route.useParams();
  return (
    <BatchDetails
      key={batchId}
      id={batchId}
      renderOrders={(orders, expected) => <OrderTable orders={orders} skeletonRows={expected} />}
    />
  );
}
