import type { MarketCombinations } from '@dutchbook/contract/opportunities.ts';
import type { RelationDirection } from '@dutchbook/contract/relations.ts';
import type { ResolutionStatus } from '@dutchbook/engine/market/market.ts';
import type { Basis } from '@dutchbook/engine/relation/relation.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { type SQL, sql } from 'drizzle-orm';
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant, micro } from '../../platform/database/columns.ts';
import { textInsensitive } from '../../platform/database/ordering.ts';

/** The ids of the markets that an opportunity is about: a function of the database, so that it can be indexed. */
export const MARKET_IDS: SQL = sql`market_ids_of(market_combinations)`;

/** Opportunities as people state them. Their prices are in `opportunityPrices`. */
export const opportunities = pgTable(
  'opportunities',
  {
    id: uuid('id').primaryKey(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    marketCombinations: jsonb('market_combinations').$type<MarketCombinations>().notNull(),
    targetPrice: micro('target_price').$type<Price>().notNull(),
    active: boolean('active').notNull(),
    source: text('source'),
    sourceDetails: text('source_details'),
    contentHash: text('content_hash').notNull(),
    /** The relation that it was found by; null where a user added it. */
    relationId: uuid('relation_id'),
    direction: text('direction').$type<RelationDirection>(),
    /** Basis of that relation. */
    basis: text('basis').$type<Basis>(),
  },
  (table) => [
    uniqueIndex('opportunities_content_hash_key').on(table.contentHash),
    index('opportunities_created_at').on(table.createdAt, table.id),
    // A constraint and no index, because the prices refer to it.
    unique('opportunities_updated_at').on(table.updatedAt, table.id),
    index('opportunities_target_price').on(table.targetPrice, table.id),
    index('opportunities_active').on(table.active, table.id),
    index('opportunities_source').on(textInsensitive(table.source), table.id),
    index('opportunities_relation_id').on(table.relationId, table.id),
    index('opportunities_market_ids').using('gin', MARKET_IDS),
    index('opportunities_source_details').on(textInsensitive(table.sourceDetails), table.id),
  ],
);

/**
 * Prices of opportunities, one row of each: written up to once a second and by hundreds, so apart from what
 * changes seldom and has many indexes. Indexed is what the screens sort by alone, and apart those that have
 * triggered, which are few and are counted and listed by themselves.
 */
export const opportunityPrices = pgTable(
  'opportunity_prices',
  {
    opportunityId: uuid('opportunity_id').primaryKey(),
    /**
     * Always equal to the `updated_at` of the opportunity, which its foreign key carries over: an edit writes this row, so that a
     * writer of what was judged before meets the edit here and need not read the opportunity.
     */
    editedAt: instant('edited_at').notNull(),
    currentPrice: micro('current_price').$type<Price>(),
    feesPerSet: micro('fees_per_set').$type<Usd>(),
    profitPercentage: micro('profit_percentage').$type<Percent>(),
    /** Yearly return of that profit until the cash is back, as of its pricing; null where that time is not known. */
    annualisedReturn: micro('annualised_return').$type<Percent>(),
    /** Profit of the largest profitable size now, after fees; null while it is not active or has no price. */
    profitUsd: micro('profit_usd').$type<Usd>(),
    maxProfitableSize: micro('max_profitable_size').$type<Shares>(),
    /** When its cash is back, as of when its markets were read last; passed where it is back at once. */
    paysAt: instant('pays_at'),
    /** The subject of its markets when it was last priced. */
    about: text('about'),
    triggered: boolean('triggered').notNull().default(false),
    rises: integer('rises').notNull().default(0),
    /** Why nothing was bought when it triggered last, or no more since; null where something was, and more is not refused. */
    refusal: text('refusal'),
    lastChecked: instant('last_checked'),
    lastError: text('last_error'),
    errorCount: integer('error_count').notNull().default(0),
    errorNotifiedAt: instant('error_notified_at'),
    /** The set relies on an augmented event's listed outcomes being all; as of when its markets were read last. */
    augmentedEvent: boolean('augmented_event').notNull().default(false),
    /** The worst of its markets, as of when these were read last; null while no answer is proposed. */
    resolution: text('resolution').$type<ResolutionStatus>(),
  },
  (table) => [
    foreignKey({
      name: 'opportunity_prices_of_edit',
      columns: [table.editedAt, table.opportunityId],
      foreignColumns: [opportunities.updatedAt, opportunities.id],
    })
      .onUpdate('cascade')
      .onDelete('cascade'),
    index('opportunity_prices_profit_percentage').on(table.profitPercentage, table.opportunityId),
    index('opportunity_prices_annualised_return').on(table.annualisedReturn, table.opportunityId),
    index('opportunity_prices_profit_usd').on(table.profitUsd, table.opportunityId),
    index('opportunity_prices_max_profitable_size').on(table.maxProfitableSize, table.opportunityId),
    index('opportunity_prices_pays_at').on(table.paysAt, table.opportunityId),
    index('opportunity_prices_about').on(textInsensitive(table.about), table.opportunityId),
    index('opportunity_prices_current_price').on(table.currentPrice, table.opportunityId),
    index('opportunity_prices_triggered')
      .on(table.profitPercentage, table.opportunityId)
      .where(sql`${table.triggered}`),
  ],
);

/**
 * How many opportunities there are, and how many are active: the sums of all rows. Kept by triggers of `opportunities`, each of which adds to
 * whichever row no other transaction holds, so that no transaction waits here. To count 100,000 of them takes 31 ms, and
 * every page of the list would.
 */
export const opportunityCounts = pgTable('opportunity_counts', {
  slot: integer('slot').primaryKey().generatedAlwaysAsIdentity(),
  total: integer('total').notNull(),
  active: integer('active').notNull(),
});
