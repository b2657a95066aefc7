import { listMarkets } from '@dutchbook/contract/markets.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { searchMarkets } from './search-markets.ts';

export function registerMarkets(
  app: App,
  runtime: Pick<Runtime, 'dbFor' | 'clock' | 'timers'>,
  venue: Pick<Venue, 'names' | 'catalogue'>,
): void {
  route(app, listMarkets, ({ query: { search, event, skip, limit } }) =>
    searchMarkets(runtime, venue, {
      ...{ skip, limit },
      ...(search !== undefined && { search: search.trim() }),
      ...(event !== undefined && { event }),
    }),
  );
}
