import type { AuditAction } from '@dutchbook/contract/audit.ts';
import type { BatchStatus } from '@dutchbook/contract/batches.ts';
import type { MarketCombinations } from '@dutchbook/contract/opportunities.ts';
import type { OrderStatus } from '@dutchbook/contract/orders.ts';
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import type { AttemptStatus } from '@dutchbook/engine/order/life.ts';
import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { Settlement } from '@dutchbook/venues/venue.ts';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant, micro } from './columns.ts';
import { textInsensitive } from './ordering.ts';

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    fullName: text('full_name'),
    passwordHash: text('password_hash').notNull(),
    isSuperuser: boolean('is_superuser').notNull(),
    isActive: boolean('is_active').notNull(),
    /** Rises when every session must end; a token carries the value it was made with. */
    sessionEpoch: integer('session_epoch').notNull().default(0),
    /** The one session of an older epoch that goes on: that of whoever changed their own password. */
    keptSession: uuid('kept_session'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('users_email_key').on(sql`lower(${table.email})`),
    index('users_created_at').on(table.createdAt, table.id),
  ],
);

/** Links that set a new password, each good for one use. The token itself is only in the mail. */
export const passwordResets = pgTable(
  'password_resets',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('password_resets_user_id').on(table.userId)],
);

export const items = pgTable(
  'items',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    description: text('description'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('items_owner_id').on(table.ownerId, table.createdAt, table.id),
    index('items_created_at').on(table.createdAt, table.id),
  ],
);

/** What people did. A trigger refuses any change of it; see the migration beside the foundation. */
export const auditLog = pgTable(
  'audit_log',
  {
    seq: bigint('seq', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    /** No foreign key: what somebody did outlives their account. */
    actorId: uuid('actor_id'),
    actor: text('actor'),
    address: text('address').notNull(),
    action: text('action').$type<AuditAction>().notNull(),
    object: text('object'),
    before: jsonb('before'),
    after: jsonb('after'),
    hash: text('hash').notNull(),
  },
  (table) => [
    index('audit_log_at').on(table.at),
    index('audit_log_action').on(table.action, table.seq),
    index('audit_log_object').on(table.object, table.seq),
  ],
);

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

/** Only settings that somebody changed; the rest stand at the contract's defaults. */
export const systemSettings = pgTable('system_settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').$type<number | boolean>().notNull(),
  updatedAt: instant('updated_at').notNull(),
  updatedBy: uuid('updated_by'),
});

