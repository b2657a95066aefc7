import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { EventId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { inArray } from 'drizzle-orm';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { sliced } from '../../platform/runtime/slices.ts';
import { changedRelations, relationsById, type StoredRelation } from '../relations/store.ts';
import { catalogueEvents } from './table.ts';
import { type Watched, watchedOf } from './watched.ts';

/**
 * How far back each read reaches: the clocks of two processes may differ, and a commit may come late. While a venue is read for the first
 * time that is thousands of relations, of which only those that were not handed on are read whole.
 */
const OVERLAP_MS = 10_000;
const VERSIONS_PER_READ = 5000;
/** The rules of their members weigh most. */
const ROWS_PER_READ = 200;
/** Handed on per tick of the event loop: at a start all relations of a venue are. */
const MEMBERS_PER_SLICE = 50;

export type RelationChanges = {
  /** Relations that were read or decided about since the last read; at the first all of the partitions held, later all of those gained. */
  read: (onRelation: (watched: Watched) => void) => Promise<void>;
  /** Partitions that have come. */
  gain: (partitions: readonly number[]) => void;
};

/** Follows the table by `updated_at`, which prices do not move. */
export function followRelations(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  held: () => readonly number[] | null,
): RelationChanges {
  let since: Instant | null = null;
  /** Versions that were handed on within the overlap. */
  let seen: ReadonlyMap<string, Instant> = new Map();
  /** Gained partitions whose relations are not all read yet. */
  const gained = new Set<number>();

  const readFrom = async (
    from: Instant | null,
    partitions: readonly number[] | null,
    known: ReadonlyMap<string, Instant>,
    onRelation: (watched: Watched) => void,
  ) => {
    const next = new Map<string, Instant>();
    const slices = sliced(MEMBERS_PER_SLICE);
    let after: string | null = null;
    for (;;) {
      const versions = await changedRelations(db, from, partitions, after, VERSIONS_PER_READ);
      const fresh = byEvent(versions.filter(({ id, updatedAt }) => known.get(id) !== updatedAt));
      for (let place = 0; place < fresh.length; place += ROWS_PER_READ) {
        const rows = await relationsById(db, fresh.slice(place, place + ROWS_PER_READ));
        const events = await readCatalogueEvents(db, rows);
        for (const row of rows) {
          onRelation(watchedOf(row, events));
          await slices.spend(row.members.length);
        }
      }
      for (const { id, updatedAt } of versions) next.set(id, updatedAt);
      after = versions.at(-1)?.id ?? null;
      if (versions.length < VERSIONS_PER_READ) return next;
    }
  };
  const readGained = async (onRelation: (watched: Watched) => void) => {
    const some = [...gained];
    gained.clear();
    try {
      await readFrom(null, some, new Map(), onRelation);
    } catch (error) {
      for (const partition of some) gained.add(partition);
      throw error;
    }
  };
  return {
    read: async (onRelation) => {
      const begun = (clock.now() - OVERLAP_MS) as Instant;
      if (gained.size > 0) await readGained(onRelation);
      seen = await readFrom(since, held(), seen, onRelation);
      since = begun;
    },
    gain: (partitions) => {
      for (const partition of partitions) gained.add(partition);
    },
  };
}

/** Orders versions by event, so that an event with hundreds of relations is read in few parts. */
function byEvent(versions: Awaited<ReturnType<typeof changedRelations>>): string[] {
  return versions.toSorted((one, other) => (one.eventId < other.eventId ? -1 : 1)).map(({ id }) => id);
}

/** The events of the relations' members, by id. */
export async function readCatalogueEvents(
  db: Db,
  rows: readonly Pick<StoredRelation, 'members'>[],
): Promise<Map<EventId, CatalogueEvent>> {
  const ids = [...new Set(rows.flatMap(({ members }) => members.map(({ eventId }) => eventId)))];
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ id: catalogueEvents.id, event: catalogueEvents.event })
    .from(catalogueEvents)
    .where(inArray(catalogueEvents.id, ids));
  return new Map(found.map(({ id, event }) => [id, event]));
}
