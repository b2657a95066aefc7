/** Updates of the attempts of a batch: what it looks like with it, and one statement for each table. */

import { type AttemptUpdate, lifeAfter } from '@dutchbook/engine/order/attempt-update.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { insertOf, rowsOf, setOf } from '../../../platform/database/many-rows.ts';
import type { Db } from '../../../platform/runtime/runtime.ts';
import {
  type AttemptRecord,
  attemptOf,
  type BatchState,
  type FillRecord,
  newerReport,
} from '../../orders/batch-state.ts';
import { attempts, fills } from '../../orders/table.ts';

/** `state`: as it will be read once `writes` are carried out, rows of its own, not shared with other states. */
export type AppliedUpdates = { state: BatchState; writes: SQLWrapper[] };

export function applyAttemptUpdates(
  db: Db,
  before: BatchState,
  updates: readonly AttemptUpdate[],
  now: Instant,
): AppliedUpdates {
  const fillRows = newFills(before, updates, now);
  const attemptRows = newAttempts(before, updates, now);
  const copies = <Row extends object>(rows: readonly Row[]) => rows.map((row) => ({ ...row }));
  return {
    state: {
      batch: { ...before.batch },
      orders: copies(before.orders),
      received: copies(before.received),
      sales: copies(before.sales),
      attempts: before.attempts.map((attempt) => attemptRows.get(attempt.id) ?? attempt),
      fills: withFills(before.fills, fillRows),
    },
    writes: [
      ...(fillRows.length === 0 ? [] : [fillsUpsert(fillRows)]),
      ...(attemptRows.size === 0 ? [] : [attemptsUpdate(db, [...attemptRows.values()])]),
    ],
  };
}

/** Only who holds the lease of the batch writes to its attempts: a field that no update names is written as it was read. */
function newAttempts(state: BatchState, updates: readonly AttemptUpdate[], now: Instant): Map<string, AttemptRecord> {
  const rows = new Map<string, AttemptRecord>();
  for (const item of updates) {
    const attempt = attemptOf(state, item.attemptId);
    rows.set(attempt.id, { ...(rows.get(attempt.id) ?? attempt), ...changesOf(item, attempt, now) });
  }
  return rows;
}

function attemptsUpdate(db: Db, rows: readonly AttemptRecord[]): SQLWrapper {
  const written = rows.map(writtenOf);
  return db
    .update(attempts)
    .set(setOf(attempts, written))
    .from(sql`${rowsOf(attempts, written)} as v`)
    .where(eq(attempts.id, sql`v.id`));
}

/** The update of an attempt; the rest of its row is as it was signed. */
function writtenOf(attempt: AttemptRecord) {
  const { id, status, sentAt, answeredAt, endedAt, matchedSize, reason, unknownReason, askedAt } = attempt;
  const { lookupAnswer, goneAt, updatedAt, venueName } = attempt;
  const reported = { venueName, matchedSize, reason, unknownReason, askedAt, lookupAnswer, goneAt };
  return { id, status, sentAt, answeredAt, endedAt, ...reported, updatedAt };
}

function changesOf(
  update: AttemptUpdate,
  attempt: AttemptRecord,
  now: AttemptRecord['updatedAt'],
): Partial<AttemptRecord> {
  return {
    updatedAt: update.unanswered ? attempt.updatedAt : now,
    ...lifeAfter(attempt, update, now),
    ...(isAnswer(update) && attempt.answeredAt === null ? { answeredAt: now } : {}),
    ...(update.venueName === undefined ? {} : { venueName: update.venueName }),
    ...(update.matchedSize === undefined ? {} : { matchedSize: update.matchedSize }),
    ...(update.reason === undefined ? {} : { reason: update.reason }),
    ...(update.unknownReason === undefined ? {} : { unknownReason: update.unknownReason }),
    ...(update.lookedUp === undefined ? {} : { askedAt: update.lookedUp.at, lookupAnswer: update.lookedUp.answer }),
    ...(update.goneAt === undefined ? {} : { goneAt: update.goneAt }),
  };
}

function isAnswer({ event }: AttemptUpdate): boolean {
  return event !== undefined && event !== 'unknown';
}

/** New fills; of two reports of a trade the later one. */
function newFills(state: BatchState, updates: readonly AttemptUpdate[], now: Instant): FillRecord[] {
  const keyOf = ({ tradeId, attemptId }: Pick<FillRecord, 'tradeId' | 'attemptId'>) => `${tradeId} ${attemptId}`;
  const known = Map.groupBy(state.fills, keyOf);
  const rows = new Map<string, FillRecord>();
  for (const report of updates.flatMap((item) => item.fills ?? [])) {
    const before = known.get(keyOf(report)) ?? [];
    const kept = newerReport(before, report);
    if (kept === null) continue;
    const { price, size, cost, fee, settlement } = kept;
    const settledAt = settlement === 'confirmed' || settlement === 'failed' ? now : null;
    const ours = { batchId: state.batch.id, createdAt: now, inLedger: null };
    const row = { ...report, price, size, cost, fee, settlement, settledAt, ...ours };
    known.set(keyOf(report), [...before, row]);
    rows.set(placeOf(row), row);
  }
  return [...rows.values()];
}

/** The key of a fill in the table. */
function placeOf({ tradeId, orderHash }: Pick<FillRecord, 'tradeId' | 'orderHash'>): string {
  return `${tradeId} ${orderHash}`;
}

/** As `fillsUpsert` leaves them: of one that is there already, what the venue can say anew. */
function withFills(stored: readonly FillRecord[], rows: readonly FillRecord[]): FillRecord[] {
  const all = new Map(stored.map((fill) => [placeOf(fill), { ...fill }]));
  for (const row of rows) {
    const { price, size, cost, fee, settlement, settledAt } = row;
    const known = all.get(placeOf(row));
    all.set(placeOf(row), known ? { ...known, price, size, cost, fee, settlement, settledAt } : { ...row });
  }
  return [...all.values()].toSorted((one, other) => one.matchedAt - other.matchedAt);
}

function fillsUpsert(rows: readonly FillRecord[]): SQL {
  return sql`
    ${insertOf(fills, rows)} on conflict (trade_id, order_hash) do update set price = excluded.price, size = excluded.size,
      cost = excluded.cost, fee = excluded.fee, settlement = excluded.settlement, settled_at = excluded.settled_at`;
}
