import type { Percent } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { boolean, foreignKey, index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { instant, micro } from '../../../platform/database/columns.ts';
import { opportunityPrices } from '../table.ts';

/** Price history of opportunities. A point holds until the next one. */
export const pricePoints = pgTable(
  'price_points',
  {
    opportunityId: uuid('opportunity_id').notNull(),
    /** When the price was judged. */
    at: instant('at').notNull(),
    /** Null, like the profit, where it could not be priced. */
    currentPrice: micro('current_price').$type<Price>(),
    targetPrice: micro('target_price').$type<Price>().notNull(),
    profitPercentage: micro('profit_percentage').$type<Percent>(),
    triggered: boolean('triggered').notNull(),
    /** The trigger went on or off here, and the point outlives thinning. */
    isEdge: boolean('is_edge').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.opportunityId, table.at] }),
    // References the prices, not the opportunity: adding a point has written, and so locked, the prices.
    foreignKey({
      name: 'price_points_of_opportunity',
      columns: [table.opportunityId],
      foreignColumns: [opportunityPrices.opportunityId],
    }).onDelete('cascade'),
    // Thinning and dropping go by time, through all opportunities.
    index('price_points_at').on(table.at),
  ],
);
