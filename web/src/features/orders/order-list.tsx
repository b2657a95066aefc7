import { exportOrders, listOrders, type Order } from '@dutchbook/contract/orders.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { Button } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { ExportButton } from '../../lists/export-button.tsx';
import { ListFrame } from '../../lists/list-frame.tsx';
import { rememberSearch } from '../../lists/list-search.ts';
import { useListSettings } from '../../lists/list-settings.ts';
import { readPage } from '../../live/fresher.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useLatestOrder } from './latest-order.ts';
import type { OrderFilter, OrderSearch } from './order-search.ts';
import { ORDER_LIST_COLUMNS } from './order-table.tsx';
import { isFiltered, OrderTools, withoutFilter } from './order-tools.tsx';

const orderListKey = ['orders'] as const;

type OrderListProps = { search: OrderSearch; onSearch: (search: OrderSearch) => void };

/** The orders of all batches: one page of them, read again as batches move. */
export function OrderList({ search, onSearch }: OrderListProps) {
  useTopic('batches');
  const client = useQueryClient();
  const refresh = useCallback(() => void readAgain(client, orderListKey), [client]);
  useReadSoon(isOfBatches, refresh);
  useEffect(() => rememberSearch('/orders', search), [search]);
  const { pageSize } = useListSettings('orders');
  const query = useQuery(orderListQuery(search, pageSize));
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title="Orders" actions={<ExportButton what="orders" ask={exportFound} asked={search} />} />
      <OrderTools search={search} onSearch={onSearch} />
      <ListFrame
        list="orders"
        label="Orders"
        things="orders"
        query={query}
        refresh={refresh}
        columns={ORDER_LIST_COLUMNS}
        search={search}
        onSearch={onSearch}
        useLatest={useLatestOrder}
        onOpen={({ batch_id }) => navigate({ to: '/batches/$batchId', params: { batchId: batch_id } })}
        empty={<NoOrders filtered={isFiltered(search)} onShowAll={() => onSearch(withoutFilter(search))} />}
        actions={NO_ACTIONS}
      />
    </>
  );
}

const NO_ACTIONS: readonly never[] = [];

function isOfBatches({ type }: Change): boolean {
  return type === 'batch' || type === 'order';
}

function exportFound(search: OrderSearch): Promise<string> {
  return call(exportOrders, { query: filterQuery(search) });
}

/** The filter as the server takes it. */
function filterQuery({ q, status, side, marketId, hasError, unknown, batchId, opportunityId }: OrderFilter) {
  return {
    q,
    status,
    side,
    market_id: marketId,
    has_error: hasError,
    unknown,
    batch_id: batchId,
    opportunity_id: opportunityId,
  };
}

function orderListQuery(search: OrderSearch, pageSize: number) {
  const query = {
    skip: (search.page - 1) * pageSize,
    limit: pageSize,
    ...filterQuery(search),
    group_by_batch: false,
    include_batch_summary: false,
    sort_by: search.sortBy,
    sort_order: search.sortOrder,
  };
  return queryOptions({
    queryKey: [...orderListKey, query],
    queryFn: ({ signal }) => readPage(() => ungrouped(call(listOrders, { query, signal }))),
    placeholderData: keepPreviousData,
  });
}

/** The answer holds orders by themselves, because groups of them were not asked for. */
async function ungrouped(answer: Promise<{ data: object[]; count: number }>) {
  const { data, count } = await answer;
  return { data: data.filter((row): row is Order => 'status' in row), count };
}

function NoOrders({ filtered, onShowAll }: { filtered: boolean; onShowAll: () => void }) {
  return (
    <EmptyState
      icon="orders"
      text="No orders found."
      hint={filtered ? 'None match these filters.' : 'Orders appear here when an opportunity is placed.'}
    >
      {filtered ? (
        <Button variant="default" onClick={onShowAll}>
          Show All
        </Button>
      ) : (
        <Button renderRoot={(props) => <Link to="/arbitrage" {...props} />}>Go to Arbitrage</Button>
      )}
    </EmptyState>
  );
}
