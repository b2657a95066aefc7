import type { ApiTokenScope } from '@dutchbook/contract/api-tokens.ts';
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { users } from '../users/table.ts';

/** The token itself is shown once and not kept. One that is revoked has no row any more. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The session epoch of its owner when the token was made: what raises the epoch, as a new password does, ends the token too. */
    epoch: integer('epoch').notNull(),
    name: text('name').notNull(),
    scope: text('scope').$type<ApiTokenScope>().notNull(),
    /** SHA-256, hexadecimal. */
    tokenHash: text('token_hash').notNull().unique(),
    prefix: text('prefix').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** To the minute. */
    lastUsedAt: instant('last_used_at'),
    lastUsedAddress: text('last_used_address'),
    /** Those that it was used from last, the latest at the end. */
    networks: jsonb('networks').$type<readonly string[]>().notNull().default([]),
  },
  (table) => [
    index('api_tokens_user_id').on(table.userId),
    index('api_tokens_created_at').on(table.createdAt, table.id),
  ],
);
