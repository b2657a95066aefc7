/** Stores survival samples: of orders that were sent, and of books of rises on which nothing was bought. */
import type { SentOrder } from '@dutchbook/engine/order/survival.ts';
import type { KnownOrder } from '@dutchbook/engine/rehearsal/recorded-survival.ts';
import { type TokenId, venueOf } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { and, desc, gt, inArray, isNotNull, lt, lte, max, or, sql } from 'drizzle-orm';
import { insertOf } from '../../platform/database/many-rows.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { attempts } from '../orders/table.ts';
import { shownDepths } from './table.ts';

/** Time from trigger to match that a rehearsal assumes where none was measured. */
export const LATENCY_MS = 300;
/** Newest samples that are used. */
export const KEPT_MAX = 20_000;
/** The venue has said by then what an order met. */
export const REPORTED_AFTER_MS = 60_000;
/** A later match met depth that was not displayed at signing. A venue may hold an order back for seconds. */
const MET_WITHIN_MS = 5000;
const KEPT_MS = 90 * 86_400_000;
/** Rehearsals ask what was known at an instant of the past. */
const STORED_MAX = 500_000;
const FORGOTTEN_AT_ONCE = 5000;

/** The rise of an opportunity, by which what is measured of it twice is one. */
export type RiseAt = { opportunityId: string; at: Instant };

export type ShownAtRise = RiseAt & { tokenId: TokenId; order: SentOrder };

export type Met = SentOrder & { sentAt: Instant };

export function isKeptAt(now: Instant): (of: { sentAt: Instant }) => boolean {
  return ({ sentAt }) => sentAt > now - KEPT_MS;
}

export async function recordShown(db: Db, measured: readonly ShownAtRise[]): Promise<void> {
  if (measured.length === 0) return;
  const rows = measured.map(({ order, ...rise }) => ({ ...rise, ...order }));
  await db.execute(sql`${insertOf(shownDepths, rows)} on conflict do nothing`);
}

/** Some of those that are too old or too many. */
export async function forgetShown(db: Db, now: Instant): Promise<void> {
  const newest = db.select({ id: max(shownDepths.id) }).from(shownDepths);
  const old = db
    .select({ id: shownDepths.id })
    .from(shownDepths)
    .where(or(lt(shownDepths.at, instantFromMs(now - KEPT_MS)), lte(shownDepths.id, sql`(${newest}) - ${STORED_MAX}`)))
    .limit(FORGOTTEN_AT_ONCE);
  await db.delete(shownDepths).where(inArray(shownDepths.id, old));
}

/** Samples after `afterId`, newest first, as many as the measure uses. */
export async function readShown(
  db: Db,
  { afterId, until }: { afterId: number; until: Instant },
): Promise<(Met & { id: number })[]> {
  const { id, at: sentAt, venue, category, size, limit, shown, bookAgeMs, met } = shownDepths;
  return await db
    .select({ id, sentAt, venue, category, size, limit, shown, bookAgeMs, met })
    .from(shownDepths)
    .where(and(gt(id, afterId), lte(sentAt, until), gt(sentAt, instantFromMs(until - KEPT_MS))))
    .orderBy(desc(sentAt), desc(id))
    .limit(KEPT_MAX);
}

/** Orders that were sent behind `after` until then, newest first, as many as are measured by. */
export async function readMet(db: Db, { after, until }: { after: Instant | null; until: Instant }): Promise<Met[]> {
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
        gt(sentAt, after ?? instantFromMs(until - KEPT_MS)),
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

/**
 * Samples that live decisions could know from `from` to `until`, with their times: of orders all, of books those measured before; what
 * they show later is measured by the replay itself.
 */
export async function readKnown(db: Db, from: Instant, until: Instant): Promise<KnownOrder[]> {
  const later = (at: Instant, ms: number) => instantFromMs(at + ms);
  const sent = await readMet(db, { after: null, until });
  const shown = await readShown(db, { afterId: 0, until: later(from, -LATENCY_MS) });
  return [
    ...sent.map(({ sentAt, ...order }) => ({ ...order, knownAt: later(sentAt, REPORTED_AFTER_MS) })),
    ...shown.map(({ sentAt, id: _, ...order }) => ({ ...order, knownAt: later(sentAt, LATENCY_MS) })),
  ];
}
