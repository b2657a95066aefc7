/** Stores a venue's events and markets for search. */
import { createHash } from 'node:crypto';
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { EventId, MarketId, VenueName } from '@dutchbook/units/ids.ts';
import { eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import { insertOf, setExcluded } from '../../platform/database/many-rows.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { sliced } from '../../platform/runtime/slices.ts';
import { listingOf, wordsOf, wordsOfEvent } from './listing.ts';
import { listedVenues, listedWords, marketListings } from './table.ts';

type Row = typeof marketListings.$inferSelect;

/** The market as it was read last, and what is traded in it, in dollars; null of what is not known. */
export type Listed = (marketId: MarketId) => { market: Market; dollars: number } | null;

const SLUG_LENGTH_MAX = 500;
const MEMBERS_PER_SLICE = 50;
const ROWS_TOGETHER = 400;
/** A quarter more or less is not written again. */
const STEP = 1.25;
const HASH_LENGTH = 16;

/** Writes changed listings of these events, each read as a whole, and removes those they no longer have. */
export async function keepListings(db: Db, events: readonly CatalogueEvent[], listed: Listed): Promise<void> {
  const rows = new Map<string, Row>();
  const slices = sliced(MEMBERS_PER_SLICE);
  for (const event of events) {
    for (const row of rowsOf(event, listed)) rows.set(row.id, row);
    await slices.spend(event.members.length);
  }
  const { id, hash, eventId } = marketListings;
  const eventIds = [...new Set(events.map((event) => event.id))];
  const stored = await db.select({ id, hash }).from(marketListings).where(inArray(eventId, eventIds));
  const hashes = new Map(stored.map((row) => [row.id, row.hash]));
  const changed = [...rows.values()].filter((row) => hashes.get(row.id) !== row.hash);
  for (let from = 0; from < changed.length; from += ROWS_TOGETHER)
    await write(db, changed.slice(from, from + ROWS_TOGETHER));
  const gone = stored.filter((row) => !rows.has(row.id)).map((row) => row.id);
  if (gone.length > 0) await db.delete(marketListings).where(inArray(id, gone));
}

/** The venue does not list these events any more. */
export async function closeListings(db: Db, eventIds: readonly EventId[]): Promise<void> {
  const { eventId } = marketListings;
  await db
    .update(marketListings)
    .set({ closed: true, hash: '' })
    .where(inArray(eventId, [...eventIds]));
}

/**
 * A pass over the venue has ended. `isContinued`: what came before it was cut off may have been read by a version that kept no listings, so
 * that the first that counts is a whole one.
 */
export async function markListed(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  venue: VenueName,
  isContinued: boolean,
): Promise<void> {
  const listedAt = clock.now();
  if (isContinued) await db.update(listedVenues).set({ listedAt }).where(eq(listedVenues.venue, venue));
  else
    await db
      .insert(listedVenues)
      .values({ venue, listedAt })
      .onConflictDoUpdate({ target: listedVenues.venue, set: { listedAt } });
}

/** Writes rows in the order of their ids, so that two writers of the same rows cannot deadlock. */
async function write(db: Db, rows: readonly Row[]): Promise<void> {
  const sorted = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const { id: _, ...rest } = getTableColumns(marketListings);
  await db.execute(sql`${insertOf(marketListings, sorted)}
    on conflict (id) do update set ${setExcluded(Object.values(rest))}`);
  const words = new Set(rows.flatMap((row) => row.words.match(MISTYPED) ?? []));
  await db.execute(sql`insert into ${listedWords} (word)
    select word from json_array_elements_text(${JSON.stringify([...words].sort())}::json) as word
    on conflict do nothing`);
}

/** Among words that stand between quotes. */
const MISTYPED = /(?<=')\p{L}{4,40}(?=')/gu;

function rowsOf(event: CatalogueEvent, listed: Listed): Row[] {
  const ofEvent = wordsOfEvent(event);
  return event.members.flatMap((member) => {
    const known = listed(member.marketId);
    // Members that the contract counts and the venue does not list have no names.
    if (member.outcomes.length === 0 && member.slug === '') return [];
    const leftOut = member.leftOut ?? (known === null ? 'the venue has not said yet how it is traded' : null);
    const row = {
      id: member.marketId,
      eventId: event.id,
      eventSlug: event.slug.slice(0, SLUG_LENGTH_MAX),
      slug: member.slug.slice(0, SLUG_LENGTH_MAX),
      closed: event.closed || member.closed,
      leftOut,
      dollars: known === null || known.dollars <= 1 ? 0 : Math.round(Math.log(known.dollars) / Math.log(STEP)),
      listing: listingOf(event, member, leftOut === null ? (known?.market ?? null) : null),
      words: [...new Set([...ofEvent, ...wordsOf(member)])].map((word) => `'${word}'`).join(' '),
    };
    return [{ ...row, hash: hashOf(JSON.stringify(row)) }];
  });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}
