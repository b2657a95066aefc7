import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { OrderList } from '../../features/orders/order-list.tsx';
import { ORDER_SEARCH_DEFAULTS, type OrderSearch, orderSearchFrom } from '../../features/orders/order-search.ts';

export const Route = createFileRoute('/_shell/orders')({
  validateSearch: (raw: Partial<OrderSearch> & SearchSchemaInput) => orderSearchFrom(raw),
  search: { middlewares: [stripSearchParams(ORDER_SEARCH_DEFAULTS)] },
  component: OrdersPage,
});

function OrdersPage() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const onSearch = useCallback((next: OrderSearch) => void navigate({ search: next }), [navigate]);
  return <OrderList search={search} onSearch={onSearch} />;
}
