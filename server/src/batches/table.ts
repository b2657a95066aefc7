import type { BatchStatus } from '@dutchbook/contract/batches.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, micro } from '../world/columns.ts';
import { textInsensitive } from '../world/ordering.ts';
import { batches } from '../world/schema.ts';

/** What batches are sorted by, once they have ended; as `ended_orders`. Kept by triggers of `batches`. */
export const endedBatches = pgTable(
  'ended_batches',
  {
    id: uuid('id')
      .primaryKey()
      .references(() => batches.id, { onDelete: 'cascade' }),
    status: text('status').$type<BatchStatus>().notNull(),
    expectedOrders: integer('expected_orders').notNull(),
    totalOrders: integer('total_orders').notNull(),
    orderSize: micro('order_size').$type<Shares>().notNull(),
    targetPrice: micro('target_price').$type<Price>().notNull(),
    targetProfit: micro('target_profit').$type<Usd>().notNull(),
    actualProfit: micro('actual_profit').$type<Usd>(),
    retryCount: integer('retry_count').notNull(),
    maxRetries: integer('max_retries').notNull(),
    automatic: boolean('automatic').notNull(),
    simulated: boolean('simulated').notNull(),
    executionStartedAt: instant('execution_started_at'),
    executionCompletedAt: instant('execution_completed_at'),
    updatedAt: instant('updated_at').notNull(),
    lastError: text('last_error'),
    cancelRequestedAt: instant('cancel_requested_at'),
    ordersInDoubt: integer('orders_in_doubt').notNull(),
  },
  (table) => [
    index('ended_batches_status').on(table.status, table.id),
    index('ended_batches_expected_orders').on(table.expectedOrders, table.id),
    index('ended_batches_total_orders').on(table.totalOrders, table.id),
    index('ended_batches_order_size').on(table.orderSize, table.id),
    index('ended_batches_target_price').on(table.targetPrice, table.id),
    index('ended_batches_target_profit').on(table.targetProfit, table.id),
    index('ended_batches_actual_profit').on(table.actualProfit, table.id),
    index('ended_batches_retry_count').on(table.retryCount, table.id),
    index('ended_batches_max_retries').on(table.maxRetries, table.id),
    index('ended_batches_automatic').on(table.automatic, table.id),
    index('ended_batches_simulated').on(table.simulated, table.id),
    index('ended_batches_execution_started_at').on(table.executionStartedAt, table.id),
    index('ended_batches_execution_completed_at').on(table.executionCompletedAt, table.id),
    index('ended_batches_updated_at').on(table.updatedAt, table.id),
    index('ended_batches_last_error').on(textInsensitive(table.lastError), table.id),
    index('ended_batches_cancel_requested').on(sql`(${table.cancelRequestedAt} is not null)`, table.id),
    index('ended_batches_orders_in_doubt').on(table.ordersInDoubt, table.id),
  ],
);
