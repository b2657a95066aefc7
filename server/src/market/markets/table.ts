import type { MarketId } from '@dutchbook/units/ids.ts';
import { pgTable, text } from 'drizzle-orm/pg-core';

/** What the markets of opportunities are called, as the venue said last: lists are searched by it. */
export const marketNames = pgTable('market_names', {
  marketId: text('market_id').$type<MarketId>().primaryKey(),
  question: text('question').notNull(),
  eventTitle: text('event_title'),
});
