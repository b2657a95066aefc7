import type { Market } from '@dutchbook/engine/market/market.ts';
import type { VenueCatalogue } from '@dutchbook/venues/venue.ts';
import { sql } from 'drizzle-orm';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { marketNames } from './table.ts';

type Name = typeof marketNames.$inferSelect;

/** The catalogue, which also keeps what the markets are called that are asked for by id: those that opportunities are about. */
export function namesKept(runtime: Pick<Runtime, 'db' | 'log'>, catalogue: VenueCatalogue): VenueCatalogue {
  const note = keepNames(runtime);
  return {
    ...(catalogue.references && { references: catalogue.references }),
    searchMarkets: (query) => catalogue.searchMarkets(query),
    searchLeftOut: (query) => catalogue.searchLeftOut(query),
    onCompared: (listener) => catalogue.onCompared(listener),
    whyLeftOut: (marketId) => catalogue.whyLeftOut(marketId),
    readEvents: (cursor, venue) => catalogue.readEvents(cursor, venue),
    ...(catalogue.listed && { listed: (marketId) => catalogue.listed?.(marketId) ?? null }),
    ...(catalogue.newestMarkets && {
      newestMarkets: (skip, venue) => catalogue.newestMarkets?.(skip, venue) ?? Promise.resolve([]),
    }),
    pageOf: (event, member) => catalogue.pageOf?.(event, member) ?? null,
    eventsById: (ids, priority) => catalogue.eventsById(ids, priority),
    marketsById: async (ids, priority) => {
      const found = await catalogue.marketsById(ids, priority);
      note([...found.values()]);
      return found;
    },
  };
}

/** Writes, beside whatever else goes on, those names that have not been written yet; one that could not be is tried again. */
function keepNames({ db, log }: Pick<Runtime, 'db' | 'log'>): (markets: readonly Market[]) => void {
  const written = new Map<string, string>();
  return (markets) => {
    const names = markets.map(nameOf).filter((name) => written.get(name.marketId) !== JSON.stringify(name));
    if (names.length === 0) return;
    for (const name of names) written.set(name.marketId, JSON.stringify(name));
    const rows = sql`select "marketId", question, "eventTitle" from json_to_recordset(${JSON.stringify(names)}::json)
      as name("marketId" text, question text, "eventTitle" text) order by "marketId"`;
    db.execute(sql`insert into ${marketNames} (market_id, question, event_title) ${rows} on conflict (market_id)
      do update set question = excluded.question, event_title = excluded.event_title`).catch((error: unknown) => {
      for (const { marketId } of names) written.delete(marketId);
      log.warn({ err: error }, 'names of markets not kept, written with the next reading');
    });
  };
}

/** The name in a form that the database can hold. */
function nameOf({ id, question, event }: Market): Name {
  const storable = (text: string) => text.replaceAll('\0', '').toWellFormed();
  return { marketId: storable(id), question: storable(question), eventTitle: event && storable(event.title) };
}
