import type { Usd } from '@dutchbook/units/usd.ts';
import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, micro } from '../../platform/database/columns.ts';

/** One row per venue, so that what was allowed on the simulated exchange is not allowed on a real one. */
export const tradingControls = pgTable('trading_controls', {
  venue: text('venue').primaryKey(),
  armed: boolean('armed').notNull(),
  armedChangedAt: instant('armed_changed_at'),
  armedChangedBy: uuid('armed_changed_by'),
  /** Dollars, fees included; null is no limit. */
  perOrder: micro('per_order').$type<Usd>(),
  perBatch: micro('per_batch').$type<Usd>(),
  perDay: micro('per_day').$type<Usd>(),
  openExposure: micro('open_exposure').$type<Usd>(),
  limitsChangedAt: instant('limits_changed_at'),
  limitsChangedBy: uuid('limits_changed_by'),
});
