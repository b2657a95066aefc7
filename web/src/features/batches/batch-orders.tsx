import type { Batch } from '@dutchbook/contract/batches.ts';
import type { BatchMetrics } from '@dutchbook/contract/execution.ts';
import type { Order } from '@dutchbook/contract/orders.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback } from 'react';
import { LoadError } from '../../calls/loaded.tsx';
import { useRowsRefresh } from '../../lists/list-refresh.ts';
import type { Read } from '../../live/fresher.ts';
import { batchMetricsQuery, batchOrdersQuery } from './batch-queries.ts';

/** Draws the orders of a batch, which belong to another feature; `undefined` while they load. */
export type RenderOrders = (
  orders: readonly Read<Order>[] | undefined,
  batch: Batch,
  fills: readonly OrderFills[],
) => ReactNode;

/** What each order adds to the metrics of its batch. */
export type OrderFills = BatchMetrics['per_order'][number];

const NONE: readonly never[] = [];

export function BatchOrders({ batch, renderOrders }: { batch: Batch; renderOrders: RenderOrders }) {
  const client = useQueryClient();
  const read = useQuery(batchOrdersQuery(batch.id));
  const { data, error } = read;
  const metrics = useQuery(batchMetricsQuery(batch.id)).data;
  const refresh = useCallback(
    () => client.invalidateQueries({ queryKey: batchOrdersQuery(batch.id).queryKey }),
    [client, batch.id],
  );
  useRowsRefresh('order', data?.data, refresh);
  if (error && data === undefined) return <LoadError of={read} text="Error loading orders" inline />;
  if (data?.count === 0) return <p className="muted">No orders yet.</p>;
  return renderOrders(data?.data, batch, metrics?.per_order ?? NONE);
}
