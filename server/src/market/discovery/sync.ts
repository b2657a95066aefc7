/** Keeps the catalogue of a whole venue current: pass after pass over its events, and on from where the last process stopped. */
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { EventId, VenueName } from '@dutchbook/units/ids.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { inOrder } from '@dutchbook/venues/in-order.ts';
import { type VenueCatalogue, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq, sql } from 'drizzle-orm';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { closeListings, keepListings, markListed } from '../search/keep-listings.ts';
import { dropEvents, keepEvents, knownMarkets, unseenEvents } from './keep-events.ts';
import type { WatchedDiscoverySettings } from './settings.ts';
import { cataloguePasses } from './table.ts';

/** The partition whose engine reads for all: there is one of it. */
const SYNC_PARTITION = 0;
const TICK_MS = 1000;
/** Pages: while one waits for the database, what is read of the next is found out. */
const PAGES_AT_ONCE = 3;
/** Longest pause after a failure: the first is a second, each further one twice as long. */
const RETRY_MS_MAX = 60_000;
const EVENTS_PER_QUESTION = 50;
/** How often the venue is asked for what it has listed last, beside the passes: a pass over a large venue and the pause behind it take minutes. */
const NEWS_MS = 20_000;
/** Newest events read between passes; older ones are left to the next pass. */
const NEWEST_MAX = 5_000;

export type SyncParts = {
  runtime: Runtime;
  venue: VenueName;
  catalogue: Pick<VenueCatalogue, 'readEvents' | 'eventsById' | 'newestMarkets' | 'listed'>;
  partitions: Partitions;
  settings: WatchedDiscoverySettings;
  /** Pause between passes. */
  pauseMs: number;
  /** Finds what events have to do with one another, at the end of a pass. */
  relate: () => Promise<void>;
};

type Pass = typeof cataloguePasses.$inferSelect;
/**
 * The events that a pass has seen, in memory: a process that goes on with another's pass asks for events that it did not see itself by
 * their ids.
 */
type Seen = { pass: number; ids: Set<EventId> };

/** Reads while this process holds the lease of the sync. @returns what ends it, once the page that is being read is stored */
export function startSync(parts: SyncParts): { stop: () => Promise<void> } {
  const { runtime, venue, partitions, settings } = parts;
  const { clock, db } = runtime;
  const failures = openFailureLog(runtime.log, 'warn', 'catalogue pass broken off, continued from its last page');
  let isStopped = false;
  let failedInARow = 0;
  let retryAt = clock.now();
  let seen: Seen = { pass: 0, ids: new Set() };
  const isOurs = () => {
    const held = partitions.held();
    return !isStopped && settings.current().enabled && (held === null || held.includes(SYNC_PARTITION));
  };
  const work = oneAtATime(async () => {
    if (!isOurs() || clock.now() < retryAt) return;
    let begunAt: string | null = null;
    try {
      const last = await readPass(db, venue);
      begunAt = last?.cursor ?? null;
      if (isDue(parts, last)) {
        const pass = nextPass(last);
        if (seen.pass !== pass) seen = { pass, ids: new Set() };
        await runPass(parts, isOurs, seen);
      }
      failedInARow = 0;
      failures.succeeded();
    } catch (error) {
      retryAt = instantFromMs(clock.now() + Math.min(parts.pauseMs, RETRY_MS_MAX, TICK_MS * 2 ** failedInARow));
      failedInARow += 1;
      await noteFailure(parts, error, begunAt).catch((second: unknown) => failures.failed(second));
      failures.failed(error);
    }
  });
  const newsFailures = openFailureLog(runtime.log, 'warn', 'newest markets not read, asked for again');
  const news = oneAtATime(async () => {
    if (!isOurs()) return;
    try {
      await readNewest(parts);
      newsFailures.succeeded();
    } catch (error) {
      newsFailures.failed(error);
    }
  });
  const stops = [runtime.timers.every(TICK_MS, work), runtime.timers.every(NEWS_MS, news)];
  return {
    stop: async () => {
      isStopped = true;
      for (const stopTicking of stops) stopTicking();
      await Promise.all([work.ended(), news.ended()]);
    },
  };
}

/** Continues a pass that was cut off, or begins the next. */
function nextPass(last: Pass | null): number {
  return last !== null && last.finishedAt === null ? last.pass : (last?.pass ?? 0) + 1;
}

function isDue({ runtime, pauseMs }: SyncParts, last: Pass | null): boolean {
  if (last === null || last.finishedAt === null) return true;
  return runtime.clock.now() - last.finishedAt >= pauseMs;
}

/** The last one of each venue. */
export async function readPasses(db: Db): Promise<Pass[]> {
  return await db.select().from(cataloguePasses).orderBy(cataloguePasses.startedAt);
}

export async function readPass(db: Db, venue: VenueName): Promise<Pass | null> {
  const [row] = await db.select().from(cataloguePasses).where(eq(cataloguePasses.venue, venue));
  return row ?? null;
}

