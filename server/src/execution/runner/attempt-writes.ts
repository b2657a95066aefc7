/** What is learned of the attempts of a batch, written in one statement however many they are. */

import { type AttemptNews, lifeAfter } from '@dutchbook/engine/order/news.ts';
import { eq, sql } from 'drizzle-orm';
import { insertOf, rowsOf, setOf } from '../../database/many-rows.ts';
import {
  type AttemptRecord,
  attemptOf,
  type BatchState,
  type FillRecord,
  newerReport,
} from '../../orders/batch-state.ts';
import { attempts, fills } from '../../orders/table.ts';
import type { Db, Runtime } from '../../runtime.ts';

type Clock = Pick<Runtime, 'clock'>;

/** Only who holds the lease of the batch writes to its attempts: what is not news is written as it was read. */
export async function recordOnAttempts(
  tx: Db,
  { clock }: Clock,
  state: BatchState,
  news: readonly AttemptNews[],
): Promise<void> {
  if (news.length === 0) return;
  const now = clock.now();
  const rows = new Map<string, AttemptRecord>();
  for (const item of news) {
    const attempt = attemptOf(state, item.attemptId);
    rows.set(attempt.id, { ...(rows.get(attempt.id) ?? attempt), ...toldBy(item, attempt, now) });
  }
  const written = [...rows.values()].map(writtenOf);
  await tx
    .update(attempts)
    .set(setOf(attempts, written))
    .from(sql`${rowsOf(attempts, written)} as v`)
    .where(eq(attempts.id, sql`v.id`));
}

/** What is learned of an attempt; the rest of its row is as it was signed. */
function writtenOf(attempt: AttemptRecord) {
  const { id, status, sentAt, answeredAt, endedAt, matchedSize, reason, unknownReason, askedAt } = attempt;
  const { lookupAnswer, goneAt, updatedAt } = attempt;
  const told = { matchedSize, reason, unknownReason, askedAt, lookupAnswer, goneAt };
  return { id, status, sentAt, answeredAt, endedAt, ...told, updatedAt };
}

function toldBy(news: AttemptNews, attempt: AttemptRecord, now: AttemptRecord['updatedAt']): Partial<AttemptRecord> {
  return {
    updatedAt: news.unanswered ? attempt.updatedAt : now,
    ...lifeAfter(attempt, news, now),
    ...(isAnswer(news) && attempt.answeredAt === null ? { answeredAt: now } : {}),
    ...(news.matchedSize === undefined ? {} : { matchedSize: news.matchedSize }),
    ...(news.reason === undefined ? {} : { reason: news.reason }),
    ...(news.unknownReason === undefined ? {} : { unknownReason: news.unknownReason }),
    ...(news.lookedUp === undefined ? {} : { askedAt: news.lookedUp.at, lookupAnswer: news.lookedUp.answer }),
    ...(news.goneAt === undefined ? {} : { goneAt: news.goneAt }),
  };
}

function isAnswer({ event }: AttemptNews): boolean {
  return event !== undefined && event !== 'unknown';
}

/** Of what is reported twice the later report. */
export async function recordFills(
  tx: Db,
  { clock }: Clock,
  state: BatchState,
  news: readonly AttemptNews[],
): Promise<void> {
  const now = clock.now();
  const keyOf = ({ tradeId, attemptId }: Pick<FillRecord, 'tradeId' | 'attemptId'>) => `${tradeId} ${attemptId}`;
  const known = Map.groupBy(state.fills, keyOf);
  const rows = new Map<string, FillRecord>();
  for (const report of news.flatMap((item) => item.fills ?? [])) {
    const before = known.get(keyOf(report)) ?? [];
    const kept = newerReport(before, report);
    if (kept === null) continue;
    const { price, size, cost, fee, settlement } = kept;
    const settledAt = settlement === 'confirmed' || settlement === 'failed' ? now : null;
    const ours = { batchId: state.batch.id, createdAt: now, inLedger: null };
    const row = { ...report, price, size, cost, fee, settlement, settledAt, ...ours };
    known.set(keyOf(report), [...before, row]);
    rows.set(`${row.tradeId} ${row.orderHash}`, row);
  }
  if (rows.size > 0) await upsertFills(tx, [...rows.values()]);
}

async function upsertFills(tx: Db, rows: readonly FillRecord[]): Promise<void> {
  await tx.execute(sql`
    ${insertOf(fills, rows)} on conflict (trade_id, order_hash) do update set price = excluded.price, size = excluded.size,
      cost = excluded.cost, fee = excluded.fee, settlement = excluded.settlement, settled_at = excluded.settled_at`);
}
