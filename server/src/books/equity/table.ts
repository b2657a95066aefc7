import type { Usd } from '@dutchbook/units/usd.ts';
import { pgTable } from 'drizzle-orm/pg-core';
import { instant, micro } from '../../platform/database/columns.ts';

/** What the account was worth at each minute. */
export const equityPoints = pgTable('equity_points', {
  at: instant('at').primaryKey(),
  cash: micro('cash').$type<Usd>().notNull(),
  locked: micro('locked').$type<Usd>().notNull(),
  shares: micro('shares').$type<Usd>().notNull(),
  paidIn: micro('paid_in').$type<Usd>().notNull(),
});
