import type { EventFacts } from '@dutchbook/engine/relation/event-facts.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { inArray } from 'drizzle-orm';
import { changedRelations, type StoredRelation } from '../relations/store.ts';
import type { Db, Runtime } from '../runtime.ts';
import { catalogueEvents } from './table.ts';
import { type Watched, watchedOf } from './watched.ts';

/** How far back each read reaches: the clocks of two processes may differ, and a commit may come late. */
const OVERLAP_MS = 10_000;
const ROWS_PER_READ = 200;

export type NewsOfRelations = {
  /** Relations that were read or decided about since the last read; at the first all of these partitions. */
  read: (onRelation: (watched: Watched) => void) => Promise<void>;
  /** All of partitions that have come. */
  readPartitions: (partitions: readonly number[], onRelation: (watched: Watched) => void) => Promise<void>;
};

/** Follows the table by `updated_at`, which prices do not move. */
export function followRelations(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  held: () => readonly number[] | null,
): NewsOfRelations {
  let since: Instant | null = null;
  /** Versions that were handed on within the overlap. */
  let seen = new Map<string, Instant>();

  const readFrom = async (
    from: Instant | null,
    partitions: readonly number[] | null,
    onRelation: (watched: Watched) => void,
  ) => {
    const next = new Map<string, Instant>();
    let after: string | null = null;
    for (;;) {
      const rows = await changedRelations(db, from, partitions, after, ROWS_PER_READ);
      const fresh = rows.filter(({ id, updatedAt }) => seen.get(id) !== updatedAt);
      const events = await readEventFacts(db, fresh);
      for (const row of fresh) onRelation(watchedOf(row, events));
      for (const { id, updatedAt } of rows) next.set(id, updatedAt);
      after = rows.at(-1)?.id ?? null;
      if (rows.length < ROWS_PER_READ) return next;
    }
  };
  return {
    read: async (onRelation) => {
      const begun = (clock.now() - OVERLAP_MS) as Instant;
      seen = await readFrom(since, held(), onRelation);
      since = begun;
    },
    readPartitions: async (partitions, onRelation) => {
      seen = new Map();
      await readFrom(null, partitions, onRelation);
    },
  };
}

/** The events of the relations' members, by id. */
export async function readEventFacts(
  db: Db,
  rows: readonly Pick<StoredRelation, 'members'>[],
): Promise<Map<string, EventFacts>> {
  const ids = [...new Set(rows.flatMap(({ members }) => members.map(({ eventId }) => eventId)))];
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ id: catalogueEvents.id, facts: catalogueEvents.facts })
    .from(catalogueEvents)
    .where(inArray(catalogueEvents.id, ids));
  return new Map(found.map(({ id, facts }) => [id, facts]));
}
