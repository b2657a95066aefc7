import { listMarkets } from '@dutchbook/contract/markets.ts';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { openLastingCounts } from './lasting-counts.ts';
import { type SearchedVenues, searchMarkets } from './search-markets.ts';

export function registerMarkets(
  app: App,
  runtime: Pick<Runtime, 'dbFor' | 'clock' | 'timers'>,
  venues: SearchedVenues,
): void {
  const counts = openLastingCounts(runtime.clock);
  route(app, listMarkets, ({ query: { search, event, skip, limit } }) =>
    searchMarkets(
      runtime,
      { ...venues, counts },
      {
        ...{ skip, limit },
        ...(search !== undefined && { search: search.trim() }),
        ...(event !== undefined && { event }),
      },
    ),
  );
}
