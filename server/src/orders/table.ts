import type { OrderStatus } from '@dutchbook/contract/orders.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, micro } from '../world/columns.ts';
import { textInsensitive } from '../world/ordering.ts';
import { batchOrders } from '../world/schema.ts';

/**
 * What orders are sorted by, once they have ended: an index for every sort, kept beside the table that placing works with,
 * where each of them would make every statement slower. Kept by triggers of `batch_orders`.
 */
export const endedOrders = pgTable(
  'ended_orders',
  {
    id: uuid('id')
      .primaryKey()
      .references(() => batchOrders.id, { onDelete: 'cascade' }),
    batchId: uuid('batch_id').notNull(),
    leg: integer('leg').notNull(),
    marketId: text('market_id').notNull(),
    marketName: text('market_name').notNull(),
    tokenId: text('token_id').notNull(),
    outcome: text('outcome').notNull(),
    side: text('side').$type<'buy' | 'sell'>().notNull(),
    size: micro('size').$type<Shares>().notNull(),
    price: micro('price').$type<Price>().notNull(),
    status: text('status').$type<OrderStatus>().notNull(),
    filledSize: micro('filled_size').$type<Shares>().notNull(),
    filledCost: micro('filled_cost').$type<Usd>().notNull(),
    fee: micro('fee').$type<Usd>().notNull(),
    attemptCount: integer('attempt_count').notNull(),
    sellsOrderId: uuid('sells_order_id'),
    soldSize: micro('sold_size').$type<Shares>().notNull(),
    simulated: boolean('simulated').notNull(),
    error: text('error'),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    index('ended_orders_leg').on(table.leg, table.id),
    index('ended_orders_market_id').on(textInsensitive(table.marketId), table.id),
    index('ended_orders_market_name').on(textInsensitive(table.marketName), table.id),
    index('ended_orders_token_id').on(textInsensitive(table.tokenId), table.id),
    index('ended_orders_outcome').on(textInsensitive(table.outcome), table.id),
    index('ended_orders_side').on(table.side, table.id),
    index('ended_orders_size').on(table.size, table.id),
    index('ended_orders_price').on(table.price, table.id),
    index('ended_orders_status').on(table.status, table.id),
    index('ended_orders_filled_size').on(table.filledSize, table.id),
    index('ended_orders_average_price').on(averagePrice(table), table.id),
    index('ended_orders_fee').on(table.fee, table.id),
    index('ended_orders_attempts').on(table.attemptCount, table.id),
    index('ended_orders_sells_order_id').on(table.sellsOrderId, table.id),
    index('ended_orders_sold_size').on(table.soldSize, table.id),
    index('ended_orders_simulated').on(table.simulated, table.id),
    index('ended_orders_error').on(textInsensitive(table.error), table.id),
    index('ended_orders_updated_at').on(table.updatedAt, table.id),
  ],
);

/** As it is served, rounded against us, or null; the product can outgrow a bigint. */
export function averagePrice(order: Record<'side' | 'filledSize' | 'filledCost', AnyColumn>): SQL {
  return sql`(case when ${order.filledSize} > 0 then div(
    ${order.filledCost}::numeric * 1000000 + case ${order.side} when 'buy' then ${order.filledSize} - 1 else 0 end,
    ${order.filledSize}
  ) end)`;
}
