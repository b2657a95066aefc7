import type { MarketId, VenueName } from '@dutchbook/units/ids.ts';
import { sql } from 'drizzle-orm';
import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

/** Categories of fees in which nothing is bought automatically while the row is not cleared. */
export const feeStops = pgTable(
  'fee_stops',
  {
    id: uuid('id').primaryKey(),
    venue: text('venue').$type<VenueName>().notNull().default('polymarket'),
    category: text('category').notNull(),
    /** Text that names the finding. Once cleared, a finding of this text does not stop the category again. */
    cause: text('cause').notNull(),
    marketId: text('market_id').$type<MarketId>().notNull(),
    marketName: text('market_name').notNull(),
    message: text('message').notNull(),
    createdAt: instant('created_at').notNull(),
    clearedAt: instant('cleared_at'),
    clearedBy: text('cleared_by'),
  },
  (table) => [
    uniqueIndex('fee_stops_cause_key').on(table.cause),
    uniqueIndex('fee_stops_one_standing_per_venue')
      .on(table.venue, table.category)
      .where(sql`${table.clearedAt} is null`),
    index('fee_stops_created_at').on(table.createdAt, table.id),
  ],
);
