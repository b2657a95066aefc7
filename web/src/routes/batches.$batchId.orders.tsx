import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { BatchOrdersPage } from '../features/batches/batch-orders-page.tsx';
import { ORDER_SLOTS } from './batch-slots.tsx';

export const Route = createLazyRoute('/desk/batches/$batchId/orders')({ component: OrdersPage });

const route = getRouteApi('/desk/batches/$batchId/orders');

function OrdersPage() {
  const { batchId } = route.useParams();
  return <BatchOrdersPage key={batchId} id={batchId} slots={ORDER_SLOTS} />;
}
