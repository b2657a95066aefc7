/** What the batches that match cost, brought and still bind at each venue. */
import type { ReportSummary } from '@dutchbook/contract/report.ts';
import { VENUE_NAMES, type VenueName } from '@dutchbook/units/ids.ts';
import { and, eq, notExists, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { venueIn } from '../../trading/orders/venue-in.ts';
import { COUNT, slippageParts, total, totalUsd } from './figures.ts';
import { matching, type ReportFilter } from './filter.ts';
import { batchResults, venueResults } from './table.ts';

type AtVenue = ReportSummary['by_venue'][number];

/** Of a batch at one venue by its own row, of one over several by the rows of its parts. */
export async function readByVenue(db: Db, filter: ReportFilter): Promise<AtVenue[]> {
  const isOfBatch = eq(venueResults.batchId, batchResults.batchId);
  const isDivided = db.select({ is: sql`1` }).from(venueResults).where(isOfBatch);
  const whole = await db
    .select({ venue: venueIn(batchResults.eventId) as SQL<VenueName>, ...sumsOf(batchResults) })
    .from(batchResults)
    .where(and(matching(filter), notExists(isDivided)))
    .groupBy(sql`1`);
  const parts = await db
    .select({ venue: venueResults.venue, ...sumsOf(venueResults) })
    .from(venueResults)
    .innerJoin(batchResults, isOfBatch)
    .where(matching(filter))
    .groupBy(venueResults.venue);
  return VENUE_NAMES.flatMap((name) => {
    const found = [...whole, ...parts].filter(({ venue }) => venue === name);
    return found.length === 0 ? [] : found.reduce(added);
  });
}

function sumsOf(of: typeof batchResults | typeof venueResults) {
  return {
    batches: COUNT,
    legs: total(of.legs),
    filled_legs: total(of.filledLegs),
    cost_usd: totalUsd(of.paid),
    received_usd: totalUsd(of.received),
    fees_usd: totalUsd(of.fees),
    ...slippageParts(of),
    capital_usd: totalUsd(of.locked),
  };
}

function added({ venue, ...one }: AtVenue, { venue: _, ...other }: AtVenue): AtVenue {
  const sums = Object.entries(one).map(([name, amount]) => [name, amount + other[name as keyof typeof other]]);
  return { venue, ...(Object.fromEntries(sums) as typeof one) };
}
