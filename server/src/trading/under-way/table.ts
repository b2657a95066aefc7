import type { AccountName } from '@dutchbook/engine/order/reserved.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { micro } from '../../platform/database/columns.ts';

/**
 * The dollars that a batch has in each account of money under way, written in the transactions that change its orders, attempts or
 * fills. They are pending: what the ledger posts, seals and exports are its own entries.
 */
export const reservedEntries = pgTable(
  'reserved_entries',
  {
    batchId: uuid('batch_id').notNull(),
    account: text('account').$type<AccountName>().notNull(),
    day: text('day').notNull(),
    amount: micro('amount').$type<Usd>().notNull(),
    /** What of it `reserved_balances` has. */
    folded: micro('folded')
      .$type<Usd>()
      .notNull()
      .default(0 as Usd),
  },
  (table) => [
    primaryKey({ columns: [table.batchId, table.account, table.day] }),
    index('reserved_entries_unfolded').on(table.account, table.day).where(sql`${table.amount} <> ${table.folded}`),
    index('reserved_entries_pending')
      .on(table.batchId)
      .where(sql`${table.account} in ('reserved', 'resting') and ${table.amount} <> 0`),
  ],
);

/** What all batches together have in an account, but what their entries have that is not folded yet. */
export const reservedBalances = pgTable(
  'reserved_balances',
  {
    account: text('account').$type<AccountName>().notNull(),
    day: text('day').notNull(),
    amount: micro('amount').$type<Usd>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.day] })],
);
