import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, micro } from '../../platform/database/columns.ts';

/**
 * What contracts of the venue did to the account, by transaction, once it is beyond a reorganisation: shares that they took and dollars
 * that they sent. Calls of ours are among them, and known by their hash.
 */
export const venueMoves = pgTable(
  'venue_moves',
  {
    hash: text('hash').primaryKey(),
    venue: text('venue').$type<VenueName>().notNull().default('polymarket'),
    block: bigint('block', { mode: 'number' }).notNull(),
    seenAt: instant('seen_at').notNull(),
    /** By token, what left. */
    shares: jsonb('shares').$type<Record<string, Shares>>().notNull(),
    /** What came. */
    cash: micro('cash').$type<Usd>().notNull(),
    /** The redemption by the venue that it was booked as a part of; null of what is not booked so. */
    submissionId: uuid('submission_id'),
    /** Who sent dollars that came without shares. */
    sender: text('sender'),
    /** The entry of dollars that no shares explain, as unknown. */
    entryId: bigint('entry_id', { mode: 'number' }),
  },
  (table) => [index('venue_moves_open').on(table.block).where(sql`${table.submissionId} is null`)],
);

/** Up to which block they are stored, one row for each venue. */
export const venueMovesRead = pgTable('venue_moves_read', {
  id: integer('id').primaryKey(),
  block: bigint('block', { mode: 'number' }).notNull(),
});
