import type { Side } from '@dutchbook/engine/book/level.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, micro } from '../../platform/database/columns.ts';

/** Shares that simulated orders took from a price level: they are gone for practice until the venue shows another size there. */
export const practiceTaken = pgTable(
  'practice_taken',
  {
    tokenId: text('token_id').$type<TokenId>().notNull(),
    /** Side of the orders that rest there. */
    side: text('side').$type<Side>().notNull(),
    price: micro('price').$type<Price>().notNull(),
    shown: micro('shown').$type<Shares>().notNull(),
    taken: micro('taken').$type<Shares>().notNull(),
    at: instant('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tokenId, table.side, table.price] }),
    index('practice_taken_at').on(table.at),
  ],
);
