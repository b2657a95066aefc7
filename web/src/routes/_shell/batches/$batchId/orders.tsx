import { createFileRoute } from '@tanstack/react-router';
import { ORDER_SLOTS } from '../../../../app/batch-slots.tsx';
import { BatchOrdersPage } from '../../../../features/batches/batch-orders-page.tsx';

export const Route = createFileRoute('/_shell/batches/$batchId/orders')({
  component: OrdersPage,
});

function OrdersPage() {
  const { batchId } = Route.useParams();
  return <BatchOrdersPage key={batchId} id={batchId} slots={ORDER_SLOTS} />;
}
