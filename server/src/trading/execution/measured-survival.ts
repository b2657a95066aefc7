/** What is met of the depth that books show, by our own orders and by books, measured by the clock, so that no decision waits for it. */
import {
  type MeasuredSurvival,
  measureSurvival,
  NOTHING_MEASURED,
  type SentOrder,
} from '@dutchbook/engine/order/survival.ts';
import { venueOf } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { and, desc, gt, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { attempts } from '../orders/table.ts';

const READ_EVERY_MS = 60_000;
/** The venue has said by then what an order met. */
const REPORTED_AFTER_MS = 60_000;
/** What is matched later met what was not shown when it was signed. A venue may hold an order back for seconds. */
const MET_WITHIN_MS = 5000;
const KEPT_MS = 90 * 86_400_000;
const KEPT_MAX = 20_000;

type Met = SentOrder & { sentAt: Instant };

export type FollowedSurvival = { current: () => MeasuredSurvival; stop: () => void };

/** `ofBooks`: what books still held one latency later. */
export function followSurvival(
  { clock, db, timers, log }: Pick<Runtime, 'clock' | 'db' | 'timers' | 'log'>,
  ofBooks: () => readonly SentOrder[] = () => [],
): FollowedSurvival {
  const failures = openFailureLog(log, 'warn', 'orders not read for what they met of the depth shown');
  let known: Met[] = [];
  let measured = NOTHING_MEASURED;
  let isReading = false;
  const read = async () => {
    // A second reading beside one that takes long would add its orders again.
    if (isReading) return;
    isReading = true;
    try {
      const now = clock.now();
      const oldest = instantFromMs(now - KEPT_MS);
      const until = instantFromMs(now - REPORTED_AFTER_MS);
      const newer = await readMet(db, { after: known[0]?.sentAt ?? oldest, until });
      failures.succeeded();
      known = [...newer, ...known].slice(0, KEPT_MAX).filter(({ sentAt }) => sentAt > oldest);
      measured = measureSurvival([...known, ...ofBooks()]);
    } catch (error) {
      failures.failed(error);
    } finally {
      isReading = false;
    }
  };
  void read();
  return { current: () => measured, stop: timers.every(READ_EVERY_MS, read) };
}

/** Newest first, as many as are kept. */
async function readMet(db: Db, { after, until }: { after: Instant; until: Instant }): Promise<Met[]> {
  const { sentAt, bookDepth, bookAgeMs, feeCategory, status } = attempts;
  const met = sql<Shares>`(select coalesce(sum(f.size), 0) from fills f
    where f.batch_id = attempts.batch_id and f.attempt_id = attempts.id and f.settlement <> 'failed'
      and f.matched_at <= attempts.sent_at + ${MET_WITHIN_MS} * interval '1 ms')`.mapWith(
    (shares) => Number(shares) as Shares,
  );
  const rows = await db
    .select({
      name: attempts.orderHash,
      size: attempts.size,
      limit: attempts.price,
      sentAt,
      bookDepth,
      bookAgeMs,
      feeCategory,
      met,
    })
    .from(attempts)
    .where(
      and(
        gt(sentAt, after),
        lte(sentAt, until),
        isNotNull(bookDepth),
        isNotNull(bookAgeMs),
        isNotNull(feeCategory),
        inArray(status, ['open', 'matched', 'canceled']),
      ),
    )
    .orderBy(desc(sentAt))
    .limit(KEPT_MAX);
  return rows.flatMap(({ name, sentAt, bookDepth, bookAgeMs, feeCategory, ...order }) => {
    if (sentAt === null || bookDepth === null || bookAgeMs === null || feeCategory === null) return [];
    return [{ ...order, venue: venueOf(name), category: feeCategory, shown: bookDepth, bookAgeMs, sentAt }];
  });
}
