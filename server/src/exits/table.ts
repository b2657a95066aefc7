import type { ExitSettingsForm } from '@dutchbook/contract/exit-settings.ts';
import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../database/columns.ts';

/** One row per venue, so that what was switched on for the simulated exchange is not on for a real one. */
export const exitSettings = pgTable('exit_settings', {
  venue: text('venue').primaryKey(),
  form: jsonb('form').$type<Partial<ExitSettingsForm>>().notNull(),
  changedAt: instant('changed_at').notNull(),
  changedBy: uuid('changed_by'),
});
