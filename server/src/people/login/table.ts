import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { users } from '../users/table.ts';

/** A device on which a user has signed in. It lasts a day from when it was last seen, and thirty days at most. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The user's session epoch when the session began. */
    epoch: integer('epoch').notNull(),
    createdAt: instant('created_at').notNull(),
    /** To the minute. */
    lastSeenAt: instant('last_seen_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** Where it was seen last, and what the caller calls itself. */
    address: text('address').notNull(),
    device: text('device').notNull(),
    endedAt: instant('ended_at'),
    /** When a second factor was last proven in it. */
    provenAt: instant('proven_at'),
  },
  (table) => [
    index('ix_sessions_user_id').on(table.userId, table.lastSeenAt),
    index('ix_sessions_expires_at').on(table.expiresAt),
  ],
);

/** What has logged in to an account before, and proves that by a token with this id. It ends with the password. */
export const knownDevices = pgTable(
  'known_devices',
  {
    id: text('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The user's session epoch when the device last logged in. */
    epoch: integer('epoch').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
  },
  (table) => [index('ix_known_devices_user_id').on(table.userId, table.lastUsedAt)],
);
