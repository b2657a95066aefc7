/** Keeps the catalogue of the whole venue current: pass after pass over its events, and on from where the last process stopped. */
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { type VenueCatalogue, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { sql } from 'drizzle-orm';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { dropEvents, keepEvents, unseenEvents } from './keep-events.ts';
import { relateAcross } from './relate-across.ts';
import type { WatchedDiscoverySettings } from './settings.ts';
import { catalogueSync } from './table.ts';

/** The partition whose engine reads for all: there is one of it. */
const SYNC_PARTITION = 0;
const TICK_MS = 1000;
/** From a failure to the next try: at first a second, then twice as long each time. */
const RETRY_MS_MAX = 60_000;
const EVENTS_PER_QUESTION = 50;

export type SyncParts = {
  runtime: Runtime;
  catalogue: Pick<VenueCatalogue, 'readEvents' | 'eventsById'>;
  partitions: Partitions;
  settings: WatchedDiscoverySettings;
  /** From the end of one pass to the beginning of the next. */
  pauseMs: number;
};

type Sync = typeof catalogueSync.$inferSelect;

/** Reads while this process holds the lease of the sync. @returns what ends it, once the page that is being read is stored */
export function startSync(parts: SyncParts): { stop: () => Promise<void> } {
  const { runtime, partitions, settings } = parts;
  const { clock, db } = runtime;
  const failures = openFailureLog(runtime.log, 'warn', 'catalogue pass broken off, continued from its last page');
  let isStopped = false;
  let failedInARow = 0;
  let retryAt = clock.now();
  const isOurs = () => {
    const held = partitions.held();
    return !isStopped && settings.current().enabled && (held === null || held.includes(SYNC_PARTITION));
  };
  const work = oneAtATime(async () => {
    if (!isOurs() || clock.now() < retryAt) return;
    let begunAt: string | null = null;
    try {
      const sync = await readSync(db);
      begunAt = sync?.cursor ?? null;
      if (isDue(parts, sync)) await runPass(parts, isOurs);
      failedInARow = 0;
      failures.succeeded();
    } catch (error) {
      retryAt = instantFromMs(clock.now() + Math.min(parts.pauseMs, RETRY_MS_MAX, TICK_MS * 2 ** failedInARow));
      failedInARow += 1;
      await noteFailure(runtime, error, begunAt).catch((second: unknown) => failures.failed(second));
      failures.failed(error);
    }
  });
  const stopTicking = runtime.timers.every(TICK_MS, work);
  return {
    stop: async () => {
      isStopped = true;
      stopTicking();
      await work.ended();
    },
  };
}

function isDue({ runtime, pauseMs }: SyncParts, sync: Sync | null): boolean {
  if (sync === null || sync.finishedAt === null) return true;
  return runtime.clock.now() - sync.finishedAt >= pauseMs;
}

export async function readSync(db: Db): Promise<Sync | null> {
  const [row] = await db.select().from(catalogueSync);
  return row ?? null;
}

/** One pass, or the rest of one. Ends early where `isOurs` says no. */
async function runPass({ runtime, catalogue }: SyncParts, isOurs: () => boolean): Promise<void> {
  const { db, clock } = runtime;
  const last = await readSync(db);
  const isContinued = last !== null && last.finishedAt === null;
  const pass = isContinued ? last.pass : (last?.pass ?? 0) + 1;
  const startedAt = isContinued ? last.startedAt : clock.now();
  let eventsRead = isContinued ? last.eventsRead : 0;
  const note = (fields: Partial<Sync>) =>
    writeSync(db, { pass, startedAt, eventsRead, error: null, finishedAt: null, cursor: null, ...fields });
  await note({ cursor: isContinued ? last.cursor : null });
  for await (const page of catalogue.readEvents(isContinued ? last.cursor : null)) {
    if (!isOurs()) return;
    await keepEvents(runtime, page.events, pass);
    eventsRead += page.events.length;
    await note({ cursor: page.cursor });
  }
  await readUnseen(runtime, catalogue, pass);
  await relateAcross(runtime);
  await note({ finishedAt: clock.now() });
}

/**
 * It goes on behind the last page. Where no page was read since `begunAt` the venue may not take that cursor any more, and would refuse
 * it for ever: the pass begins anew.
 */
async function noteFailure({ db }: Runtime, error: unknown, begunAt: string | null): Promise<void> {
  const reason = error instanceof VenueUnavailable ? error.message : 'it could not be stored';
  const { cursor } = catalogueSync;
  const kept = sql`case when ${cursor} is distinct from ${begunAt} then ${cursor} end`;
  await db.update(catalogueSync).set({ error: reason, cursor: kept });
}

/** What no page held is asked for by its id: events that are closed or gone are not listed any more. */
async function readUnseen(runtime: Runtime, catalogue: SyncParts['catalogue'], pass: number): Promise<void> {
  const unseen = await unseenEvents(runtime.db, pass);
  for (let from = 0; from < unseen.length; from += EVENTS_PER_QUESTION) {
    const ids = unseen.slice(from, from + EVENTS_PER_QUESTION);
    const found = await catalogue.eventsById(ids, 'following');
    await keepEvents(runtime, found, pass);
    const known = new Set(found.map(({ id }) => id));
    const gone = ids.filter((id) => !known.has(id));
    if (gone.length > 0) await dropEvents(runtime, gone, pass);
  }
}

async function writeSync(db: Db, row: Omit<Sync, 'only'>): Promise<void> {
  await db
    .insert(catalogueSync)
    .values({ only: true, ...row })
    .onConflictDoUpdate({ target: catalogueSync.only, set: row });
}
