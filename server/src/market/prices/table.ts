import type { EventId } from '@dutchbook/units/ids.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, micro } from '../../platform/database/columns.ts';

/**
 * A trigger of an opportunity added by a user on which nothing was bought. Those of what discovery has found are in
 * `relation_hits`. Gone after as many days as these.
 */
export const missedTriggers = pgTable(
  'missed_triggers',
  {
    id: uuid('id').primaryKey(),
    at: instant('at').notNull(),
    opportunityId: uuid('opportunity_id').notNull(),
    source: text('source'),
    /** Event of its first market; the market itself where it has no event. */
    eventId: text('event_id').$type<EventId>().notNull(),
    /** Null of what was missed by a version that did not keep it; so is the size. */
    eventTitle: text('event_title'),
    /** Profit of the best size in the books at that time. */
    profit: micro('profit').$type<Usd>().notNull(),
    size: micro('size').$type<Shares>(),
    /** Which gates refused an order, in sentences, or that none was asked for; null of what an older version kept of the latter. */
    refusal: text('refusal'),
  },
  (table) => [index('missed_triggers_at').on(table.at, table.id)],
);
