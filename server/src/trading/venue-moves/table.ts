import type { MarketId, VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { PaidOutcome } from '@dutchbook/venues/venue.ts';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, micro } from '../../platform/database/columns.ts';

/**
 * Moves of the account by the venue's contracts, by transaction, once it is beyond a reorganisation: shares that they took and dollars
 * that they sent. Calls of ours are among them, and known by their hash.
 */
export const venueMoves = pgTable(
  'venue_moves',
  {
    hash: text('hash').primaryKey(),
    venue: text('venue').$type<VenueName>().notNull().default('polymarket'),
    block: bigint('block', { mode: 'number' }).notNull(),
    seenAt: instant('seen_at').notNull(),
    /** Shares that left, by token. */
    shares: jsonb('shares').$type<Record<string, Shares>>().notNull(),
    /** The dollars that came. */
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

/** A change of a payout by the venue, with its reason. */
export type PayoutChange = { at: Instant; reason: string };

/**
 * The payout of an ended market at a venue without contracts, as read last. It is booked once it is paid and
 * final.
 */
export const venuePayouts = pgTable(
  'venue_payouts',
  {
    marketId: text('market_id').$type<MarketId>().primaryKey(),
    venue: text('venue').$type<VenueName>().notNull(),
    outcomes: jsonb('outcomes').$type<PaidOutcome[]>().notNull(),
    /** Dollars of the payout before its fee. */
    dollars: micro('dollars').$type<Usd>().notNull(),
    fee: micro('fee').$type<Usd>().notNull(),
    /** Null where it is only announced. */
    paidAt: instant('paid_at'),
    isProvisional: boolean('is_provisional').notNull(),
    seenAt: instant('seen_at').notNull(),
    changes: jsonb('changes').$type<PayoutChange[]>().notNull().default([]),
    /** The redemption by the venue that it is booked as; null while it is not, and of shares that are in no batch. */
    submissionId: uuid('submission_id'),
    /** Entries of the ledger that closed its shares for nothing: taken back where the venue pays for them after all. */
    closedEntryIds: jsonb('closed_entry_ids').$type<number[]>().notNull().default([]),
    bookedAt: instant('booked_at'),
  },
  (table) => [index('venue_payouts_unbooked').on(table.venue).where(sql`${table.bookedAt} is null`)],
);
