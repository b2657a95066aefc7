import type { Difference } from '@dutchbook/engine/ledger/comparison.ts';
import type { LedgerLine } from '@dutchbook/engine/ledger/entry.ts';
import type { OrderName } from '@dutchbook/units/ids.ts';
import type { LedgerKind } from '@dutchbook/units/ledger-kinds.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant, micro } from '../../platform/database/columns.ts';

/** Append only: nothing is ever changed but the block that an entry is sealed in, once. A trigger refuses all else; see the migration. */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    kind: text('kind').$type<LedgerKind>().notNull(),
    lines: jsonb('lines').$type<LedgerLine[]>().notNull(),
    batchId: uuid('batch_id'),
    orderId: uuid('order_id'),
    /** The fill. */
    tradeId: text('trade_id'),
    orderHash: text('order_hash').$type<OrderName>(),
    submissionId: uuid('submission_id'),
    /** Transaction of a transfer on the chain. */
    transactionHash: text('transaction_hash'),
    /** Address that sent the dollars, where there is one. */
    sender: text('sender'),
    /** For dollars that a person named: the entry by which they came as unknown. */
    namesEntryId: bigint('names_entry_id', { mode: 'number' }),
    /** Who stated the entry, and the reason. */
    statedBy: text('stated_by'),
    reason: text('reason'),
    block: integer('block'),
  },
  (table) => [
    index('ledger_entries_at').on(table.at, table.id),
    index('ledger_entries_kind').on(table.kind, table.at, table.id),
    index('ledger_entries_batch_id').on(table.batchId, table.id).where(sql`${table.batchId} is not null`),
    index('ledger_entries_submission_id').on(table.submissionId).where(sql`${table.submissionId} is not null`),
    uniqueIndex('ledger_entries_transaction_hash')
      .on(table.transactionHash)
      .where(sql`${table.transactionHash} is not null`),
    uniqueIndex('ledger_entries_names_entry_id').on(table.namesEntryId).where(sql`${table.namesEntryId} is not null`),
    index('ledger_entries_block').on(table.block, table.id).where(sql`${table.block} is not null`),
    index('ledger_entries_unsealed').on(table.id).where(sql`${table.block} is null`),
    // What it moved of an account or a unit.
    index('ledger_entries_lines').using('gin', table.lines.op('jsonb_path_ops')),
  ],
);

/** Entries that are hashed together, each block over the one before it and over the audit log as it was then. */
export const ledgerBlocks = pgTable('ledger_blocks', {
  block: integer('block').primaryKey(),
  at: instant('at').notNull(),
  entries: integer('entries').notNull(),
  /** The last entry of the audit log. */
  auditSeq: integer('audit_seq').notNull(),
  auditHash: text('audit_hash').notNull(),
  hash: text('hash').notNull(),
});

/** The balance of each account and unit when the last block was sealed. */
export const ledgerBalances = pgTable(
  'ledger_balances',
  {
    account: text('account').$type<LedgerLine['account']>().notNull(),
    unit: text('unit').notNull(),
    amount: bigint('amount', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.unit] })],
);

/** The last comparison with the venue, one row. */
export const ledgerChecks = pgTable('ledger_checks', {
  id: integer('id').primaryKey(),
  at: instant('at').notNull(),
  venueCash: micro('venue_cash').$type<Usd>().notNull(),
  ledgerCash: micro('ledger_cash').$type<Usd>().notNull(),
  /** The venue's surplus over the ledger (negative: shortage); what unconfirmed trades may explain is left out. */
  differences: jsonb('differences').$type<Difference[]>().notNull(),
  /** Since when they are what they are; null where there are none. */
  since: instant('since'),
  notifiedAt: instant('notified_at'),
  /** The block of the chain up to which transfers are entered; null where none is known at which all agreed. */
  chainBlock: integer('chain_block'),
});

/** The last trades whose fees were held against cash, one row: up to which entry, and by how much the venue had more than the ledger. */
export const feeChecks = pgTable('fee_checks', {
  id: integer('id').primaryKey(),
  at: instant('at').notNull(),
  entryId: bigint('entry_id', { mode: 'number' }).notNull(),
  difference: micro('difference').$type<Usd>().notNull(),
});
