import type { TokenId, VenueName } from '@dutchbook/units/ids.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { bigint, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { instant, micro } from '../../platform/database/columns.ts';

/** The depth that a book showed at a rise on which nothing was bought, and the part still there one latency later. */
export const shownDepths = pgTable(
  'shown_depths',
  {
    /** In the order in which they were written. */
    id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
    /** No foreign key: what was measured stays when an opportunity is deleted. */
    opportunityId: uuid('opportunity_id').notNull(),
    tokenId: text('token_id').$type<TokenId>().notNull(),
    /** When it rose. */
    at: instant('at').notNull(),
    venue: text('venue').$type<VenueName>().notNull(),
    category: text('category').notNull(),
    size: micro('size').$type<Shares>().notNull(),
    limit: micro('limit_price').$type<Price>().notNull(),
    shown: micro('shown').$type<Shares>().notNull(),
    bookAgeMs: integer('book_age_ms').notNull(),
    met: micro('met').$type<Shares>().notNull(),
  },
  (table) => [
    // The stream and the recordings may both have measured it.
    unique('shown_depths_once').on(table.opportunityId, table.at, table.tokenId),
    index('shown_depths_at').on(table.at),
  ],
);

/** The time up to which past rises were looked up in the recordings of a venue. */
export const shownDepthReads = pgTable('shown_depth_reads', {
  venue: text('venue').primaryKey(),
  readUntil: instant('read_until').notNull(),
});
