import type { BatchStatus } from '@dutchbook/contract/batches.ts';
import type { SubmissionPurpose } from '@dutchbook/contract/chain-steps.ts';
import type { SizeBound as ServedBound } from '@dutchbook/contract/notes/size-words.ts';
import type { OrderStatus } from '@dutchbook/contract/orders.ts';
import type { SizeBound } from '@dutchbook/engine/order/choose-size.ts';
import type { AttemptStatus } from '@dutchbook/engine/order/life.ts';
import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { MarketId, OrderName, TokenId } from '@dutchbook/units/ids.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { Settlement } from '@dutchbook/venues/venue.ts';
import { type AnyColumn, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
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
import { instant, micro, storedSettings } from '../../platform/database/columns.ts';

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
    /** The opportunity's name at that time; null in rows older than the column. */
    name: text('name'),
    status: text('status').$type<BatchStatus>().notNull(),
    expectedOrders: integer('expected_orders').notNull(),
    /** Positions with an attempt the venue accepted. */
    totalOrders: integer('total_orders').notNull().default(0),
    orderSize: micro('order_size').$type<Shares>().notNull(),
    /** The bound of that size; null where SIZE_POLICY did not choose it. */
    sizeBoundedBy: text('size_bounded_by').$type<SizeBound>(),
    /** The first batch of the series of clips that it belongs to; null where it belongs to none. */
    seriesId: uuid('series_id'),
    /** Its place in that series, from 1; null of no series, and of one that an older version has recorded. */
    clipNumber: integer('clip_number'),
    targetPrice: micro('target_price').$type<Price>().notNull(),
    quotedPrice: micro('quoted_price').$type<Price>(),
    targetProfit: micro('target_profit').$type<Usd>().notNull(),
    /** The profit that all offers of its books would have made at the decision; null in rows older than the column. */
    offeredProfit: micro('offered_profit').$type<Usd>(),
    /** This and `unhedged` are derived from the fills in the transaction that records them. */
    actualProfit: micro('actual_profit').$type<Usd>(),
    unhedged: jsonb('unhedged').$type<StoredUnhedged>(),
    retryCount: integer('retry_count').notNull().default(0),
    maxRetries: integer('max_retries').notNull().default(3),
    automatic: boolean('automatic').notNull(),
    simulated: boolean('simulated').notNull(),
    /** The settings the batch began with: a change in mid-batch does not reach it. */
    settings: storedSettings('settings').notNull(),
    executionStartedAt: instant('execution_started_at'),
    executionCompletedAt: instant('execution_completed_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    createdBy: uuid('created_by'),
    lastError: text('last_error'),
    /** A person, or disarming, has asked for its end: from then on nothing of it leaves. */
    cancelRequestedAt: instant('cancel_requested_at'),
    retryRequestedAt: instant('retry_requested_at'),
    /** Who asked for the last retry; null for an automatic one. */
    retriedBy: uuid('retried_by'),
    retryCounted: boolean('retry_counted').notNull().default(true),
    /** A person has looked and asked for the last retry; otherwise it is judged like everything the product does alone. */
    retriedByHand: boolean('retried_by_hand').notNull().default(false),
    /** Dollars, fees included, up to which the last retry buys what its sets lack and nothing beyond, also at a loss; null of any other retry. */
    finishUpTo: micro('finish_up_to').$type<Usd>(),
    /** The batch was canceled before *Finish the Set*: it becomes so again unless its sets are finished, and is not retried automatically. */
    canceledBefore: boolean('canceled_before').notNull().default(false),
    /** When a user asked for the venue to be polled about everything that has not ended. */
    pollRequestedAt: instant('poll_requested_at'),
    /** When `unhedged` began; null while it is. */
    unhedgedSince: instant('unhedged_since'),
    legRiskNotifiedAt: instant('leg_risk_notified_at'),
    unknownOrders: integer('unknown_orders').notNull().default(0),
    /** Sell orders of it have not ended. */
    saleUnderWay: boolean('sale_under_way').notNull().default(false),
    soldAt: instant('sold_at'),
    /** The call of a contract that splits dollars into what its orders hold; null where they are bought. */
    splitStepId: uuid('split_step_id'),
    /** `batch_results` is behind what has happened to it. */
    resultsDue: boolean('results_due').notNull().default(true),
    /** Dollars, fees included, that the last placing or retry by a person asked for; null for automatic ones. */
    askedFor: micro('asked_for').$type<Usd>(),
    /** Dollars, fees included, up to which a second person has signed it off; null where no one was asked. */
    signedOff: micro('signed_off').$type<Usd>(),
    /** `reserved_entries` has what it takes. An older version, which knows nothing of these, leaves it false. */
    reserved: boolean('reserved').notNull().default(false),
    /** The time when its waiting orders released their reserved dollars; null once they leave. */
    releasedAt: instant('released_at'),
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
    // Sort columns of the list.
    index('batches_by_status').on(table.status, table.id),
    index('batches_by_total_orders').on(table.totalOrders, table.id),
    // Also what all orders are counted by.
    index('batches_by_retry_count').on(table.retryCount, table.id, table.expectedOrders),
    index('batches_by_target_profit').on(table.targetProfit, table.id),
    index('batches_by_actual_profit').on(table.actualProfit, table.id).where(sql`${table.actualProfit} is not null`),
    index('batches_execution_completed_at')
      .on(table.executionCompletedAt)
      .where(sql`${table.executionCompletedAt} is not null`),
    // Finds batches that may have spent since the balance was read. BRIN keeps updates of other columns cheap.
    index('batches_updated_at').using('brin', table.updatedAt).with({ pages_per_range: 16, autosummarize: true }),
    index('batches_called').on(table.id).where(sql`${table.saleUnderWay} or ${table.pollRequestedAt} is not null`),
    index('batches_split_step_id').on(table.splitStepId).where(sql`${table.splitStepId} is not null`),
    index('batches_results_due').on(table.id).where(sql`${table.resultsDue}`),
    index('batches_series').on(table.seriesId, table.createdAt).where(sql`${table.seriesId} is not null`),
    uniqueIndex('batches_clip').on(table.seriesId, table.clipNumber).where(sql`${table.clipNumber} is not null`),
    index('batches_unhedged').on(table.createdAt).where(sql`${table.unhedged} is not null`),
    index('batches_simulated').on(table.id).where(sql`${table.simulated}`),
    index('batches_not_reserved').on(table.id).where(sql`not ${table.reserved}`),
  ],
);

