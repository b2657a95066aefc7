/** What is heard of the attempts of a batch, written in one statement however many they are. */
import { eq, sql } from 'drizzle-orm';
import { insertOf, rowsOf } from '../../world/many-rows.ts';
import { attempts, fills } from '../../world/schema.ts';
import type { Db, World } from '../../world/world.ts';
import { type AttemptNews, lifeAfter } from './attempt-news.ts';
import { type AttemptRecord, attemptOf, type BatchState, type FillRecord, newerReport } from './batch-state.ts';

type Clock = Pick<World, 'clock'>;

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
  await tx
    .update(attempts)
    .set({
      status: sql`v.status`,
      sentAt: sql`v.sent_at`,
      answeredAt: sql`v.answered_at`,
      endedAt: sql`v.ended_at`,
      matchedSize: sql`v.matched_size`,
      reason: sql`v.reason`,
      askedAt: sql`v.asked_at`,
      lookupAnswer: sql`v.lookup_answer`,
      goneAt: sql`v.gone_at`,
      updatedAt: sql`v.updated_at`,
    })
    .from(sql`${rowsOf(attempts, [...rows.values()])} as v`)
    .where(eq(attempts.id, sql`v.id`));
}

function toldBy(news: AttemptNews, attempt: AttemptRecord, now: AttemptRecord['updatedAt']): Partial<AttemptRecord> {
  return {
    updatedAt: news.unanswered ? attempt.updatedAt : now,
    ...lifeAfter(attempt, news, now),
    ...(news.event === undefined || attempt.answeredAt !== null ? {} : { answeredAt: now }),
    ...(news.matchedSize === undefined ? {} : { matchedSize: news.matchedSize }),
    ...(news.reason === undefined ? {} : { reason: news.reason }),
    ...(news.lookedUp === undefined ? {} : { askedAt: news.lookedUp.at, lookupAnswer: news.lookedUp.answer }),
    ...(news.goneAt === undefined ? {} : { goneAt: news.goneAt }),
  };
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
    const { price, size, fee, settlement } = kept;
    const settledAt = settlement === 'confirmed' || settlement === 'failed' ? now : null;
    const row = { ...report, price, size, fee, settlement, settledAt, batchId: state.batch.id, createdAt: now };
    known.set(keyOf(report), [...before, row]);
    rows.set(`${row.tradeId} ${row.orderHash}`, row);
  }
  if (rows.size > 0) await upsertFills(tx, [...rows.values()]);
}

async function upsertFills(tx: Db, rows: readonly FillRecord[]): Promise<void> {
  await tx.execute(sql`
    ${insertOf(fills, rows)} on conflict (trade_id, order_hash) do update set price = excluded.price, size = excluded.size,
      fee = excluded.fee, settlement = excluded.settlement, settled_at = excluded.settled_at`);
}
