/** Recorded pages of Kalshi's events, kept for search. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { marketEvent, readMarket } from '@dutchbook/venues/kalshi/catalogue/listed-market.ts';
import { readCatalogueEvent } from '@dutchbook/venues/kalshi/catalogue/read-event.ts';
import { wireEvent } from '@dutchbook/venues/kalshi/wire.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { keepListings } from './keep-listings.ts';
import { recordingsIn } from './listings.fixture.ts';

type RawEvent = { markets: { ticker: string }[] };

const NOW = instantFromIso('2026-08-09T00:00:00Z');
const FEES = { type: 'quadratic_with_maker_fees', multiplier: 1 };

/** Null where there are no recordings. */
export function recordedOfKalshi(): RawEvent[] | null {
  const file = path.join(recordingsIn('kalshi/events'), 'events_sports_nested.json.gz');
  return existsSync(file) ? JSON.parse(gunzipSync(readFileSync(file)).toString()) : null;
}

export async function keepOfKalshi(db: Db, events: readonly RawEvent[]): Promise<void> {
  const known = new Map<string, Market>();
  const read = events.map((raw) => {
    const tickers = raw.markets.map(({ ticker }) => ticker);
    const event = wireEvent.parse(raw);
    const terms = { event: marketEvent({ event, tickers, isAugmented: true }), feeTerms: FEES, now: NOW };
    const markets = raw.markets.map((market) => ({ raw: market, read: readMarket(market, terms) }));
    for (const { read: market } of markets) if ('outcomes' in market) known.set(market.id, market);
    return readCatalogueEvent({ event, series: null, markets });
  });
  await keepListings(db, read, (id) => {
    const market = known.get(id);
    return market === undefined ? null : { market, dollars: 0 };
  });
}
