import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { EventId, VenueName } from '@dutchbook/units/ids.ts';
import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { venueSettingsTable } from '../../people/system-settings/venue-settings.ts';
import { instant } from '../../platform/database/columns.ts';

/** Every event of the venue as it was read last. */
export const catalogueEvents = pgTable(
  'catalogue_events',
  {
    id: text('id').primaryKey(),
    slug: text('slug').notNull(),
    title: text('title').notNull(),
    /** Equal for events on one variable; null where it is not known. */
    variable: text('variable'),
    closed: boolean('closed').notNull(),
    /** Why no relation of it is watched, as a sentence; null where one is. */
    whyNot: text('why_not'),
    event: jsonb('facts').$type<CatalogueEvent>().notNull(),
    /** Hash of `event`, so that unchanged events are not written again. */
    hash: text('hash').notNull(),
    /** The pass over the venue that has written it last. */
    pass: integer('pass').notNull(),
    readAt: instant('read_at').notNull(),
  },
  (table) => [
    index('catalogue_events_slug').on(table.slug),
    index('catalogue_events_pass').on(table.pass),
    index('catalogue_events_variable').on(table.variable).where(sql`${table.variable} is not null`),
  ],
);

/** Which event each market belongs to, so that a market is found by its id, address or words. */
export const catalogueMarkets = pgTable(
  'catalogue_markets',
  {
    id: text('id').primaryKey(),
    eventId: text('event_id')
      .$type<EventId>()
      .notNull()
      .references(() => catalogueEvents.id, { onDelete: 'cascade' }),
    slug: text('slug').notNull(),
    question: text('question').notNull(),
    /** Hash of the text by which two markets are one question; null where there is none. */
    twin: text('twin'),
  },
  (table) => [
    index('catalogue_markets_event_id').on(table.eventId),
    index('catalogue_markets_slug').on(table.slug),
    index('catalogue_markets_twin').on(table.twin).where(sql`${table.twin} is not null`),
  ],
);

/** How far the reading of each venue has come. */
export const cataloguePasses = pgTable('catalogue_passes', {
  venue: text('venue').$type<VenueName>().primaryKey(),
  pass: integer('pass').notNull(),
  /** Where a pass that was cut off goes on; null at its beginning. */
  cursor: text('cursor'),
  startedAt: instant('started_at'),
  finishedAt: instant('finished_at'),
  eventsRead: integer('events_read').notNull(),
  error: text('error'),
});

export const discoverySettings = venueSettingsTable('discovery_settings');
