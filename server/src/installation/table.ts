import type { PaperFills, World } from '@dutchbook/contract/status.ts';
import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../platform/database/columns.ts';

/** Which world the data is of, stored by the first start and never changed: one row, `only` is always true. `fills`: of paper trading.
 * `upstream`: what paper trading mirrors; null of data from before it was stored. */
export const installation = pgTable('installation', {
  only: boolean('only').primaryKey(),
  world: text('world').$type<World>().notNull(),
  since: instant('since').notNull(),
  fills: text('fills').$type<PaperFills>(),
  upstream: text('upstream'),
});
