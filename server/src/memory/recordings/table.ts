import { bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

/** The books of a batch's legs that are kept apart from what ages, in a file of its own below `batches` in the folder of recordings. */
export const batchRecordings = pgTable(
  'batch_recordings',
  {
    batchId: uuid('batch_id').primaryKey(),
    venue: text('venue').notNull(),
    from: instant('from_at').notNull(),
    until: instant('until_at').notNull(),
    /** `missing`: nothing was recorded of that time. */
    state: text('state').$type<'kept' | 'missing'>().notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    keptAt: instant('kept_at').notNull(),
  },
  (table) => [index('ix_batch_recordings_kept_at').on(table.keptAt)],
);
