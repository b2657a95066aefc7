/**
 * The search for markets: in the product's own catalogue alone where discovery keeps one, from its first page on: a venue's own search
 * may have to read the whole listing first. Else, until that catalogue holds all of them, also at the venues.
 */
import type { listMarkets, MarketReply } from '@dutchbook/contract/markets.ts';
import type { Market, MarketEvent } from '@dutchbook/engine/market/market.ts';
import type { EventId, VenueName } from '@dutchbook/units/ids.ts';
import { elapsedMs } from '@dutchbook/units/instant.ts';
import { type LeftOutMarket, type VenueCatalogue, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type * as z from 'zod/mini';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { type FoundListing, type FoundListings, findListings } from './find-listings.ts';
import type { LastingCounts } from './lasting-counts.ts';
import { listedVenues } from './table.ts';

const VENUE_MS = 5_000;
/** Discovery may have been switched off since. */
const OUTDATED_MS = 1_800_000;

type Query = { search?: string; event?: EventId; skip: number; limit: number };
type FoundMarkets = z.output<(typeof listMarkets)['reply']>;
type LeftOut = FoundMarkets['left_out'];
export type SearchedVenues = {
  names: readonly VenueName[];
  catalogue: Pick<VenueCatalogue, 'searchMarkets' | 'searchLeftOut'>;
  /** Whether discovery reads what they list. */
  isKept: () => boolean;
  /** Counts of the list without a search. */
  counts?: LastingCounts;
};

/** Throws VenueUnavailable where discovery is off, nothing is known and no venue answers. */
export async function searchMarkets(
  { dbFor, clock, timers }: Pick<Runtime, 'dbFor' | 'clock' | 'timers'>,
  { names, catalogue, isKept, counts }: SearchedVenues,
  query: Query,
): Promise<FoundMarkets> {
  const db = dbFor.lists;
  const isWhole = await areListed(db, clock, names);
  if (isWhole || isKept()) return presentFound(await findListings(db, query, counts), !isWhole);
  const upTo = { ...query, skip: 0, limit: query.skip + query.limit };
  const own = presentFound(await findListings(db, upTo), false);
  if (own.data.length === upTo.limit) return { ...own, data: own.data.slice(query.skip) };
  const theirs = await inTime(timers, askVenue(catalogue, upTo)).catch((error: unknown) => {
    if (!(error instanceof VenueUnavailable) || own.count === 0) throw error;
    return null;
  });
  return page(theirs === null ? own : joined(own, theirs), query);
}

async function areListed(db: Db, clock: Runtime['clock'], names: readonly VenueName[]): Promise<boolean> {
  const rows = await db.select().from(listedVenues);
  const listed = rows.filter(({ listedAt }) => elapsedMs(listedAt, clock.now()) < OUTDATED_MS);
  return names.every((name) => listed.some(({ venue }) => venue === name));
}

async function askVenue(catalogue: SearchedVenues['catalogue'], query: Query): Promise<FoundMarkets> {
  const found = await catalogue.searchMarkets(query);
  const leftOut = await catalogue.searchLeftOut(query);
  return {
    data: found.data.map(presentMarket),
    count: found.count,
    left_out: { data: leftOut.data.map(presentLeftOut), count: leftOut.count },
    still_reading: false,
  };
}

/** Null where it takes too long; the venue's listing is read on, and the next search has it. */
function inTime<Answer>(timers: Runtime['timers'], asked: Promise<Answer>): Promise<Answer | null> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(VENUE_MS, () => resolve(null));
    asked.then(resolve, reject).finally(cancel);
  });
}

function joined(own: FoundMarkets, theirs: FoundMarkets): FoundMarkets {
  const data = withMissing(own.data, theirs.data);
  const leftOut = withMissing(own.left_out.data, theirs.left_out.data);
  return {
    data,
    count: Math.max(own.count, theirs.count, data.length),
    left_out: { data: leftOut, count: Math.max(own.left_out.count, theirs.left_out.count, leftOut.length) },
    still_reading: false,
  };
}

function withMissing<Row extends { id: string }>(own: readonly Row[], theirs: readonly Row[]): Row[] {
  const ids = new Set(own.map(({ id }) => id));
  return [...own, ...theirs.filter(({ id }) => !ids.has(id))];
}

function page({ data, count, left_out, still_reading }: FoundMarkets, { skip, limit }: Query): FoundMarkets {
  const first: LeftOut = { data: left_out.data.slice(0, limit), count: left_out.count };
  return { data: data.slice(skip, skip + limit), count, left_out: first, still_reading };
}

function presentFound({ data, count, left_out }: FoundListings, stillReading: boolean): FoundMarkets {
  return {
    still_reading: stillReading,
    data: data.flatMap((row) => presentListing(row) ?? []),
    count,
    left_out: {
      data: left_out.data.map(({ id, leftOut, listing: { question, event } }) => ({
        ...{ id, question, reason: leftOut ?? '' },
        event: { id: event.id, title: event.title, augmented: event.augmented, market_count: event.markets },
      })),
      count: left_out.count,
    },
  };
}

function presentListing({ id, closed, listing: { question, event, market } }: FoundListing): MarketReply | null {
  if (market === null) return null;
  return {
    ...presentTerms(market),
    ...{ id, question, accepting_orders: market.acceptingOrders && !closed },
    event: { id: event.id, title: event.title, augmented: event.augmented, market_count: event.markets },
  };
}

function presentMarket(market: Market): MarketReply {
  const { id, question, event, acceptingOrders } = market;
  return {
    ...presentTerms(market),
    ...{ id, question, accepting_orders: acceptingOrders },
    event: event && presentEvent(event),
  };
}

function presentTerms(market: NonNullable<FoundListing['listing']['market']>) {
  return {
    outcomes: market.outcomes.map(({ outcome, tokenId }) => ({ outcome, token_id: tokenId })),
    neg_risk: market.negRisk,
    end_date: market.endDate,
    resolution: market.resolution,
    tick_size: market.tick,
    min_order_size: market.minOrderSize,
    fee_rate: market.feeSchedule?.rate ?? null,
  };
}

function presentEvent({ id, title, augmented, marketIds }: MarketEvent): MarketReply['event'] {
  return { id, title, augmented, market_count: marketIds.length };
}

function presentLeftOut({ id, question, event, reason }: LeftOutMarket): LeftOut['data'][number] {
  return { id, question, event: event && presentEvent(event), reason };
}