/** Who ended a sale that waited: a person, or disarming. */
export type CancelReason = 'canceled' | 'disarmed';

/** The note of an order that stands: its price had moved when it was placed, or its outcome was unknown. */
export type OrderWarning = 'price_changed' | 'outcome_was_unknown' | 'rounded';

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
    marketId: text('market_id').$type<MarketId>().notNull(),
    marketName: text('market_name').notNull(),
    tokenId: text('token_id').$type<TokenId>().notNull(),
    outcome: text('outcome').notNull(),
    side: text('side').$type<'buy' | 'sell'>().notNull(),
    size: micro('size').$type<Shares>().notNull(),
    price: micro('price').$type<Price>().notNull(),
    feeRate: micro('fee_rate').$type<Fraction>().notNull(),
    /** With the rate, the fee schedule that the order was decided by. */
    feeStep: micro('fee_step')
      .$type<Usd>()
      .notNull()
      .default(10 as Usd),
    status: text('status').$type<OrderStatus>().notNull(),
    filledSize: micro('filled_size').$type<Shares>().notNull(),
    filledCost: micro('filled_cost').$type<Usd>().notNull(),
    fee: micro('fee').$type<Usd>().notNull(),
    attemptCount: integer('attempt_count').notNull().default(0),
    /** Average price per share that the plan expected. */
    expectedPrice: micro('expected_price').$type<Price>(),
    /** Fees that it expected for the whole order; null in rows older than the column. */
    expectedFee: micro('expected_fee').$type<Usd>(),
    /** How old the book was that it was decided by. */
    bookAgeMs: integer('book_age_ms'),
    /** For a sell: the order whose shares it sells, and its decision. */
    sellsOrderId: uuid('sells_order_id'),
    saleId: uuid('sale_id'),
    /** For a sell: it rests in the book at its price, until `waits_until` if set, instead of being filled at once or dropped. */
    waits: boolean('waits').notNull().default(false),
    waitsUntil: instant('waits_until'),
    /** For a waiting sell: when its end was requested, and why. From then on nothing of it is sent, and its rest is canceled. */
    cancelRequestedAt: instant('cancel_requested_at'),
    cancelReason: text('cancel_reason').$type<CancelReason>(),
    /**
     * The call of a contract that converts these shares into dollars, or that hands them out: no order of it is ever signed, sent
     * or asked about. Null of everything that is traded.
     */
    chainStepId: uuid('chain_step_id'),
    /** The submission of that call. */
    submissionId: uuid('submission_id'),
    submissionPurpose: text('submission_purpose').$type<SubmissionPurpose>(),
    /** For a buy: payout of a share; null until the result has been read. */
    resolvedValue: micro('resolved_value').$type<Price>(),
    /** When that was found. */
    resolvedAt: instant('resolved_at'),
    /** For a buy: its sold shares. */
    soldSize: micro('sold_size').$type<Shares>().notNull().default(SHARES_ZERO),
    /** For a buy: its shares that have left the account by no order of ours, according to venue and chain. */
    goneSize: micro('gone_size').$type<Shares>().notNull().default(SHARES_ZERO),
    /** When that was last found to have changed. */
    goneAt: instant('gone_at'),
    /** A warning to the person who placed it, although the order stands. */
    warning: text('warning'),
    error: text('error'),
    /** The kind of `error` when the order stands all the same; else null. */
    errorKind: text('error_kind').$type<OrderWarning>(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('batch_orders_ordinal_key').on(table.batchId, table.ordinal),
    index('batch_orders_created_at').on(table.createdAt, table.id),
    index('batch_orders_opportunity_id').on(table.opportunityId),
    index('batch_orders_status').on(table.status, table.createdAt, table.id),
    index('batch_orders_sells').on(table.batchId).where(sql`${table.side} = 'sell'`),
    index('batch_orders_chain_step').on(table.chainStepId).where(sql`${table.chainStepId} is not null`),
    index('batch_orders_waiting').on(table.batchId).where(sql`${table.waits}`),
    index('batch_orders_sold').on(table.batchId).where(sql`${table.soldSize} > 0`),
    index('batch_orders_held')
      .on(table.tokenId)
      .where(sql`${table.side} = 'buy' and ${table.filledSize} > ${table.soldSize}`),
  ],
);

