import type { SettingName, Settings } from '@dutchbook/contract/system-settings.ts';
import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

/** Only settings that were changed; the rest stand at the contract's defaults. */
export const systemSettings = pgTable('system_settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').$type<Settings[SettingName]>().notNull(),
  updatedAt: instant('updated_at').notNull(),
  updatedBy: uuid('updated_by'),
});
