import { listExternalOrders as listExternalOrdersCall } from '@dutchbook/contract/external-orders.ts';
import type { App } from '../../platform/http/app.ts';
import { routeRead } from '../../platform/http/route.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { listExternalOrders } from './store.ts';

export function registerExternalOrders(app: App, { dbFor }: Pick<Runtime, 'dbFor'>): void {
  routeRead(app, listExternalOrdersCall, async ({ query }) => {
    const { rows, count } = await listExternalOrders(dbFor.lists, query);
    const data = rows.map((row) => ({
      order_hash: row.orderHash,
      token_id: row.tokenId,
      market_id: row.marketId,
      market_name: row.marketName,
      outcome: row.outcome,
      side: row.side,
      price: row.price,
      size: row.size,
      matched_size: row.matchedSize,
      since: row.seenAt,
      ended_at: row.endedAt,
    }));
    return { data, count };
  });
}
