import { placeOrder } from '@dutchbook/contract/opportunities.ts';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../calls/call.ts';
import { useTrade } from '../../calls/use-trade.ts';
import type { OrderRequest } from './order-readiness.ts';

/** Places an order and leads to its batch. */
export function usePlaceOrder(id: string) {
  const navigate = useNavigate();
  return useTrade({
    send: (request: OrderRequest, idempotencyKey) =>
      call(placeOrder, { params: { opportunity_id: id }, query: request, idempotencyKey }),
    onSuccess: (batch) => navigate({ to: '/batches/$batchId', params: { batchId: batch.id } }),
    success: 'Order placed successfully',
    failure: 'Failed to place order',
    unknown: 'The answer was lost, so it is not known whether the order was placed.',
  });
}
