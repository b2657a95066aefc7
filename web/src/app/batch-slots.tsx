import type { BatchSlots } from '../features/batches/batch-details.tsx';
import { OrderTable } from '../features/orders/order-table.tsx';
import { UnknownOrdersPanel } from '../features/orders/unknown-orders-panel.tsx';
import { SellOrderButton } from '../features/selling/sell-order-button.tsx';

/** What other features put into every page of a batch. */
export const ORDER_SLOTS: Pick<BatchSlots, 'renderOrders' | 'renderUnknown'> = {
  renderOrders: (orders, batch, fills) => (
    <OrderTable
      orders={orders}
      fills={fills}
      skeletonRows={batch.expected_orders}
      renderActions={(order) => <SellOrderButton order={order} batch={batch} />}
    />
  ),
  renderUnknown: (orders, { id }) => orders && <UnknownOrdersPanel batchId={id} orders={orders} />,
};
