import { listChosenSizes } from '@dutchbook/contract/placing.ts';
import type { ChosenSize } from '@dutchbook/engine/order/choose-size.ts';
import { positionsOf } from '../../market/opportunities/identity.ts';
import { readOpportunities } from '../../market/opportunities/store.ts';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';
import { readInputs } from '../execution/placing/inputs.ts';
import { judge, wantedFor } from '../execution/placing/judge.ts';
import { triggeredBy } from '../execution/placing/placing.ts';
import type { PlaceParts } from '../execution/placing/request.ts';

/** By the books that the feed has: lists ask for many, and the venue is asked for none. */
export function registerChosenSizes(app: App, parts: PlaceParts): void {
  const { runtime, quotes } = parts;

  route(app, listChosenSizes, async ({ query: { ids } }) => {
    const rows = await readOpportunities(runtime.db, ids);
    const requests = rows.map((row) =>
      triggeredBy(row, quotes.current(positionsOf(row.marketCombinations)), runtime.clock.now),
    );
    const [first] = requests;
    if (first === undefined) return { data: [] };
    const tokenIds = requests.flatMap((request) => wantedFor(parts, request).tokenIds ?? []);
    const { opportunityId: _, ...wanted } = wantedFor(parts, first);
    const inputs = await readInputs(parts, { ...wanted, tokenIds });
    const now = runtime.clock.now();
    return {
      data: requests.map((request) => {
        const isKnown = request.quotes.length > 0 && request.quotes.every(({ book }) => book !== undefined);
        const chosen = isKnown ? judge(parts, request, inputs, now).chosen : null;
        return { opportunity_id: request.opportunity.id, chosen_size: chosen && presentChosen(chosen) };
      }),
    };
  });
}

export function presentChosen({ size, boundedBy, isAllowed }: ChosenSize) {
  return { order_size: size, bounded_by: boundedBy, allowed: isAllowed };
}
