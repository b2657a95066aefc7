import type { Percent } from '@dutchbook/units/percent.ts';
import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { users } from '../../../people/users/table.ts';
import { instant, micro } from '../../../platform/database/columns.ts';
import { opportunities } from '../table.ts';

/** Alerts: at which profit of an opportunity a user wants to be notified. */
export const opportunityAlerts = pgTable(
  'opportunity_alerts',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    opportunityId: uuid('opportunity_id')
      .notNull()
      .references(() => opportunities.id, { onDelete: 'cascade' }),
    atPercentage: micro('at_percentage').$type<Percent>().notNull(),
    byMail: boolean('by_mail').notNull(),
    /** Notifies at the next rise to that profit; false from then on, until the profit has fallen below it. */
    armed: boolean('armed').notNull(),
    createdAt: instant('created_at').notNull(),
    firedAt: instant('fired_at'),
    /** The notification that is still to be put into the queue of mails. */
    mailDue: uuid('mail_due'),
  },
  (table) => [
    uniqueIndex('opportunity_alerts_one_each').on(table.userId, table.opportunityId, table.atPercentage),
    index('opportunity_alerts_opportunity_id').on(table.opportunityId),
    index('opportunity_alerts_mail_due').on(table.id).where(sql`${table.mailDue} is not null`),
  ],
);
