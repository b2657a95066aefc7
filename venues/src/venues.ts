/**
 * What may be read of several venues, behind the port of one: each id is asked of the venue that it is of. Every venue keeps its own
 * sockets and its own budget of calls. A read of ids of several venues throws where one of them does not answer, so that its
 * silence is not taken for "unknown": who reads many asks for those of one venue at a time, as `byVenue` divides them.
 */
import { type MarketId, type VenueId, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { ReadPriority } from './read-budget.ts';
import {
  type MarketReference,
  type MarketReferences,
  type MarketStream,
  type MarketStreamEvents,
  type StreamHealth,
  type Venue,
  type VenueCatalogue,
  VenueUnavailable,
} from './venue.ts';

export type VenueReads = Pick<Venue, 'names' | 'catalogue' | 'prices' | 'openMarketStream' | 'forget'>;

/** Combines the reads of venues; of a single one it is that one. The first is listed first. */
export function openVenues(first: VenueReads, ...others: readonly VenueReads[]): VenueReads {
  if (others.length === 0) return first;
  const venues = new Map([first, ...others].flatMap((venue) => venue.names.map((name) => [name, venue] as const)));
  const split = divider(venues);
  return {
    names: [...venues.keys()],
    catalogue: catalogueOf(venues, split),
    prices: {
      fetchBooks: async (tokenIds, priority) =>
        joined(await split(tokenIds, ({ prices }, ids) => prices.fetchBooks(ids, priority))),
      fetchQuotes: async (tokenIds, priority) =>
        joined(await split(tokenIds, ({ prices }, ids) => prices.fetchQuotes(ids, priority))),
    },
    openMarketStream: (events) => streamOf(venues, events),
    forget: () => {
      for (const venue of venues.values()) venue.forget();
    },
  };
}

/** Ids by the venue that they are of, each in their order. */
export function byVenue<Id extends VenueId>(ids: Iterable<Id>): Map<VenueName, Id[]> {
  return Map.groupBy(ids, venueOf);
}

type ByName = ReadonlyMap<VenueName, VenueReads>;
type Split = <Id extends VenueId, Found>(
  ids: readonly Id[],
  ask: (venue: VenueReads, ids: Id[]) => Promise<Found>,
) => Promise<Found[]>;

/** Asks each venue for its own at the same time; of a venue that is not configured nothing is known. */
function divider(venues: ByName): Split {
  return (ids, ask) =>
    Promise.all(
      [...byVenue(ids)].flatMap(([name, own]) => {
        const venue = venues.get(name);
        return venue === undefined ? [] : [ask(venue, own)];
      }),
    );
}

function joined<Key, Value>(maps: readonly ReadonlyMap<Key, Value>[]): Map<Key, Value> {
  return new Map(maps.flatMap((map) => [...map]));
}

function catalogueOf(venues: ByName, split: Split): VenueCatalogue {
  const all = [...venues.values()].map(({ catalogue }) => catalogue);
  const references = referencesOf(all, split);
  return {
    ...(references === null ? {} : { references }),
    searchMarkets: (query) =>
      searched(query, cataloguesOf(venues, query.event), (catalogue, part) => catalogue.searchMarkets(part)),
    searchLeftOut: (query) =>
      searched(query, cataloguesOf(venues, query.event), (catalogue, part) => catalogue.searchLeftOut(part)),
    marketsById: async (ids, priority) =>
      joined(await split(ids, ({ catalogue }, own) => catalogue.marketsById(own, priority))),
    onCompared: (listener) => {
      for (const catalogue of all) catalogue.onCompared(listener);
    },
    whyLeftOut: (marketId) => venues.get(venueOf(marketId))?.catalogue.whyLeftOut(marketId) ?? null,
    readEvents: (cursor, venue) => {
      const asked = venue === undefined ? undefined : venues.get(venue);
      if (asked === undefined) throw new Error('the events of one of several venues are read, and none is named');
      return asked.catalogue.readEvents(cursor);
    },
    // A venue that keeps nothing would look as if none of its markets were known.
    ...(all.every(({ listed }) => listed !== undefined) && {
      listed: (marketId: MarketId) => venues.get(venueOf(marketId))?.catalogue.listed?.(marketId) ?? null,
    }),
    newestMarkets: async (skip, venue) =>
      (venue === undefined ? undefined : await venues.get(venue)?.catalogue.newestMarkets?.(skip)) ?? [],
    pageOf: (event, member) => venues.get(venueOf(event.id))?.catalogue.pageOf?.(event, member) ?? null,
    eventsById: async (ids, priority) =>
      (await split(ids, ({ catalogue }, own) => catalogue.eventsById(own, priority))).flat(),
  };
}

/** All of them, or the one that the event is of. */
function cataloguesOf(venues: ByName, event: string | undefined): VenueCatalogue[] {
  const asked = event === undefined ? [...venues.values()] : [venues.get(venueOf(event))];
  return asked.flatMap((venue) => (venue === undefined ? [] : [venue.catalogue]));
}

type Page = { skip: number; limit: number };
type Listed<Row> = { data: Row[]; count: number };

/** One venue's behind the other's. Those that do not answer are passed over, unless none does. */
async function searched<Query extends Page, Row>(
  query: Query,
  catalogues: readonly VenueCatalogue[],
  search: (catalogue: VenueCatalogue, query: Query) => Promise<Listed<Row>>,
): Promise<Listed<Row>> {
  const listed: Listed<Row> = { data: [], count: 0 };
  let silence: unknown = null;
  let answers = 0;
  for (const catalogue of catalogues) {
    try {
      const skip = Math.max(0, query.skip - listed.count);
      const { data, count } = await search(catalogue, { ...query, skip, limit: query.limit - listed.data.length });
      listed.data.push(...data);
      listed.count += count;
      answers += 1;
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      silence = error;
    }
  }
  if (answers === 0 && silence !== null) throw silence;
  return listed;
}

/** A name is looked up at the first venue that knows names of its kind. */
function referencesOf(catalogues: readonly VenueCatalogue[], split: Split): MarketReferences | null {
  const all = catalogues.flatMap(({ references }) => references ?? []);
  if (all.length === 0) return null;
  const knowing = (name: string) => all.find(({ kindOf }) => kindOf(name) !== null);
  return {
    kindOf: (name) => knowing(name)?.kindOf(name) ?? null,
    find: async (names, priority) => {
      const found: Promise<Map<string, MarketReference>>[] = [];
      for (const [references, own] of Map.groupBy(names, knowing))
        if (references !== undefined) found.push(references.find(own, priority));
      return joined(await Promise.all(found));
    },
    unknownIds: async (ids, priority) => {
      const unknown = await split(ids, (venue, own) => unknownAt(venue, own, priority));
      return new Set(unknown.flatMap((each) => [...each]));
    },
  };
}

async function unknownAt(
  { catalogue }: VenueReads,
  ids: MarketId[],
  priority: ReadPriority,
): Promise<Iterable<MarketId>> {
  if (catalogue.references !== undefined) return catalogue.references.unknownIds(ids, priority);
  const known = await catalogue.marketsById(ids, priority);
  return ids.filter((id) => !known.has(id) && catalogue.whyLeftOut(id) === null);
}

/** One stream for each venue: what one announces says nothing of the others. */
function streamOf(venues: ByName, events: MarketStreamEvents): MarketStream {
  const streams = new Map([...venues].map(([name, venue]) => [name, venue.openMarketStream(events)]));
  return {
    subscribe: (tokenIds) => {
      for (const [name, own] of byVenue(tokenIds)) streams.get(name)?.subscribe(own);
    },
    unsubscribe: (tokenIds) => {
      for (const [name, own] of byVenue(tokenIds)) streams.get(name)?.unsubscribe(own);
    },
    book: (tokenId) => streams.get(venueOf(tokenId))?.book(tokenId),
    isConnected: (tokenId) => streams.get(venueOf(tokenId))?.isConnected(tokenId) ?? false,
    health: (venue) => {
      const asked = venue === undefined ? [...streams.values()] : [streams.get(venue)];
      return asked.flatMap((stream) => stream?.health() ?? []).reduce(added, NOTHING);
    },
    close: async () => {
      await Promise.all([...streams.values()].map((stream) => stream.close()));
    },
  };
}

const NOTHING: StreamHealth = { sockets: 0, connected: 0, sound: 0, readsFail: false, tokens: 0, staleTokens: 0 };

function added(one: StreamHealth, other: StreamHealth): StreamHealth {
  return {
    sockets: one.sockets + other.sockets,
    connected: one.connected + other.connected,
    sound: one.sound + other.sound,
    readsFail: one.readsFail || other.readsFail,
    tokens: one.tokens + other.tokens,
    staleTokens: one.staleTokens + other.staleTokens,
  };
}
