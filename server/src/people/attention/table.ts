import type { AttentionKind } from '@dutchbook/contract/attention.ts';
import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { users } from '../users/table.ts';

/** What each person has chosen; without a row, nothing. */
export const attentionChoices = pgTable('attention_choices', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  sounds: text('sounds').array().$type<AttentionKind[]>().notNull(),
  browser: text('browser').array().$type<AttentionKind[]>().notNull(),
});
