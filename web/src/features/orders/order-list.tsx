import { ORDER_STATUSES } from '@dutchbook/contract/list-values.ts';
import { exportOrders, listOrders, type Order } from '@dutchbook/contract/orders.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { call } from '../../calls/call.ts';
import { ExportButton } from '../../lists/export-button.tsx';
import { choicesOf, type FilterField, flagChoices } from '../../lists/filter-fields.tsx';
import { ListFrame } from '../../lists/list-frame.tsx';
import { listQuery, useListPage } from '../../lists/list-query.ts';
import { FIND_LENGTH_MAX } from '../../lists/list-search.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useLatestOrder } from './latest-order.ts';
import { type OrderFilter, type OrderSearch, orderSearchFrom } from './order-search.ts';
import { ORDER_LIST_COLUMNS } from './order-table.tsx';

type OrderListProps = { search: OrderSearch; onSearch: (search: OrderSearch) => void };

/** The orders of all batches: one page of them, read again as batches move. */
export function OrderList({ search, onSearch }: OrderListProps) {
  useTopic('batches');
  const page = useListPage({ list: 'orders', search, searchFrom: orderSearchFrom, onSearch, queryOf: orderListQuery });
  useReadSoon(isOfBatches, page.refresh);
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title="Orders" actions={<ExportButton what="orders" ask={exportFound} asked={search} />} />
      <ListFrame
        {...page}
        label="Orders"
        icon="orders"
        findHint="Market, event, ID or source"
        fields={FIELDS}
        columns={ORDER_LIST_COLUMNS}
        useLatest={useLatestOrder}
        onOpen={({ batch_id }) => navigate({ to: '/batches/$batchId', params: { batchId: batch_id } })}
        empty={
          <EmptyState icon="orders" text="No orders found." hint="Orders appear here when an opportunity is placed.">
            <Button renderRoot={(props) => <Link to="/arbitrage" {...props} />}>Go to Arbitrage</Button>
          </EmptyState>
        }
      />
    </>
  );
}

const FLEX = '0 1 130px';

const FIELDS: readonly FilterField<keyof OrderFilter>[] = [
  { name: 'status', label: 'Status', flex: FLEX, choices: choicesOf('All statuses', ORDER_STATUSES) },
  {
    name: 'side',
    label: 'Side',
    flex: FLEX,
    choices: [
      { value: '', label: 'Buy and sell' },
      { value: 'buy', label: 'Buy only' },
      { value: 'sell', label: 'Sell only' },
    ],
  },
  { name: 'hasError', label: 'Error', flex: FLEX, choices: flagChoices('Any', 'With an error', 'Without') },
  { name: 'unknown', label: 'Unknown', flex: FLEX, choices: flagChoices('Any', 'Unknown only', 'Known only') },
  { name: 'marketId', label: 'Market ID', flex: '0 1 170px', maxLength: FIND_LENGTH_MAX },
];

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
  const filter = { ...filterQuery(search), group_by_batch: false, include_batch_summary: false };
  return listQuery('orders', search, pageSize, filter, (query, signal) =>
    ungrouped(call(listOrders, { query, signal })),
  );
}

/** The answer holds orders by themselves, because groups of them were not asked for. */
async function ungrouped(answer: Promise<{ data: object[]; count: number }>) {
  const { data, count } = await answer;
  return { data: data.filter((row): row is Order => 'status' in row), count };
}
