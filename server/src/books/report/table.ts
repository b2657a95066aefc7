import type { EventId, VenueName } from '@dutchbook/units/ids.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import { bigint, boolean, date, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { venueSettingsTable } from '../../people/system-settings/venue-settings.ts';
import { instant, micro } from '../../platform/database/columns.ts';

export const reportSettings = venueSettingsTable('report_settings');

/**
 * What each batch promised and what has become of it, one row of each that is not only simulated, kept in line with its fills
 * by `keep-results.ts`. The report adds these up. Days are those of UTC.
 */
export const batchResults = pgTable(
  'batch_results',
  {
    batchId: uuid('batch_id').primaryKey(),
    /** Null of what was placed by itself. */
    operatorId: uuid('operator_id'),
    automatic: boolean('automatic').notNull(),
    source: text('source'),
    /** Event of its first market; the market itself where it has no event. */
    eventId: text('event_id').$type<EventId>().notNull(),
    eventTitle: text('event_title').notNull(),
    /** The kind of the relation that it was found by, and who says that it holds; null where a user added it. */
    structure: text('structure'),
    basis: text('basis'),
    /** When it triggered, or a user asked for it. */
    triggeredAt: instant('triggered_at').notNull(),
    sentAt: instant('sent_at'),
    matchedAt: instant('matched_at'),
    /** The last of its fills; null while one is not settled. */
    confirmedAt: instant('confirmed_at'),
    /** What `cash_days` of it add up to: `paidProfit`, but where a version wrote it that keeps no such days. */
    datedProfit: micro('dated_profit')
      .$type<Usd>()
      .notNull()
      .default(0 as Usd),
    /** When nothing of it was held any more. */
    cashAt: instant('cash_at'),
    lockDay: date('lock_day', { mode: 'string' }),
    cashDay: date('cash_day', { mode: 'string' }),
    /** When the last market that it holds ends, as the venue says; null where that is not known. */
    releaseAt: instant('release_at'),
    /** `yyyy-mm` of that. */
    releaseMonth: text('release_month'),

    size: micro('size').$type<Shares>().notNull(),
    /** Fixed at the trigger. */
    predictedCost: micro('predicted_cost').$type<Usd>().notNull(),
    predictedFees: micro('predicted_fees').$type<Usd>().notNull(),
    predictedProfit: micro('predicted_profit').$type<Usd>().notNull(),
    booksAgeMs: integer('books_age_ms'),

    /** Standing fills; what was paid is without the fees. */
    paid: micro('paid').$type<Usd>().notNull(),
    received: micro('received').$type<Usd>().notNull(),
    fees: micro('fees').$type<Usd>().notNull(),
    orderedShares: micro('ordered_shares').$type<Shares>().notNull(),
    filledShares: micro('filled_shares').$type<Shares>().notNull(),
    legs: integer('legs').notNull(),
    filledLegs: integer('filled_legs').notNull(),
    fillCount: integer('fill_count').notNull(),
    undoneFills: integer('undone_fills').notNull(),

    /**
     * The three parts of its profit. `paidProfit`: of what is cash again. `lockedProfit`: what it pays at least once everything has
     * resolved, less what it has cost, where that is guaranteed. `atRisk`: what may be lost of what no whole set needs.
     */
    paidProfit: micro('paid_profit').$type<Usd>().notNull(),
    lockedProfit: micro('locked_profit').$type<Usd>().notNull(),
    atRisk: micro('at_risk').$type<Usd>().notNull(),
    /** What is not cash again yet, at cost. */
    locked: micro('locked').$type<Usd>().notNull(),

    /** Dollars of buys beyond the prediction; the three parts add up to cost less predicted cost. */
    movedBeforeSend: micro('moved_before_send').$type<Usd>().notNull(),
    movedInFlight: micro('moved_in_flight').$type<Usd>().notNull(),
    sizeAdded: micro('size_added').$type<Usd>().notNull(),
    /** Profit that was predicted for sets that were not filled. */
    shortfall: micro('shortfall').$type<Usd>().notNull(),
    /** Dollars times days, of what has been cash again; of what has not, `locked` since `matchedAt`. */
    capitalDays: micro('capital_days').$type<Usd>().notNull(),

    changedAt: instant('changed_at').notNull(),

    /** Milliseconds since it triggered, which the report sorts and takes the middle of. */
    sentMs: millisecondsTo('sent'),
    matchedMs: millisecondsTo('matched'),
    confirmedMs: millisecondsTo('confirmed'),
    cashMs: millisecondsTo('cash'),
  },
  (table) => [
    index('batch_results_triggered_at').on(table.triggeredAt, table.batchId),
    index('batch_results_cash_day').on(table.cashDay),
    index('batch_results_lock_day').on(table.lockDay),
    index('batch_results_undated').on(table.batchId).where(sql`${table.datedProfit} <> ${table.paidProfit}`),
    index('batch_results_open').on(table.eventId).where(sql`${table.locked} > 0`),
    index('batch_results_event_id').on(table.eventId, table.triggeredAt),
  ],
);

