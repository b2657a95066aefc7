import { listChosenSizes } from '@dutchbook/contract/placing.ts';
import type { PolicySize } from '@dutchbook/contract/valuation.ts';
import type { ChosenSize } from '@dutchbook/engine/order/choose-size.ts';
import type { LiveQuote } from '../../market/markets/live-quotes.ts';
import { positionsOf } from '../../market/opportunities/identity.ts';
import type { SizesBy } from '../../market/opportunities/serve.ts';
import { readOpportunities } from '../../market/opportunities/store.ts';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';
import { readInputs } from '../execution/placing/inputs.ts';
import { judge, wantedFor } from '../execution/placing/judge.ts';
import { triggeredBy } from '../execution/placing/placing.ts';
import type { PlaceParts } from '../execution/placing/request.ts';

/** Serves chosen sizes by the feed's books, without calls to the venue, because lists need many. */
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
        const chosen = areKnown(request.quotes) ? judge(parts, request, inputs, now).chosen : null;
        return { opportunity_id: request.opportunity.id, chosen_size: chosen && presentChosen(chosen) };
      }),
    };
  });
}

/** Chooses sizes by the books that a page shows, so that both are of one moment. */
export function sizesBy(parts: PlaceParts): SizesBy {
  const { runtime } = parts;
  return async (opportunity, quotes, userId) => {
    if (!areKnown(quotes)) return { order_size: null, chosen_size: null };
    const askedBy = { userId, placedBefore: 0, wayIn: undefined, signedOff: null };
    const request = { ...triggeredBy(opportunity, quotes, runtime.clock.now), askedBy };
    const inputs = await readInputs(parts, wantedFor(parts, request));
    const { plan, chosen } = judge(parts, request, inputs, runtime.clock.now());
    return { order_size: plan.size, chosen_size: chosen && presentPolicySize(chosen) };
  };
}

export function presentPolicySize(chosen: ChosenSize): PolicySize {
  return { ...presentChosen(chosen), paying_size: chosen.pays };
}

function areKnown(quotes: readonly LiveQuote[]): boolean {
  return quotes.length > 0 && quotes.every(({ book }) => book !== undefined);
}

function presentChosen({ size, boundedBy, isAllowed }: ChosenSize) {
  return { order_size: size, bounded_by: boundedBy, allowed: isAllowed };
}
