import {
  exportOrders,
  listOrders as listOrdersCall,
  ORDER_SORTS,
  order,
  readOrder as readOrderCall,
  updateOrderStatuses,
} from '@dutchbook/contract/orders.ts';
import type * as z from 'zod/mini';
import { openFind } from '../../market/opportunities/find.ts';
import { exportRows } from '../../platform/csv/export-rows.ts';
import { sendCsv } from '../../platform/csv/send-csv.ts';
import type { App } from '../../platform/http/app.ts';
import { NotFound } from '../../platform/http/errors.ts';
import { route, routeRead } from '../../platform/http/route.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { unfinishedBatchIds } from './batch-store.ts';
import { orderGroups } from './groups.ts';
import type { Placing } from './intents.ts';
import { presentOrder } from './present.ts';
import { listOrders, type OrderFilter, pagesOfOrders, readOrder } from './store.ts';
import { pollOrders } from './update-status.ts';

export function registerOrders(app: App, parts: { runtime: Runtime; placing: Pick<Placing, 'wake'> }): void {
  const { db, dbFor } = parts.runtime;
  const { lists, exports } = dbFor;

  routeRead(app, listOrdersCall, async ({ query }) => {
    const filter = await filterOf(lists, query);
    const page = { skip: query.skip, limit: query.limit, sortBy: query.sort_by, sortOrder: query.sort_order };
    if (query.group_by_batch) {
      return await orderGroups({ db: lists, clock: parts.runtime.clock }, filter, page, {
        withSummaries: query.include_batch_summary,
      });
    }
    const { rows, count } = await listOrders(lists, filter, page);
    return { data: rows.map(presentOrder), count };
  });

  route(app, exportOrders, async ({ query, reply }) => {
    const pages = pagesOfOrders(exports, { ...(await filterOf(exports, query)), ids: query.ids });
    return sendCsv(
      reply,
      'orders',
      parts.runtime,
      exportRows(order, ORDER_SORTS, pages, (rows) => rows.map(presentOrder)),
    );
  });

  route(app, updateOrderStatuses, async ({ query }) => {
    return await pollOrders(parts, await unfinishedBatchIds(db, { opportunityId: query.opportunity_id }));
  });

  route(app, readOrderCall, async ({ params }) => {
    const row = await readOrder(db, params.order_id);
    if (!row) throw new NotFound('Order not found');
    return presentOrder(row);
  });
}

async function filterOf(db: Db, query: z.output<typeof exportOrders.query>): Promise<OrderFilter> {
  return {
    find: await openFind(db, query.q),
    opportunityId: query.opportunity_id,
    batchId: query.batch_id,
    venue: query.venue,
    status: query.status,
    side: query.side,
    marketId: query.market_id,
    hasError: query.has_error,
    unknown: query.unknown,
  };
}
