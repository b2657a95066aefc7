import type { Batch } from '@dutchbook/contract/batches.ts';
import type { Order } from '@dutchbook/contract/orders.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback } from 'react';
import { errorText } from '../../calls/api-error.ts';
import { useRowsRefresh } from '../../lists/list-refresh.ts';
import type { Read } from '../../live/fresher.ts';
import { ErrorBar } from '../../ui/states.tsx';
import styles from './batch-details.module.css';
import { batchOrdersQuery } from './batch-queries.ts';

/** Draws the orders of a batch, which belong to another feature; `undefined` while they load. */
export type RenderOrders = (orders: readonly Read<Order>[] | undefined, batch: Batch) => ReactNode;

export function BatchOrders({ batch, renderOrders }: { batch: Batch; renderOrders: RenderOrders }) {
  const client = useQueryClient();
  const { data, error, refetch, isFetching } = useQuery(batchOrdersQuery(batch.id));
  const refresh = useCallback(
    () => client.invalidateQueries({ queryKey: batchOrdersQuery(batch.id).queryKey }),
    [client, batch.id],
  );
  useRowsRefresh('order', data?.data, refresh);
  if (error && data === undefined)
    return (
      <ErrorBar text={`Error loading orders: ${errorText(error)}`} onRetry={() => refetch()} retrying={isFetching} />
    );
  if (data?.count === 0) return <p className={styles.none}>No orders yet.</p>;
  return renderOrders(data?.data, batch);
}
