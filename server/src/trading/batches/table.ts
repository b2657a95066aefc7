import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

/** The answer to a trading call made with an Idempotency-Key: the same key and body answer the same batch, or what it waits for. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: uuid('user_id').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    /** The id of the sign-off where there is one. */
    batchId: uuid('batch_id').notNull(),
    saleId: uuid('sale_id'),
    /** The sign-off that was asked for instead of acting; its result is the answer. */
    signOffId: uuid('sign_off_id'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] })],
);
