/** A catalogue as raw pages of the venue make it, kept for search. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import { readCatalogueEvent } from '@dutchbook/venues/polymarket/events/read-event.ts';
import { readGammaMarket } from '@dutchbook/venues/polymarket/listed-market.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { keepListings, type Listed } from './keep-listings.ts';

export type RawMarket = Record<string, unknown> & { conditionId: string; question: string; slug: string };
export type RawEvent = Record<string, unknown> & { id: string; title: string; slug: string; markets: RawMarket[] };

const CHAIN = 137;
const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = recordingsIn('polymarket/gamma');

/** Where recordings lie that are not there on every machine. */
export function recordingsIn(place: string): string {
  return path.resolve(repository, process.env.MARKET_DATA_DIR ?? '../shared/data', place);
}

/** The events of recorded pages of markets, with those of their markets that the pages hold; null where there are no recordings. */
export function recordedEvents(...files: readonly string[]): RawEvent[] | null {
  if (!files.every((file) => existsSync(path.join(folder, file)))) return null;
  const events = new Map<string, RawEvent>();
  for (const file of files) {
    const parsed = JSON.parse(gunzipSync(readFileSync(path.join(folder, file))).toString());
    for (const market of (Array.isArray(parsed) ? parsed : parsed.markets) as (RawMarket & { events: [RawEvent] })[]) {
      const [head] = market.events ?? [];
      if (head === undefined) continue;
      const event = events.get(head.id) ?? { ...head, markets: [] };
      events.set(head.id, event);
      if (event.markets.every(({ conditionId }) => conditionId !== market.conditionId)) event.markets.push(market);
    }
  }
  return [...events.values()];
}

export async function keepRaw(db: Db, events: readonly RawEvent[]): Promise<void> {
  const known = new Map<string, ReturnType<Listed>>();
  const read = events.flatMap((event): CatalogueEvent[] => {
    const one = readCatalogueEvent(event, (raw) => {
      const market = readGammaMarket(raw, CHAIN);
      if ('market' in market) known.set(market.market.id, { market: market.market, dollars: market.volume });
      return market;
    });
    return one === null ? [] : [one];
  });
  await keepListings(db, read, (id) => known.get(id) ?? null);
}
