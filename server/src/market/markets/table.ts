import { pgTable, text } from 'drizzle-orm/pg-core';

/** What the markets of opportunities are called, as the venue said last: lists are searched by it. */
export const marketNames = pgTable('market_names', {
  marketId: text('market_id').primaryKey(),
  question: text('question').notNull(),
  eventTitle: text('event_title'),
});
