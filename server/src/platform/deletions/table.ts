import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../database/columns.ts';

export type DeletedKind = 'item' | 'notification' | 'opportunity' | 'user';

/** What was deleted lately, for as long as that can be undone. */
export const deletedRecords = pgTable(
  'deleted_records',
  {
    kind: text('kind').$type<DeletedKind>().notNull(),
    id: uuid('id').notNull(),
    /** The rows of each table, by its name, as PostgreSQL writes them. */
    rows: jsonb('rows').notNull(),
    deletedBy: uuid('deleted_by').notNull(),
    deletedAt: instant('deleted_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] }), index('deleted_records_deleted_at').on(table.deletedAt)],
);
