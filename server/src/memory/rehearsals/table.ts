import type { RehearsalState } from '@dutchbook/contract/rehearsals.ts';
import { boolean, doublePrecision, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

export const rehearsals = pgTable(
  'rehearsals',
  {
    id: uuid('id').primaryKey(),
    venue: text('venue').notNull(),
    createdAt: instant('created_at').notNull(),
    createdBy: uuid('created_by'),
    state: text('state').$type<RehearsalState>().notNull(),
    from: instant('from_at').notNull(),
    until: instant('until_at').notNull(),
    /** As the call has it on the wire. */
    changes: jsonb('changes').$type<object>().notNull(),
    assumePlacing: boolean('assume_placing').notNull(),
    /** 0 to 1. */
    progress: doublePrecision('progress').notNull(),
    error: text('error'),
    /** The process that runs it, and the end of its lease unless renewed. */
    owner: text('owner'),
    leaseUntil: instant('lease_until'),
    /** How often it was begun. */
    attempts: integer('attempts').notNull().default(0),
    endedAt: instant('ended_at'),
    /** As the call has it on the wire. */
    result: jsonb('result').$type<object>(),
  },
  (table) => [index('ix_rehearsals_created_at').on(table.createdAt)],
);

/** Decisions that differ between present and proposed settings; `place` orders them by dollars. */
export const rehearsalDifferences = pgTable(
  'rehearsal_differences',
  {
    rehearsalId: uuid('rehearsal_id')
      .notNull()
      .references(() => rehearsals.id, { onDelete: 'cascade' }),
    place: integer('place').notNull(),
    /** As the call has it on the wire. */
    difference: jsonb('difference').$type<object>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.rehearsalId, table.place] })],
);
