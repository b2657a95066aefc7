import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { OrderList } from '../../features/orders/order-list.tsx';
import { type OrderSearch, orderSearchFrom } from '../../features/orders/order-search.ts';
import { NEWEST_FIRST } from '../../lists/list-search.ts';

export const Route = createFileRoute('/_shell/orders')({
  validateSearch: (raw: Partial<OrderSearch> & SearchSchemaInput) => orderSearchFrom(raw),
  search: { middlewares: [stripSearchParams(NEWEST_FIRST)] },
  component: OrderList,
});
