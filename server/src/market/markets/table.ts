import type { MarketId } from '@dutchbook/units/ids.ts';
import { pgTable, text } from 'drizzle-orm/pg-core';

/** Names of the markets of opportunities, as the venue stated them last, for searches in lists. */
export const marketNames = pgTable('market_names', {
  marketId: text('market_id').$type<MarketId>().primaryKey(),
  question: text('question').notNull(),
  eventTitle: text('event_title'),
});