/** Attempts of which more may be reported. */
export const UNDECIDED_ATTEMPTS = [
  'prepared',
  'sent',
  'unknown',
  'delayed',
  'open',
] as const satisfies readonly AttemptStatus[];

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
    orderHash: text('order_hash').$type<OrderName>().notNull(),
    /** The venue's name for the attempt; null where it is ours, and until the venue has said it. */
    venueName: text('venue_name'),
    salt: text('salt').notNull(),
    payload: text('payload').notNull(),
    size: micro('size').$type<Shares>().notNull(),
    price: micro('price').$type<Price>().notNull(),
    /** The market's fee rate when it was signed; null where that is not known. */
    feeRate: micro('fee_rate').$type<Fraction>(),
    /**
     * Average price in the book at signing, of the whole order and of this attempt; null where the
     * book had too little, and in rows older than the columns.
     */
    bookPriceOfOrder: micro('book_price_of_order').$type<Price>(),
    bookPrice: micro('book_price').$type<Price>(),
    /** Shares that this book showed at the limit or better, and how old it was; null as those are. */
    bookDepth: micro('book_depth').$type<Shares>(),
    bookAgeMs: integer('book_age_ms'),
    /** The market's fee category then: orders are compared within one category. */
    feeCategory: text('fee_category'),
    status: text('status').$type<AttemptStatus>().notNull(),
    /** The matched size, as the venue states it; null until then. Fills that add up to it are complete. */
    matchedSize: micro('matched_size').$type<Shares>(),
    /** Why it was not taken, not in full, or not sent yet. */
    reason: text('reason'),
    /** Why its outcome is unknown, or was until the venue turned out to have it. */
    unknownReason: text('unknown_reason'),
    createdAt: instant('created_at').notNull(),
    /** When the first byte may have left; null proves that none did, or that the venue did not look at what did. */
    sentAt: instant('sent_at'),
    answeredAt: instant('answered_at'),
    /** When it was first known to have ended: canceled, matched, rejected or failed. */
    endedAt: instant('ended_at'),
    /** When the venue was last asked whether it has the order, and what it said. */
    askedAt: instant('asked_at'),
    lookupAnswer: text('lookup_answer'),
    /** When the venue first refused to cancel it and did not show it any more: trades of it may still be on their way. */
    goneAt: instant('gone_at'),
    /** `reserved_entries` has what it takes, as of `batches.reserved`. */
    reserved: boolean('reserved').notNull().default(false),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    index('attempts_not_reserved').on(table.batchId).where(sql`not ${table.reserved}`),
    uniqueIndex('attempts_order_hash_key').on(table.orderHash),
    index('attempts_order_id').on(table.orderId),
    index('attempts_batch_id').on(table.batchId),
    // Finds attempts sent just now.
    index('attempts_sent_at').using('brin', table.sentAt).with({ pages_per_range: 16, autosummarize: true }),
    index('attempts_undecided')
      .on(table.status, table.batchId)
      .where(sql`${table.status} in ('prepared', 'sent', 'unknown', 'delayed', 'open')`),
  ],
);

