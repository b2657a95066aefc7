import type { START_OVER_STATUSES } from '@dutchbook/contract/accounts/runs.ts';
import type { AccountName } from '@dutchbook/engine/order/reserved.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant, micro } from '../../platform/database/columns.ts';

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
    /** The part already folded into `reserved_balances`. */
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

/** The folded sum of all batches' entries in an account. */
export const reservedBalances = pgTable(
  'reserved_balances',
  {
    account: text('account').$type<AccountName>().notNull(),
    day: text('day').notNull(),
    amount: micro('amount').$type<Usd>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.day] })],
);

/**
 * How far a run has ended at a venue. `from`: the block, or the place of a move where there is no chain, from which on shares that the exchange
 * takes are those of the end; null before it was asked. `cameBy`, `leftBy`: the transactions of the dollars that come, and of those that
 * leave; null before the exchange has ended the run, and where none leave.
 */
export type RunEnd = { from: number | null; cameBy: string | null; leftBy: string | null };

/**
 * Requests to start over, which end a run of paper trading and begin the next: one at a time. A run lasts from one to the next, and a
 * batch belongs to the run in which it triggered, since nothing of it outlasts that.
 */
export const startOvers = pgTable(
  'start_overs',
  {
    id: uuid('id').primaryKey(),
    status: text('status').$type<keyof typeof START_OVER_STATUSES>().notNull(),
    /** The cash that the new run begins with. */
    cash: micro('cash').$type<Usd>().notNull(),
    requestedBy: text('requested_by').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Why it waits, or was rejected. */
    reason: text('reason'),
    /** The email of who gives it up; null otherwise, and again where it was too late for that. */
    givenUpBy: text('given_up_by'),
    /** The end at Polymarket. */
    fromBlock: bigint('from_block', { mode: 'number' }),
    cameBy: text('came_by'),
    leftBy: text('left_by'),
    /** The ends at other venues. */
    beside: jsonb('beside').$type<Partial<Record<VenueName, RunEnd>>>().notNull().default({}),
    markedAt: instant('marked_at'),
    endedAt: instant('ended_at'),
    /** Profit of all earlier runs: with the ledger's deposits it gives the cash paid in. */
    earnedBefore: micro('earned_before').$type<Usd>(),
  },
  (table) => [
    // Its constant makes two open ones collide.
    uniqueIndex('start_overs_open').on(sql`(true)`).where(sql`${table.endedAt} is null`),
    index('start_overs_done').on(table.endedAt).where(sql`${table.status} = 'done'`),
  ],
);
