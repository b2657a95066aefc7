import type { CASH_MOVE_STATUSES } from '@dutchbook/contract/accounts/cash-moves.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant, micro } from '../../platform/database/columns.ts';

/**
 * Cash that is moved between two pockets of an account. The venue has no name for a move before it is sent: what both held before is
 * stored with the mark that it is sent, and what they hold since proves it.
 */
export const cashMoves = pgTable(
  'cash_moves',
  {
    id: uuid('id').primaryKey(),
    venue: text('venue').$type<VenueName>().notNull(),
    fromPocket: text('from_pocket').notNull(),
    toPocket: text('to_pocket').notNull(),
    amount: micro('amount').$type<Usd>().notNull(),
    status: text('status').$type<keyof typeof CASH_MOVE_STATUSES>().notNull(),
    reason: text('reason'),
    requestedBy: text('requested_by').notNull(),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at'),
    /** Free cash of both as it was read before it was sent. */
    fromBefore: micro('from_before').$type<Usd>(),
    toBefore: micro('to_before').$type<Usd>(),
    /** Whether the venue has said that it makes the move. */
    isTaken: boolean('is_taken').notNull().default(false),
    endedAt: instant('ended_at'),
  },
  (table) => [
    // One at a time: the cash of both pockets proves a move only if no other runs.
    uniqueIndex('cash_moves_open').on(table.venue).where(sql`${table.endedAt} is null`),
    index('cash_moves_created_at').on(table.createdAt, table.id),
  ],
);
