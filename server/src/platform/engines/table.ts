import type { SystemStatus } from '@dutchbook/contract/status.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { bigint, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../database/columns.ts';

/** Processes with the engine's role on one database server, each of which says again and again that it is there. */
export const engines = pgTable('engines', {
  id: uuid('id').primaryKey(),
  startedAt: instant('started_at').notNull(),
  /** From then on it counts as gone, and others take what it held. */
  expiresAt: instant('expires_at').notNull(),
  feed: text('feed').$type<SystemStatus['feed']>().notNull(),
  /** That of each venue. */
  venueFeeds: jsonb('venue_feeds').$type<Partial<Record<VenueName, SystemStatus['feed']>>>().notNull().default({}),
});

/** The engine of each partition of opportunities. */
export const enginePartitions = pgTable('engine_partitions', {
  partition: integer('partition').primaryKey(),
  /** No foreign key: what a dead engine held stays under its name until another takes it. */
  owner: uuid('owner'),
  /** Rises each time the partition is taken; what is recorded under an older one is refused. */
  token: bigint('token', { mode: 'number' }).notNull().default(0),
});
