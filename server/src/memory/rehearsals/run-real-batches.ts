/** The batches that were really placed, and how long ours take to the venue. */
import type { BatchOutcome } from '@dutchbook/engine/rehearsal/batch-outcome.ts';
import type { PlacedBatch } from '@dutchbook/engine/rehearsal/virtual-account.ts';
import { type TokenId, venueOf } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { addUsd, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { and, desc, eq, gt, gte, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { batchResults } from '../../books/report/table.ts';
import { decisionJournal } from '../../market/decision-journal/table.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { batches, batchOrders } from '../../trading/orders/table.ts';

/** `outcome`: what has come of it; null while it goes on, or where it was only simulated. `until`: null while it is active. */
export type RealBatch = {
  id: string;
  opportunityId: string;
  at: Instant;
  /** At all venues. */
  spent: Usd;
  /** One for each venue of its orders. */
  parts: readonly PlacedBatch[];
  until: Instant | null;
  /** The clip of a series that it is; null where it is none. */
  clip: { seriesId: string; number: number } | null;
  outcome: Pick<BatchOutcome, 'kind' | 'profit'> | null;
};

export type RealBatches = {
  get: (id: string) => RealBatch | null;
  /** The id of the one that was active then. */
  activeOf: (opportunityId: string, at: Instant) => string | null;
  clipOf: (seriesId: string, number: number) => RealBatch | null;
  /** Later clips of a series, which no trigger bought. */
  laterClips: readonly RealBatch[];
};

/** Batches that began or were active in the span. */
export async function readRealBatches(db: Db, from: Instant, until: Instant): Promise<RealBatches> {
  const { executionCompletedAt: endedAt, createdAt, id, opportunityId, simulated, seriesId, clipNumber } = batches;
  const orders = sql<OrderSpent[]>`(select coalesce(json_agg(json_build_object('tokenId', ${batchOrders.tokenId},
      'paid', case ${batchOrders.side} when 'buy' then ${batchOrders.filledCost} + ${batchOrders.fee} else 0 end,
      'received', case ${batchOrders.side} when 'sell' then ${batchOrders.filledCost} - ${batchOrders.fee} else 0 end)
      order by ${batchOrders.ordinal}), '[]')
    from ${batchOrders} where ${batchOrders.batchId} = ${id})`;
  const rows = await db
    .select({
      id,
      opportunityId,
      simulated,
      createdAt,
      endedAt,
      seriesId,
      clipNumber,
      result: batchResults,
      orders,
    })
    .from(batches)
    .leftJoin(batchResults, eq(batchResults.batchId, id))
    .where(and(lte(createdAt, until), or(gte(createdAt, from), isNull(endedAt), gt(endedAt, from))));
  const byId = new Map<string, RealBatch>();
  for (const row of rows) {
    const spent = row.simulated ? USD_ZERO : spentOn(row.result);
    byId.set(row.id, {
      ...{ id: row.id, opportunityId: row.opportunityId, at: row.createdAt, until: row.endedAt, spent },
      parts: partsOf(row.simulated ? [] : row.orders, {
        at: row.createdAt,
        spent,
        held: row.result?.locked ?? USD_ZERO,
      }),
      clip:
        row.seriesId === null || row.clipNumber === null ? null : { seriesId: row.seriesId, number: row.clipNumber },
      outcome: row.endedAt === null || row.result === null ? null : outcomeOf(row.result),
    });
  }
  const byOpportunity = Map.groupBy(byId.values(), (batch) => batch.opportunityId);
  const clips = [...byId.values()].filter(({ clip }) => clip !== null);
  const keyOf = (series: string, number: number) => `${series} ${number}`;
  const byClip = new Map(clips.map((batch) => [keyOf(batch.clip?.seriesId ?? '', batch.clip?.number ?? 0), batch]));
  return {
    clipOf: (series, number) => byClip.get(keyOf(series, number)) ?? null,
    laterClips: clips.filter(({ clip }) => clip !== null && clip.number > 1),
    get: (batchId) => byId.get(batchId) ?? null,
    activeOf: (ofOpportunity, at) =>
      byOpportunity.get(ofOpportunity)?.find((each) => each.at <= at && (each.until === null || each.until > at))?.id ??
      null,
  };
}

type Result = typeof batchResults.$inferSelect;

/** What an order has paid with its fees, or brought without them. */
type OrderSpent = { tokenId: TokenId; paid: number; received: number };

/** What a batch took at each venue of its orders. What it holds is divided as what it paid; the parts add up to the whole. */
function partsOf(orders: readonly OrderSpent[], whole: Omit<PlacedBatch, 'venue'>): PlacedBatch[] {
  const byVenue = [...Map.groupBy(orders, ({ tokenId }) => venueOf(tokenId))];
  const sumOf = (some: readonly OrderSpent[], amount: (order: OrderSpent) => number) =>
    some.reduce((sum, order) => sum + amount(order), 0);
  const paid = sumOf(orders, (order) => order.paid);
  let spentLeft: number = whole.spent;
  let heldLeft: number = whole.held;
  return byVenue.map(([venue, some], place) => {
    const isLast = place === byVenue.length - 1;
    const share = paid === 0 ? 0 : sumOf(some, (order) => order.paid) / paid;
    const spent = isLast ? spentLeft : sumOf(some, (order) => order.paid - order.received);
    const held = isLast ? heldLeft : Math.round(whole.held * share);
    spentLeft -= spent;
    heldLeft -= held;
    return { venue, at: whole.at, spent: spent as Usd, held: held as Usd };
  });
}

function spentOn(result: Result | null): Usd {
  return result === null ? USD_ZERO : subtractUsd(addUsd(result.paid, result.fees), result.received);
}

function outcomeOf({ filledShares, orderedShares, ...result }: Result): RealBatch['outcome'] {
  const profit = subtractUsd(addUsd(result.paidProfit, result.lockedProfit), result.atRisk);
  if (filledShares === 0) return { kind: 'unfilled', profit };
  return { kind: filledShares < orderedShares ? 'unwound' : 'completed', profit };
}

/** In milliseconds. `isOwn`: measured here, and not what is assumed. */
export type Latency = { measuredMs: number; pessimisticMs: number; isOwn: boolean };

const ASSUMED_MS = 300;
const BATCHES_AT_LEAST = 20;
const BATCHES_LOOKED_AT = 1000;

/**
 * From the trigger to the match: half of the last batches that were decided at the venue took at most the one, nine tenths the other.
 * Another venue takes another time, and only the decisions in the journal say which venue a batch was on.
 */
export async function readLatency(db: Db, venue: string): Promise<Latency> {
  const batchId = sql<string>`(${decisionJournal.data} ->> 'batchId')::uuid`;
  const decided = db
    .select({ batchId: batchId.as('decided_id') })
    .from(decisionJournal)
    .where(and(eq(decisionJournal.venue, venue), eq(decisionJournal.topic, 'decision'), isNotNull(batchId)))
    .orderBy(desc(decisionJournal.at))
    .limit(BATCHES_LOOKED_AT)
    .as('decided');
  const last = db
    .select({ ms: batchResults.matchedMs })
    .from(batchResults)
    .innerJoin(decided, eq(decided.batchId, batchResults.batchId))
    .where(isNotNull(batchResults.matchedAt))
    .as('last');
  const quantile = (of: number) =>
    sql<number | null>`percentile_disc(${of}) within group (order by ${last.ms})::float8`;
  const [found] = await db
    .select({ count: sql<number>`count(*)::int`, half: quantile(0.5), most: quantile(0.9) })
    .from(last);
  if (found === undefined || found.count < BATCHES_AT_LEAST || found.half === null || found.most === null)
    return { measuredMs: ASSUMED_MS, pessimisticMs: 3 * ASSUMED_MS, isOwn: false };
  return { measuredMs: found.half, pessimisticMs: Math.max(found.half, found.most), isOwn: true };
}

/** A moment from which on the batches of a day are all read. */
export function dayBefore(at: Instant): Instant {
  return instantFromMs(at - 24 * 3_600_000);
}
