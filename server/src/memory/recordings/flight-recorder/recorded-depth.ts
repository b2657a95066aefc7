/**
 * Measures in the recordings how much of the depth that books showed was still there one latency later: of each rise on which nothing was
 * bought and that the stream did not measure, as one before an upgrade, or one whose process died.
 */
import { sizeWithin } from '@dutchbook/engine/book/walk.ts';
import { isStreamed } from '@dutchbook/engine/desk/quote.ts';
import { type Position, resolvePosition } from '@dutchbook/engine/opportunity/position.ts';
import { type ShownDepth, shownDepth } from '@dutchbook/engine/order/survival.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { and, asc, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import { journalAt } from '../../../market/decision-journal/read.ts';
import { pricePoints } from '../../../market/opportunities/history/table.ts';
import { positionsOf } from '../../../market/opportunities/identity.ts';
import { readOpportunities } from '../../../market/opportunities/store.ts';
import { inPartitions } from '../../../platform/engines/in-partitions.ts';
import type { Partitions } from '../../../platform/engines/partitions.ts';
import { openFailureLog } from '../../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../../platform/runtime/one-at-a-time.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { batches } from '../../../trading/orders/table.ts';
import { LATENCY_MS, type RiseAt, recordShown, type ShownAtRise } from '../../../trading/survival/store.ts';
import { shownDepthReads, shownDepths } from '../../../trading/survival/table.ts';
import { findRecords } from '../find-records.ts';
import { byMoment, PastBooks } from './past-books.ts';
import { quoteThen } from './quote-then.ts';

const EVERY_MS = 60_000;
/** One slice: the rises of as long a span, read together in one pass over what was recorded of it. */
const SPAN_MS = 60_000;
const RISES_MAX = 50;
/** After this time it is known whether something was bought on a rise, and the stream's own measurements are written. */
const KNOWN_AFTER_MS = 60_000;
const BOUGHT_WITHIN_MS = 5000;
const DAY_MS = 86_400_000;

export type RecordedDepthPlan = {
  folder: string;
  venue: string;
  /** Older rises have nothing to be read in. */
  days: number;
  recordedUntil: () => Promise<Instant>;
  partitions: Pick<Partitions, 'held'>;
};

export type RecordedDepth = { stop: () => Promise<void> };

export function startMeasuringRecorded(
  { db, clock, timers, log }: Pick<Runtime, 'db' | 'clock' | 'timers' | 'log'>,
  plan: RecordedDepthPlan,
): RecordedDepth {
  const failures = openFailureLog(log, 'warn', 'depth not measured in recordings, tried again');
  const ended = new AbortController();
  const work = oneAtATime(async () => {
    try {
      await measureSlice(db, plan, clock.now(), ended.signal);
      failures.succeeded();
    } catch (error) {
      if (!ended.signal.aborted) failures.failed(error);
    }
  });
  const stop = timers.every(EVERY_MS, work);
  return {
    stop: async () => {
      stop();
      ended.abort();
      await work.ended();
    },
  };
}

async function measureSlice(db: Db, plan: RecordedDepthPlan, now: Instant, signal: AbortSignal): Promise<void> {
  const { venue, days } = plan;
  const until = instantFromMs(Math.min(await plan.recordedUntil(), now) - KNOWN_AFTER_MS);
  const [read] = await db.select().from(shownDepthReads).where(eq(shownDepthReads.venue, venue));
  const since = instantFromMs(Math.max(read?.readUntil ?? 0, now - days * DAY_MS));
  const rises = await risesToMeasure(db, plan, since, until);
  const [first] = rises;
  const slice = first === undefined ? [] : rises.filter(({ at }) => at <= first.at + SPAN_MS);
  if (slice.length > 0) await recordShown(db, await measured(db, plan, slice, signal));
  const isAll = rises.length < RISES_MAX && slice.length === rises.length;
  const readUntil = isAll ? until : (slice.at(-1)?.at ?? until);
  if (readUntil <= since) return;
  await db
    .insert(shownDepthReads)
    .values({ venue, readUntil })
    .onConflictDoUpdate({ target: shownDepthReads.venue, set: { readUntil } });
}

