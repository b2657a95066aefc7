/** Keeps the catalogue of the whole venue current: pass after pass over its events, and on from where the last process stopped. */
import { type VenueCatalogue, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { Partitions } from '../parts.ts';
import { openFailureLog } from '../runtime/failure-log.ts';
import { oneAtATime } from '../runtime/one-at-a-time.ts';
import type { Db, Runtime } from '../runtime.ts';
import { dropEvents, keepEvents, unseenEvents } from './keep-events.ts';
import { relateAcross } from './relate-across.ts';
import type { WatchedDiscoverySettings } from './settings.ts';
import { catalogueSync } from './table.ts';

/** The partition whose engine reads for all: there is one of it. */
const SYNC_PARTITION = 0;
const TICK_MS = 1000;
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

/** Reads whenever it is this process's turn. @returns what ends it, once the page that is being read is stored */
export function startSync(parts: SyncParts): { stop: () => Promise<void> } {
  const { runtime, partitions, settings } = parts;
  const failures = openFailureLog(runtime.log, 'warn', 'catalogue pass broken off, continued from its last page');
  let isStopped = false;
  const isOurs = () => {
    const held = partitions.held();
    return !isStopped && settings.current().enabled && (held === null || held.includes(SYNC_PARTITION));
  };
  const work = oneAtATime(async () => {
    if (!isOurs()) return;
    try {
      if (await isDue(parts)) await runPass(parts, isOurs);
      failures.succeeded();
    } catch (error) {
      await noteFailure(runtime, error).catch((second: unknown) => failures.failed(second));
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

async function isDue({ runtime, pauseMs }: SyncParts): Promise<boolean> {
  const sync = await readSync(runtime.db);
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

/** A cursor that the venue does not take any more would be refused for ever: the pass begins anew. */
async function noteFailure({ db }: Runtime, error: unknown): Promise<void> {
  const reason = error instanceof VenueUnavailable ? error.message : 'it could not be stored';
  await db.update(catalogueSync).set({ error: reason, cursor: null });
}

/** What no page held is asked for by its id: closed events are listed no more, others have vanished. */
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
