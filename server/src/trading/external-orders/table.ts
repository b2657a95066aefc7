import type { MarketId, OrderName, TokenId } from '@dutchbook/units/ids.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { instant, micro } from '../../platform/database/columns.ts';

/** Orders of our account that the venue has and that were not placed here. */
export const externalOrders = pgTable(
  'external_orders',
  {
    orderHash: text('order_hash').$type<OrderName>().primaryKey(),
    tokenId: text('token_id').$type<TokenId>().notNull(),
    marketId: text('market_id').$type<MarketId>(),
    marketName: text('market_name'),
    outcome: text('outcome'),
    side: text('side').$type<'buy' | 'sell'>().notNull(),
    price: micro('price').$type<Price>().notNull(),
    size: micro('size').$type<Shares>().notNull(),
    matchedSize: micro('matched_size').$type<Shares>().notNull(),
    seenAt: instant('seen_at').notNull(),
    /** When the venue said that it does not stand any more. */
    endedAt: instant('ended_at'),
  },
  (table) => [index('external_orders_seen_at').on(table.seenAt, table.orderHash)],
);