/** The oldest first. Rises of one instant are never parted: the next slice begins behind it. */
async function risesToMeasure(
  db: Db,
  { partitions }: RecordedDepthPlan,
  since: Instant,
  until: Instant,
): Promise<RiseAt[]> {
  const { opportunityId, at, isEdge, triggered } = pricePoints;
  const isOf = (id: SQL) => sql`${id} = ${opportunityId}`;
  const wasMeasured = sql`exists (select 1 from ${shownDepths} where ${isOf(sql`${shownDepths.opportunityId}`)} and ${shownDepths.at} = ${at})`;
  const wasBought = sql`exists (select 1 from ${batches} where ${isOf(sql`${batches.opportunityId}`)}
    and ${batches.createdAt} between ${at} - ${BOUGHT_WITHIN_MS} * interval '1 ms' and ${at} + ${BOUGHT_WITHIN_MS} * interval '1 ms')`;
  const rises = await db
    .select({ opportunityId, at })
    .from(pricePoints)
    .where(
      and(
        ...[isEdge, triggered, gt(at, since), lte(at, until)],
        ...[inPartitions(opportunityId, partitions.held()), sql`not ${wasMeasured}`, sql`not ${wasBought}`],
      ),
    )
    .orderBy(asc(at), asc(opportunityId))
    .limit(RISES_MAX);
  const last = rises.at(-1);
  if (rises.length < RISES_MAX || last === undefined || last.at === rises[0]?.at) return rises;
  return rises.filter((rise) => rise.at < last.at);
}

type Asked = RiseAt & { positions: readonly Position[]; targetPrice: Price };

/** `shown`: what its books showed as it rose; null before. */
type Followed = Asked & { tokenIds: (TokenId | null)[]; markets: Markets; shown: ShownDepth[] | null };
type Markets = Awaited<ReturnType<typeof journalAt>>['market'];

async function measured(
  db: Db,
  { folder, venue }: RecordedDepthPlan,
  rises: readonly RiseAt[],
  signal: AbortSignal,
): Promise<ShownAtRise[]> {
  const followed = await followedOf(db, venue, rises);
  const [from, last] = [followed[0]?.at, followed.at(-1)?.at];
  if (from === undefined || last === undefined) return [];
  const tokenIds = new Set(followed.flatMap((rise) => rise.tokenIds.filter((tokenId) => tokenId !== null)));
  const books = new PastBooks(tokenIds, from);
  const found: ShownAtRise[] = [];
  // What stands at an instant is known when the next one comes.
  const takeUntil = (next: number) => {
    for (const rise of followed) {
      const metAt = instantFromMs(rise.at + LATENCY_MS);
      if (rise.shown === null && rise.at < next) rise.shown = shownAt(rise, books);
      if (rise.shown === null || metAt >= next) continue;
      found.push(...rise.shown.flatMap((shown) => stillThere(rise, shown, books)));
      rise.shown = [];
    }
  };
  const span = { from, until: instantFromMs(last + LATENCY_MS) };
  for await (const { at, records } of byMoment(findRecords({ folder, tokenIds, ...span }), signal)) {
    if (at > span.until) break;
    takeUntil(at);
    books.apply(records);
  }
  takeUntil(Number.POSITIVE_INFINITY);
  return found;
}

function shownAt({ positions, targetPrice, tokenIds, markets, at }: Followed, books: PastBooks): ShownDepth[] {
  const quotes = positions.map((position, place) => {
    const known = { tokenId: tokenIds[place] ?? null, market: markets.get(position.marketId) };
    return quoteThen(position, known, books, at);
  });
  return quotes.every(isStreamed) ? shownDepth(quotes, targetPrice) : [];
}

/** Behind a hole nothing is known of what became of it. */
function stillThere({ opportunityId, at }: RiseAt, { tokenId, order }: ShownDepth, books: PastBooks): ShownAtRise[] {
  const book = books.trust(tokenId) === 'live' ? books.book(tokenId) : undefined;
  if (book === undefined) return [];
  return [{ opportunityId, at, tokenId, order: { ...order, met: sizeWithin(book.asks, order.limit, 'buy') } }];
}

/** As it was then; where nothing says how, as it is now. */
async function followedOf(db: Db, venue: string, rises: readonly RiseAt[]): Promise<Followed[]> {
  const now = await readOpportunities(db, [...new Set(rises.map(({ opportunityId }) => opportunityId))]);
  const asked = await Promise.all(
    rises.map(async (rise): Promise<Asked[]> => {
      const { opportunityId: id, at } = rise;
      const then = (await journalAt(db, venue, at, { opportunity: [id] })).opportunity.get(id);
      if (then !== undefined) return [{ ...rise, positions: then.positions, targetPrice: then.targetPrice }];
      const row = now.find((each) => each.id === id);
      if (row === undefined) return [];
      return [{ ...rise, positions: positionsOf(row.marketCombinations), targetPrice: row.targetPrice }];
    }),
  );
  return await Promise.all(
    asked.flat().map(async (rise): Promise<Followed> => {
      const marketIds = rise.positions.map(({ marketId }) => marketId);
      const { market: markets } = await journalAt(db, venue, rise.at, { market: marketIds });
      const tokenIds = rise.positions.map((position) => {
        const token = resolvePosition(position, markets.get(position.marketId));
        return token.kind === 'resolved' ? token.tokenId : null;
      });
      return { ...rise, tokenIds, markets, shown: null };
    }),
  );
}