/** The ledger lacks something of it: entries are due. */
export function notInLedger({ inLedger, settlement }: { inLedger: SQLWrapper; settlement: SQLWrapper }): SQL {
  return sql`${inLedger} is null or ${inLedger} <> 'simulated' and ${inLedger} <> case ${settlement}
    when 'confirmed' then 'settled' when 'failed' then 'undone' else 'matched' end`;
}

/** Trades reported by the venue, one row per (trade, order). */
export const fills = pgTable(
  'fills',
  {
    tradeId: text('trade_id').notNull(),
    orderHash: text('order_hash').$type<OrderName>().notNull(),
    attemptId: uuid('attempt_id')
      .notNull()
      .references(() => attempts.id),
    batchId: uuid('batch_id')
      .notNull()
      .references(() => batches.id),
    /** The average over all that was met in the trade; `cost` is exact. */
    price: micro('price').$type<Price>().notNull(),
    size: micro('size').$type<Shares>().notNull(),
    /** Dollars paid, or received for a sale, before the fee. Versions that do not know the column leave it to a trigger. */
    cost: micro('cost').$type<Usd>().notNull(),
    fee: micro('fee').$type<Usd>().notNull(),
    settlement: text('settlement').$type<Settlement>().notNull(),
    matchedAt: instant('matched_at').notNull(),
    createdAt: instant('created_at').notNull(),
    /** When it was confirmed, or failed. */
    settledAt: instant('settled_at'),
    /** The fill's state in the ledger; null until it was looked at. Simulated fills have no entries. */
    inLedger: text('in_ledger').$type<'matched' | 'settled' | 'undone' | 'simulated'>(),
  },
  (table) => [
    primaryKey({ columns: [table.tradeId, table.orderHash] }),
    index('fills_batch_id').on(table.batchId),
    index('fills_unsettled').on(table.batchId).where(sql`${table.settlement} not in ('confirmed', 'failed')`),
    // Counts the failed settlements of the last day.
    index('fills_settled_at').on(table.settledAt).where(sql`${table.settledAt} is not null`),
    index('fills_not_in_ledger').on(table.batchId).where(notInLedger(table)),
  ],
);

type ClipColumns = Record<'clipNumber' | 'settings' | 'sizeBoundedBy', AnyColumn>;

/**
 * What keeps more from being bought: of the last clip that a series may have, unless it left nothing that pays, how many those are;
 * of any other batch what bounded its size.
 */
export function seriesBoundOf({ clipNumber, settings, sizeBoundedBy }: ClipColumns): SQL<ServedBound | null> {
  return sql`case when ${clipNumber} >= (${settings}->>'CLIPS_MAX')::int and ${sizeBoundedBy} <> 'margin' then 'clips'
    else ${sizeBoundedBy} end`;
}

export const SERIES_BOUND = seriesBoundOf(batches);

type ClipRow = Pick<typeof batches.$inferSelect, 'clipNumber' | 'sizeBoundedBy'> & { settings: { CLIPS_MAX: number } };

/** `seriesBoundOf` for a row. */
export function seriesBound({ clipNumber, settings, sizeBoundedBy }: ClipRow): ServedBound | null {
  const isLast = clipNumber !== null && clipNumber >= settings.CLIPS_MAX;
  return isLast && sizeBoundedBy !== null && sizeBoundedBy !== 'margin' ? 'clips' : sizeBoundedBy;
}
