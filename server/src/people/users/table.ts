import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    fullName: text('full_name'),
    passwordHash: text('password_hash').notNull(),
    isSuperuser: boolean('is_superuser').notNull(),
    /** Sees what an ordinary user sees, and changes nothing but the own account; never a superuser's. */
    isViewer: boolean('is_viewer').notNull().default(false),
    isActive: boolean('is_active').notNull(),
    /** Rises when every session must end; a token carries the value it was made with. */
    sessionEpoch: integer('session_epoch').notNull().default(0),
    /** The one session of an older epoch that goes on: the session in which the user changed the own password. */
    keptSession: uuid('kept_session'),
    /**
     * Rises when they are given another password, fewer rights, or another second factor: what they asked a second person for
     * before is theirs no more.
     */
    signOffEpoch: integer('sign_off_epoch').notNull().default(0),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('users_email_key').on(sql`lower(${table.email})`),
    index('users_created_at').on(table.createdAt, table.id),
  ],
);

/** Links that set a new password, each good for one use. The token itself is only in the mail. */
export const passwordResets = pgTable(
  'password_resets',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('password_resets_user_id').on(table.userId)],
);
