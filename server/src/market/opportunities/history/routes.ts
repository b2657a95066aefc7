import { readHistories, readHistory } from '@dutchbook/contract/valuation.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import type { App } from '../../../platform/http/app.ts';
import { NotFound } from '../../../platform/http/errors.ts';
import { route, routeRead } from '../../../platform/http/route.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { readOpportunity } from '../store.ts';
import { readPricePoints, readRecent } from './store.ts';

const DAY_MS = 86_400_000;

export function registerHistory(app: App, { dbFor: { lists }, clock }: Pick<Runtime, 'dbFor' | 'clock'>): void {
  routeRead(app, readHistories, async ({ query }) => ({ data: await readRecent(lists, query.ids, clock.now()) }));

  route(app, readHistory, async ({ params, query }) => {
    const since = query.since ?? instantFromMs(clock.now() - DAY_MS);
    if ((await readOpportunity(lists, params.opportunity_id)) === null) throw new NotFound('Opportunity not found');
    const points = await readPricePoints(lists, params.opportunity_id, since);
    return {
      data: points.map(({ at, currentPrice, targetPrice, profitPercentage, triggered }) => ({
        at,
        current_price: currentPrice,
        target_price: targetPrice,
        profit_percentage: profitPercentage,
        triggered,
      })),
    };
  });
}