/** Runs a pass, or the rest of one. Ends early when `isOurs` is false. */
async function runPass(
  { runtime, venue, catalogue, relate }: SyncParts,
  isOurs: () => boolean,
  { pass, ids: seen }: Seen,
): Promise<void> {
  const { db, clock } = runtime;
  const last = await readPass(db, venue);
  const isContinued = last !== null && last.finishedAt === null;
  const startedAt = isContinued ? last.startedAt : clock.now();
  let eventsRead = isContinued ? last.eventsRead : 0;
  const note = (fields: Partial<Pass>) =>
    writePass(db, { venue, pass, startedAt, eventsRead, error: null, finishedAt: null, cursor: null, ...fields });
  await note({ cursor: isContinued ? last.cursor : null });
  const underWay = new Set<Promise<void>>();
  const kept = inOrder(
    catalogue.readEvents(isContinued ? last.cursor : null, venue),
    async (page) => {
      if (!isOurs()) return null;
      const keeping = keep({ runtime, catalogue }, page.events, pass).finally(() => underWay.delete(keeping));
      underWay.add(keeping);
      await keeping;
      return page;
    },
    PAGES_AT_ONCE,
  );
  try {
    for await (const page of kept) {
      if (page === null || !isOurs()) return;
      for (const { id } of page.events) seen.add(id);
      eventsRead += page.events.length;
      await note({ cursor: page.cursor });
    }
  } finally {
    await Promise.allSettled(underWay);
  }
  await readUnseen({ runtime, venue, catalogue }, pass, seen);
  await relate();
  if (catalogue.listed !== undefined) await markListed(runtime, venue, isContinued);
  await note({ finishedAt: clock.now() });
}

/**
 * It goes on behind the last page. Where no page was read since `begunAt` the venue may not take that cursor any more, and would refuse
 * it for ever: the pass begins anew.
 */
async function noteFailure({ runtime, venue }: SyncParts, error: unknown, begunAt: string | null): Promise<void> {
  const reason = error instanceof VenueUnavailable ? error.message : 'it could not be stored';
  const { cursor } = cataloguePasses;
  const kept = sql`case when ${cursor} is distinct from ${begunAt} then ${cursor} end`;
  await runtime.db.update(cataloguePasses).set({ error: reason, cursor: kept }).where(eq(cataloguePasses.venue, venue));
}

async function keep(
  { runtime, catalogue }: Pick<Reading, 'runtime' | 'catalogue'>,
  events: readonly CatalogueEvent[],
  pass: number,
): Promise<void> {
  const { listed } = catalogue;
  const kept = await Promise.allSettled([
    keepEvents(runtime, events, pass),
    listed === undefined ? undefined : keepListings(runtime.db, events, (marketId) => listed.call(catalogue, marketId)),
  ]);
  for (const each of kept) if (each.status === 'rejected') throw each.reason;
}

type Reading = Pick<SyncParts, 'runtime' | 'venue' | 'catalogue'>;

/**
 * Events whose newest markets are not known yet, back to where all are known: a venue lists hundreds at once. Before the first pass, which
 * reads them all, none is read.
 */
async function readNewest({ runtime, venue, catalogue }: SyncParts): Promise<void> {
  const last = await readPass(runtime.db, venue);
  if (last === null || (last.pass === 1 && last.finishedAt === null)) return;
  const asked = new Set<EventId>();
  for (let skip = 0; skip < NEWEST_MAX; ) {
    const newest = (await catalogue.newestMarkets?.(skip, venue)) ?? [];
    const known = await knownMarkets(
      runtime.db,
      newest.map(({ marketId }) => marketId),
    );
    const unknown = newest.flatMap(({ marketId, eventId }) => (known.has(marketId) ? [] : eventId));
    if (unknown.length === 0) return;
    const ids = [...new Set(unknown)].filter((id) => !asked.has(id));
    for (let from = 0; from < ids.length; from += EVENTS_PER_QUESTION) {
      const found = await catalogue.eventsById(ids.slice(from, from + EVENTS_PER_QUESTION), 'following');
      await keep({ runtime, catalogue }, found, last.pass);
    }
    for (const id of ids) asked.add(id);
    skip += newest.length;
  }
}

/** Asks by id for known events that no page held: closed ones are not listed any more. */
async function readUnseen(
  { runtime, venue, catalogue }: Reading,
  pass: number,
  seen: ReadonlySet<EventId>,
): Promise<void> {
  const unseen = await unseenEvents(runtime.db, venue, pass, seen);
  for (let from = 0; from < unseen.length; from += EVENTS_PER_QUESTION) {
    const ids = unseen.slice(from, from + EVENTS_PER_QUESTION);
    const found = await catalogue.eventsById(ids, 'following');
    await keep({ runtime, catalogue }, found, pass);
    const known = new Set(found.map(({ id }) => id));
    const gone = ids.filter((id) => !known.has(id));
    if (gone.length === 0) continue;
    await dropEvents(runtime, gone, pass);
    await closeListings(runtime.db, gone);
  }
}

async function writePass(db: Db, row: Pass): Promise<void> {
  await db.insert(cataloguePasses).values(row).onConflictDoUpdate({ target: cataloguePasses.venue, set: row });
}
