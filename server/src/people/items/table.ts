import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { users } from '../users/table.ts';

export const items = pgTable(
  'items',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    description: text('description'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('items_owner_id').on(table.ownerId, table.createdAt, table.id),
    index('items_created_at').on(table.createdAt, table.id),
  ],
);
