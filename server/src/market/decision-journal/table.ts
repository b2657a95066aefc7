import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

export const JOURNAL_TOPICS = [
  'settings',
  'discovery',
  'account',
  'market',
  'opportunity',
  'relation',
  'decision',
  'lost',
] as const;
export type JournalTopic = (typeof JOURNAL_TOPICS)[number];

/** Topics whose rows are single events, not states that hold until the next row. */
export const EVENT_TOPICS: readonly JournalTopic[] = ['decision', 'lost'];

/**
 * Inputs of decisions besides the books, one row for each change: with the recorded books, they let a past decision
 * be taken again. Appended to beside trading, and kept as long as recordings are.
 */
export const decisionJournal = pgTable(
  'decision_facts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    venue: text('venue').notNull(),
    at: instant('at').notNull(),
    topic: text('topic').$type<JournalTopic>().notNull(),
    /** The id of what it is about; empty where there is one only. */
    subject: text('subject').notNull(),
    /** Data in the form of `journaled.ts`; null: the subject is gone, or no longer followed. */
    data: jsonb('data').$type<object>(),
  },
  (table) => [
    index('ix_decision_facts_subject').on(table.venue, table.topic, table.subject, table.at, table.id),
    index('ix_decision_facts_at').on(table.venue, table.at, table.id),
  ],
);
