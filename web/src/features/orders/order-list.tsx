import { exportOrders, listOrders, type Order } from '@dutchbook/contract/orders.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { call } from '../../calls/call.ts';
import { ExportButton } from '../../lists/export-button.tsx';
import { fieldsOf } from '../../lists/filter-fields.tsx';
import { type List, useList } from '../../lists/list.ts';
import { ListFrame } from '../../lists/list-frame.tsx';
import { filterQuery } from '../../lists/list-search.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useFieldsByVenue } from '../status/system-status.ts';
import { useLatestOrder } from './latest-order.ts';
import { ORDER_FILTER, type OrderSearch, orderSearchFrom } from './order-search.ts';
import { ORDER_LIST_COLUMNS } from './order-table.tsx';

const FIELDS = fieldsOf(ORDER_FILTER, ['status', 'side', 'venue', 'hasError', 'unknown', 'marketId']);

const ORDERS: List<Order, OrderSearch> = {
  name: 'orders',
  label: 'Orders',
  icon: 'orders',
  searchFrom: orderSearchFrom,
  read: async (page, search, signal) => {
    const query = { ...page, ...filterQuery(search), group_by_batch: false, include_batch_summary: false };
    const { data, count } = await call(listOrders, { query, signal });
    // The answer holds orders by themselves, because groups of them were not asked for.
    return { data: data.filter((row): row is Order => 'status' in row), count };
  },
  findHint: 'Market, event, ID or source',
  columns: ORDER_LIST_COLUMNS,
  useLatest: useLatestOrder,
  open: ({ batch_id }, navigate) => navigate({ to: '/batches/$batchId', params: { batchId: batch_id } }),
  empty: (
    <EmptyState icon="orders" text="No orders found." hint="Orders appear here when an opportunity is placed.">
      <Button renderRoot={(props) => <Link to="/arbitrage" {...props} />}>Go to Arbitrage</Button>
    </EmptyState>
  ),
};

/** The orders of all batches: one page of them, read again as batches move. */
export function OrderList() {
  const fields = useFieldsByVenue(FIELDS);
  const list = useList({ ...ORDERS, fields });
  useTopic('batches');
  useReadSoon(isOfBatches, list.refresh);
  const download = () => call(exportOrders, { query: filterQuery(list.search) });
  return (
    <>
      <PageHeader title="Orders" actions={<ExportButton what="orders" ask={download} />} />
      <ListFrame {...list} />
    </>
  );
}

function isOfBatches({ type }: Change): boolean {
  return type === 'batch' || type === 'order';
}