export const opportunities = pgTable(
  'opportunities',
  {
    id: uuid('id').primaryKey(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    marketCombinations: jsonb('market_combinations').$type<MarketCombinations>().notNull(),
    targetPrice: micro('target_price').$type<Price>().notNull(),
    currentPrice: micro('current_price').$type<Price>(),
    feesPerSet: micro('fees_per_set').$type<Usd>(),
    profitPercentage: micro('profit_percentage').$type<Percent>(),
    active: boolean('active').notNull(),
    triggered: boolean('triggered').notNull(),
    lastChecked: instant('last_checked'),
    lastError: text('last_error'),
    errorCount: integer('error_count').notNull().default(0),
    /** When people were told of the error that stands. */
    errorToldAt: instant('error_told_at'),
    /** It leans on an augmented event as if its listed outcomes were all there is; as of its last look at the markets. */
    augmentedEvent: boolean('augmented_event').notNull().default(false),
    source: text('source'),
    sourceDetails: text('source_details'),
    contentHash: text('content_hash').notNull(),
  },
  (table) => [
    uniqueIndex('opportunities_content_hash_key').on(table.contentHash),
    index('opportunities_created_at').on(table.createdAt, table.id),
    index('opportunities_updated_at').on(table.updatedAt, table.id),
    index('opportunities_profit_percentage').on(table.profitPercentage, table.id),
    index('opportunities_current_price').on(table.currentPrice, table.id),
    index('opportunities_target_price').on(table.targetPrice, table.id),
    index('opportunities_last_checked').on(table.lastChecked, table.id),
    index('opportunities_fees_per_set').on(table.feesPerSet, table.id),
    index('opportunities_active').on(table.active, table.id),
    index('opportunities_triggered').on(table.triggered, table.id),
    index('opportunities_error_count').on(table.errorCount, table.id),
    index('opportunities_last_error').on(textInsensitive(table.lastError), table.id),
    index('opportunities_source').on(textInsensitive(table.source), table.id),
    index('opportunities_source_details').on(textInsensitive(table.sourceDetails), table.id),
  ],
);

/**
 * How many opportunities there are: the sums of all rows. Kept by triggers of `opportunities`, each of which adds to
 * whichever row no other transaction holds, so that nobody waits here.
 */
export const opportunityCounts = pgTable('opportunity_counts', {
  slot: integer('slot').primaryKey().generatedAlwaysAsIdentity(),
  total: integer('total').notNull(),
  active: integer('active').notNull(),
  triggered: integer('triggered').notNull(),
  activeAndTriggered: integer('active_and_triggered').notNull(),
});

/**
 * How many batches, orders and notifications there are of each status and kind: the sums of all rows of a list. Kept by
 * triggers of their tables like the counts above. `tries` is the sum of the notifications' attempts.
 */
export const rowCounts = pgTable(
  'row_counts',
  {
    slot: integer('slot').primaryKey().generatedAlwaysAsIdentity(),
    list: text('list').$type<'batches' | 'batch_orders' | 'notifications' | 'items'>().notNull(),
    /** Empty for items. */
    status: text('status').notNull(),
    /** The type of a notification; empty for the others. */
    kind: text('kind').notNull(),
    total: integer('total').notNull(),
    tries: bigint('tries', { mode: 'number' }).notNull(),
  },
  (table) => [index('row_counts_list').on(table.list, table.status, table.kind)],
);

/** Shares that no whole set needs, in millionths like everything stored. */
export type StoredUnhedged = {
  positions: { orderId: string; marketName: string; outcome: string; shares: Shares; atRisk: Usd }[];
  worstLoss: Usd;
};

export const batches = pgTable(
  'batches',
  {
    id: uuid('id').primaryKey(),
    /** No foreign key: deleting an opportunity keeps its batches. */
    opportunityId: uuid('opportunity_id').notNull(),
    status: text('status').$type<BatchStatus>().notNull(),
    expectedOrders: integer('expected_orders').notNull(),
    /** Positions with an attempt the venue accepted. */
    totalOrders: integer('total_orders').notNull().default(0),
    orderSize: micro('order_size').$type<Shares>().notNull(),
    targetPrice: micro('target_price').$type<Price>().notNull(),
    quotedPrice: micro('quoted_price').$type<Price>(),
    targetProfit: micro('target_profit').$type<Usd>().notNull(),
    /** This and `unhedged` are derived from the fills in the transaction that records them. */
    actualProfit: micro('actual_profit').$type<Usd>(),
    unhedged: jsonb('unhedged').$type<StoredUnhedged>(),
    retryCount: integer('retry_count').notNull().default(0),
    maxRetries: integer('max_retries').notNull().default(3),
    automatic: boolean('automatic').notNull(),
    simulated: boolean('simulated').notNull(),
    /** The settings the batch began with: a change in mid-batch does not reach it. */
    settings: jsonb('settings').$type<Settings>().notNull(),
    executionStartedAt: instant('execution_started_at'),
    executionCompletedAt: instant('execution_completed_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    createdBy: uuid('created_by'),
    lastError: text('last_error'),
    /** A person, or disarming, has asked for its end: from then on nothing of it leaves. */
    cancelRequestedAt: instant('cancel_requested_at'),
    retryRequestedAt: instant('retry_requested_at'),
    /** A person has looked and asked for the last retry; otherwise it is judged like everything the product does alone. */
    retriedByHand: boolean('retried_by_hand').notNull().default(false),
    /** Somebody wants the venue asked about everything that has not ended, now. */
    lookRequestedAt: instant('look_requested_at'),
    /** When `unhedged` began; null while it is. */
    unhedgedSince: instant('unhedged_since'),
    legRiskToldAt: instant('leg_risk_told_at'),
    ordersInDoubt: integer('orders_in_doubt').notNull().default(0),
    /** Sell orders of it have not ended. */
    saleUnderWay: boolean('sale_under_way').notNull().default(false),
    soldAt: instant('sold_at'),
    leaseOwner: uuid('lease_owner'),
    /** Rises with every lease taken; a write that carries an older one is refused. */
    leaseToken: bigint('lease_token', { mode: 'number' }).notNull().default(0),
    leaseExpiresAt: instant('lease_expires_at'),
  },
  (table) => [
    uniqueIndex('batches_one_active_per_opportunity')
      .on(table.opportunityId)
      .where(sql`${table.status} in ('pending', 'processing', 'retry_pending')`),
    index('batches_created_at').on(table.createdAt, table.id),
    index('batches_opportunity_id').on(table.opportunityId, table.createdAt),
    index('batches_status').on(table.status, table.createdAt),
    index('batches_execution_completed_at').on(table.executionCompletedAt),
    index('batches_called').on(table.id).where(sql`${table.saleUnderWay} or ${table.lookRequestedAt} is not null`),
    index('batches_unhedged').on(table.createdAt).where(sql`${table.unhedged} is not null`),
  ],
);

export const batchOrders = pgTable(
  'batch_orders',
  {
    id: uuid('id').primaryKey(),
    batchId: uuid('batch_id')
      .notNull()
      .references(() => batches.id),
    opportunityId: uuid('opportunity_id').notNull(),
    leg: integer('leg').notNull(),
    /** Place within the batch, so that orders keep the order of the opportunity's positions. */
    ordinal: integer('ordinal').notNull(),
    marketId: text('market_id').notNull(),
    marketName: text('market_name').notNull(),
    tokenId: text('token_id').notNull(),
    outcome: text('outcome').notNull(),
    side: text('side').$type<'buy' | 'sell'>().notNull(),
    size: micro('size').$type<Shares>().notNull(),
    price: micro('price').$type<Price>().notNull(),
    feeRate: micro('fee_rate').$type<Fraction>().notNull(),
    status: text('status').$type<OrderStatus>().notNull(),
    filledSize: micro('filled_size').$type<Shares>().notNull(),
    filledCost: micro('filled_cost').$type<Usd>().notNull(),
    fee: micro('fee').$type<Usd>().notNull(),
    attemptCount: integer('attempt_count').notNull().default(0),
    /** What the plan expected a share to cost, or to bring, on average. */
    expectedPrice: micro('expected_price').$type<Price>(),
    /** Of a sell: the order whose shares it sells, and the decision it belongs to. */
    sellsOrderId: uuid('sells_order_id'),
    saleId: uuid('sale_id'),
    /** Of a buy: how many of its shares have been sold. */
    soldSize: micro('sold_size').$type<Shares>().notNull().default(SHARES_ZERO),
    /** What the person who placed it should know although the order stands. */
    warning: text('warning'),
    error: text('error'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('batch_orders_ordinal_key').on(table.batchId, table.ordinal),
    index('batch_orders_created_at').on(table.createdAt, table.id),
    index('batch_orders_opportunity_id').on(table.opportunityId),
    index('batch_orders_status').on(table.status, table.createdAt, table.id),
    index('batch_orders_sold').on(table.batchId).where(sql`${table.soldSize} > 0`),
  ],
);

/** Attempts of which more may be heard. */
export const UNDECIDED_ATTEMPTS = ['prepared', 'sent', 'delayed', 'open'] as const satisfies readonly AttemptStatus[];

/** One signed order each, written before it is sent and never overwritten by another. */
export const attempts = pgTable(
  'attempts',
  {
    id: uuid('id').primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => batchOrders.id),
    batchId: uuid('batch_id')
      .notNull()
      .references(() => batches.id),
    orderHash: text('order_hash').notNull(),
    salt: text('salt').notNull(),
    payload: text('payload').notNull(),
    size: micro('size').$type<Shares>().notNull(),
    price: micro('price').$type<Price>().notNull(),
    status: text('status').$type<AttemptStatus>().notNull(),
    /** What the venue says it matched of it; null while it has not said. Fills that add up to it are complete. */
    matchedSize: micro('matched_size').$type<Shares>(),
    reason: text('reason'),
    createdAt: instant('created_at').notNull(),
    /** When the first byte may have left; null proves that none did, or that it was turned away unread. */
    sentAt: instant('sent_at'),
    answeredAt: instant('answered_at'),
    /** When it was first known to have ended: canceled, matched, refused or failed. */
    endedAt: instant('ended_at'),
    /** When the venue was last asked whether it has the order, and what it said. */
    askedAt: instant('asked_at'),
    lookupAnswer: text('lookup_answer'),
    /** When the venue first refused to cancel it and did not show it any more: trades of it may still be on their way. */
    goneAt: instant('gone_at'),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('attempts_order_hash_key').on(table.orderHash),
    index('attempts_order_id').on(table.orderId),
    index('attempts_batch_id').on(table.batchId),
    index('attempts_undecided')
      .on(table.status, table.batchId)
      .where(sql`${table.status} in ('prepared', 'sent', 'delayed', 'open')`),
  ],
);

/** What the venue reported as traded, once per (trade, order). */
export const fills = pgTable(
  'fills',
  {
    tradeId: text('trade_id').notNull(),
    orderHash: text('order_hash').notNull(),
    attemptId: uuid('attempt_id')
      .notNull()
      .references(() => attempts.id),
    batchId: uuid('batch_id')
      .notNull()
      .references(() => batches.id),
    price: micro('price').$type<Price>().notNull(),
    size: micro('size').$type<Shares>().notNull(),
    fee: micro('fee').$type<Usd>().notNull(),
    settlement: text('settlement').$type<Settlement>().notNull(),
    matchedAt: instant('matched_at').notNull(),
    createdAt: instant('created_at').notNull(),
    /** When it was confirmed, or failed. */
    settledAt: instant('settled_at'),
  },
  (table) => [
    primaryKey({ columns: [table.tradeId, table.orderHash] }),
    index('fills_batch_id').on(table.batchId),
    index('fills_unsettled').on(table.batchId).where(sql`${table.settlement} not in ('confirmed', 'failed')`),
  ],
);

/** The answer to a trading call made with an Idempotency-Key: the same key and body answer the same batch. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: uuid('user_id').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    batchId: uuid('batch_id').notNull(),
    saleId: uuid('sale_id'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] })],
);
