import type { BatchSlots } from '../features/batches/batch-details.tsx';
import { DoubtPanel } from '../features/orders/doubt-panel.tsx';
import { OrderTable } from '../features/orders/order-table.tsx';
import { SellOrderButton } from '../features/selling/sell-order-button.tsx';

/** What other features put into every page of a batch. */
export const ORDER_SLOTS: Pick<BatchSlots, 'renderOrders' | 'renderDoubts'> = {
  renderOrders: (orders, batch) => (
    <OrderTable
      orders={orders}
      skeletonRows={batch.expected_orders}
      renderActions={(order) => <SellOrderButton order={order} batch={batch} />}
    />
  ),
  renderDoubts: (orders, { id }) => orders && <DoubtPanel batchId={id} orders={orders} />,
};
