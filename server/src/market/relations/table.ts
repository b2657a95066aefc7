import type { RelationBasis, RelationDirection, RelationKind, RelationState } from '@dutchbook/contract/relations.ts';
import type { PricedBasket } from '@dutchbook/engine/desk/watched-relation.ts';
import type { RelationMember } from '@dutchbook/engine/relation/relation.ts';
import type { Snapshot } from '@dutchbook/engine/relation/snapshot.ts';
import type { EventId } from '@dutchbook/units/ids.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { type SQL, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from '../../people/users/table.ts';
import { instant, micro } from '../../platform/database/columns.ts';
import { textInsensitive } from '../../platform/database/ordering.ts';

function isWatched({ endedAt }: { endedAt: AnyPgColumn }): SQL {
  return sql`${endedAt} is null`;
}

/** Relations as read from the venue, and people's decisions about them. Their prices are in `relationPrices`. */
export const relations = pgTable(
  'relations',
  {
    id: uuid('id').primaryKey(),
    createdAt: instant('created_at').notNull(),
    /** Moves with every change of what is read or said, and not with prices. */
    updatedAt: instant('updated_at').notNull(),
    /** Names it at the venue, whatever its words are. */
    key: text('key').notNull(),
    kind: text('kind').$type<RelationKind>().notNull(),
    basis: text('basis').$type<RelationBasis>().notNull(),
    state: text('state').$type<RelationState>().notNull(),
    eventId: text('event_id').$type<EventId>().notNull(),
    eventTitle: text('event_title').notNull(),
    title: text('title').notNull(),
    members: jsonb('members').$type<RelationMember[]>().notNull(),
    readFrom: jsonb('read_from').$type<string[]>().notNull(),
    isComplete: boolean('is_complete').notNull(),
    completeness: text('completeness').notNull(),
    isVoidSafe: boolean('is_void_safe').notNull(),
    /** SHA-256, hexadecimal, over all rules and ids that it depends on. */
    fingerprint: text('fingerprint').notNull(),
    template: text('template'),
    /** An email, or null before the decision. */
    decidedBy: text('decided_by'),
    decidedAt: instant('decided_at'),
    bySeries: boolean('by_series').notNull().default(false),
    reason: text('reason'),
    /**
     * Its dependencies now, and when it was proposed or approved: they differ while it is void. `AS_LISTED` where that is what the
     * catalogue says of its event.
     */
    snapshot: jsonb('snapshot').$type<Snapshot>().notNull(),
    trusted: jsonb('trusted').$type<Snapshot>().notNull(),
    /** Its event has closed or is not listed any more, or what it said is over; null while it is watched. */
    endedAt: instant('ended_at'),
  },
  (table) => [
    uniqueIndex('relations_key').on(table.key),
    index('relations_event_id').on(table.eventId),
    // Which relations an event or a market is a member of.
    index('relations_members').using('gin', table.members.op('jsonb_path_ops')),
    index('relations_updated_at').on(table.updatedAt, table.id),
    index('relations_template').on(table.template).where(sql`${table.template} is not null`),
    // Sort columns of the list.
    index('relations_event_title').on(textInsensitive(table.eventTitle), table.id),
    index('relations_by_kind').on(table.kind, table.id).where(isWatched(table)),
    index('relations_by_basis').on(table.basis, table.id).where(isWatched(table)),
    index('relations_by_state').on(table.state, table.id).where(isWatched(table)),
  ],
);

/** Prices of relations, written every few seconds where they changed; of a pair that does not pay and whose page is closed, every few minutes. */
export const relationPrices = pgTable(
  'relation_prices',
  {
    relationId: uuid('relation_id')
      .primaryKey()
      .references(() => relations.id, { onDelete: 'cascade' }),
    /** Dollars a set by which the best basket costs more than it pays; below zero it pays. */
    distance: micro('distance').$type<Usd>(),
    distanceWithVoids: micro('distance_with_voids').$type<Usd>(),
    direction: text('direction').$type<RelationDirection>(),
    limitedBy: text('limited_by'),
    profit: micro('profit').$type<Usd>().notNull(),
    size: micro('size').$type<Shares>().notNull(),
    quoted: integer('quoted').notNull(),
    oldestBookMs: integer('oldest_book_ms'),
    firstHitAt: instant('first_hit_at'),
    lastHitAt: instant('last_hit_at'),
    hits: integer('hits').notNull(),
    basket: jsonb('basket').$type<PricedBasket>(),
  },
  (table) => [
    index('relation_prices_distance').on(table.distance, table.relationId),
    index('relation_prices_profit').on(table.profit, table.relationId),
    // Most have never paid.
    index('relation_prices_known_last_hit_at')
      .on(table.lastHitAt, table.relationId)
      .where(sql`${table.lastHitAt} is not null`),
  ],
);

/** How far a relation was from paying: the nearest of each minute in which that changed, of a pair only where it paid. */
export const relationDistances = pgTable(
  'relation_distances',
  {
    relationId: uuid('relation_id')
      .notNull()
      .references(() => relations.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    distance: micro('distance').$type<Usd>().notNull(),
    profit: micro('profit').$type<Usd>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.relationId, table.at] }), index('relation_distances_at').on(table.at)],
);

/** Each time a relation paid: how long, how much at best, and what became of it. An edge that is back at once has not been gone. */
export const relationHits = pgTable(
  'relation_hits',
  {
    id: uuid('id').primaryKey(),
    relationId: uuid('relation_id')
      .notNull()
      .references(() => relations.id, { onDelete: 'cascade' }),
    direction: text('direction').$type<RelationDirection>().notNull(),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
    /** Null while it pays. */
    endedAt: instant('ended_at'),
    /** Dollars a set after fees, at best. */
    net: micro('net').$type<Usd>().notNull(),
    /** The highest profit, with its size. */
    profit: micro('profit').$type<Usd>().notNull(),
    size: micro('size').$type<Shares>().notNull(),
    /** The obstacle that kept it from becoming an opportunity. */
    obstacle: text('obstacle'),
    opportunityId: uuid('opportunity_id'),
    /** Whether the opportunity triggered while it paid, and what refused an order then. */
    triggered: boolean('triggered').notNull().default(false),
    refusal: text('refusal'),
    batchId: uuid('batch_id'),
  },
  (table) => [
    index('relation_hits_relation_id').on(table.relationId, table.firstAt),
    index('relation_hits_first_at').on(table.firstAt, table.id),
    index('relation_hits_batch_id').on(table.batchId).where(sql`${table.batchId} is not null`),
    index('relation_hits_open').on(table.relationId).where(sql`${table.endedAt} is null`),
  ],
);

/** Approved wordings by which every event of a series may be traded. */
export const relationTemplates = pgTable('relation_templates', {
  template: text('template').primaryKey(),
  approvedBy: text('approved_by').notNull(),
  approvedAt: instant('approved_at').notNull(),
});

export const relationFollows = pgTable(
  'relation_follows',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    relationId: uuid('relation_id')
      .notNull()
      .references(() => relations.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.userId, table.relationId] })],
);
