import type { EventId, MarketId, VenueName } from '@dutchbook/units/ids.ts';
import { sql } from 'drizzle-orm';
import { boolean, customType, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import type { Listing } from './listing.ts';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** Every market of the catalogue as search finds and shows it. */
export const marketListings = pgTable(
  'market_listings',
  {
    id: text('id').$type<MarketId>().primaryKey(),
    eventId: text('event_id').$type<EventId>().notNull(),
    /** Names in the addresses of the pages of its event and of its own. */
    eventSlug: text('event_slug').notNull(),
    slug: text('slug').notNull(),
    closed: boolean('closed').notNull(),
    /** Why it cannot be traded here; null where it can. */
    leftOut: text('left_out'),
    /** How much is traded in it, in steps of a quarter: 0 for a dollar or less, and where the venue does not say. */
    dollars: integer('dollars').notNull(),
    listing: jsonb('listing').$type<Listing>().notNull(),
    words: tsvector('words').notNull(),
    /** Hash of the columns above, so that unchanged rows are not written again. */
    hash: text('hash').notNull(),
  },
  (table) => [
    index('market_listings_words').using('gin', table.words),
    index('market_listings_event_id').on(table.eventId),
    index('market_listings_slug').on(table.slug),
    index('market_listings_event_slug').on(table.eventSlug),
    index('market_listings_open').on(table.dollars.desc(), table.eventId, table.id).where(sql`not ${table.closed}`),
  ],
);

/** Every word that a market has been listed with: a mistyped one is taken for one of them. */
export const listedWords = pgTable('listed_words', { word: text('word').primaryKey() }, (table) => [
  index('listed_words_letters').on(sql`${table.word} collate "C"`),
]);

/** When all markets of each venue were last stored. */
export const listedVenues = pgTable('listed_venues', {
  venue: text('venue').$type<VenueName>().primaryKey(),
  listedAt: instant('listed_at').notNull(),
});
