/** What the batches that match cost, brought and still bind at each venue. */
import type { ReportSummary } from '@dutchbook/contract/report.ts';
import { VENUE_NAMES, type VenueName } from '@dutchbook/units/ids.ts';
import { eq, type SQL, sql } from 'drizzle-orm';
import { venueIn } from '../../platform/database/columns.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { COUNT, slippageParts, total, totalUsd } from './figures.ts';
import { matching, type ReportFilter } from './filter.ts';
import { batchResults, venueResults } from './table.ts';

type AtVenue = ReportSummary['by_venue'][number];

/** Figures by venue: a batch at one venue by its own row, one over several by its parts, in one pass. */
export async function readByVenue(db: Db, filter: ReportFilter): Promise<AtVenue[]> {
  const rows = await db
    .select({
      venue: sql<VenueName>`coalesce(${venueResults.venue}, ${venueIn(batchResults.eventId)})`,
      batches: COUNT,
      legs: total(partOf('legs')),
      filled_legs: total(partOf('filledLegs')),
      cost_usd: totalUsd(partOf('paid')),
      received_usd: totalUsd(partOf('received')),
      fees_usd: totalUsd(partOf('fees')),
      ...slippageParts({
        movedBeforeSend: partOf('movedBeforeSend'),
        movedInFlight: partOf('movedInFlight'),
        sizeAdded: partOf('sizeAdded'),
      }),
      capital_usd: totalUsd(partOf('locked')),
    })
    .from(batchResults)
    .leftJoin(venueResults, eq(venueResults.batchId, batchResults.batchId))
    .where(matching(filter))
    .groupBy(sql`1`);
  return VENUE_NAMES.flatMap((name) => rows.filter(({ venue }) => venue === name));
}

type Part = Exclude<keyof typeof venueResults.$inferSelect, 'batchId' | 'venue'>;

function partOf(name: Part): SQL {
  return sql`coalesce(${venueResults[name]}, ${batchResults[name]})`;
}