function millisecondsTo(what: 'sent' | 'matched' | 'confirmed' | 'cash') {
  const passed = sql.raw(`(extract(epoch from ${what}_at - triggered_at) * 1000)::bigint`);
  return bigint(`${what}_ms`, { mode: 'number' }).generatedAlwaysAs(passed);
}

/** What of such a batch became cash on a day: its part of `paidProfit`, and of what fees and slippage took. */
export const cashDays = pgTable(
  'cash_days',
  {
    batchId: uuid('batch_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    paid: micro('paid').$type<Usd>().notNull(),
    fees: micro('fees').$type<Usd>().notNull(),
    movedBeforeSend: micro('moved_before_send').$type<Usd>().notNull(),
    movedInFlight: micro('moved_in_flight').$type<Usd>().notNull(),
    sizeAdded: micro('size_added').$type<Usd>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.batchId, table.day] }), index('cash_days_day').on(table.day)],
);

/**
 * What such a batch did at each of several venues: parts of its row, which they add up to. One at a single venue has none: that is the
 * venue of its event.
 */
export const venueResults = pgTable(
  'venue_results',
  {
    batchId: uuid('batch_id').notNull(),
    venue: text('venue').$type<VenueName>().notNull(),
    legs: integer('legs').notNull(),
    filledLegs: integer('filled_legs').notNull(),
    paid: micro('paid').$type<Usd>().notNull(),
    received: micro('received').$type<Usd>().notNull(),
    fees: micro('fees').$type<Usd>().notNull(),
    locked: micro('locked').$type<Usd>().notNull(),
    movedBeforeSend: micro('moved_before_send').$type<Usd>().notNull(),
    movedInFlight: micro('moved_in_flight').$type<Usd>().notNull(),
    sizeAdded: micro('size_added').$type<Usd>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.batchId, table.venue] })],
);

/** A leg of such a batch, by its buy order. */
export const legResults = pgTable(
  'leg_results',
  {
    batchId: uuid('batch_id').notNull(),
    orderId: uuid('order_id').notNull(),
    leg: integer('leg').notNull(),
    hour: integer('hour').notNull(),
    ordered: micro('ordered').$type<Shares>().notNull(),
    filled: micro('filled').$type<Shares>().notNull(),
    predictedPrice: micro('predicted_price').$type<Price>().notNull(),
    predictedFee: micro('predicted_fee').$type<Usd>().notNull(),
    averagePrice: micro('average_price').$type<Price>(),
    paid: micro('paid').$type<Usd>().notNull(),
    fee: micro('fee').$type<Usd>().notNull(),
    movedBeforeSend: micro('moved_before_send').$type<Usd>().notNull(),
    movedInFlight: micro('moved_in_flight').$type<Usd>().notNull(),
    sizeAdded: micro('size_added').$type<Usd>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.batchId, table.orderId] })],
);
