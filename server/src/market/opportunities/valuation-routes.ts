import { previewOpportunity, readDepth } from '@dutchbook/contract/valuation.ts';
import { NOTHING_MEASURED } from '@dutchbook/engine/order/survival.ts';
import { pricingSettings } from '../../people/system-settings/in-units.ts';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';
import { depthOf } from './depth.ts';
import { quotesForReading } from './open-quotes.ts';
import { previewOf } from './preview.ts';
import { type OpportunityParts, opportunityOr404, type SizesBy } from './serve.ts';

type ValuationParts = Pick<OpportunityParts, 'runtime' | 'settings' | 'quotes' | 'survival' | 'sizesBy'> & {
  live: Pick<OpportunityParts['live'], 'open'>;
};

export function registerValuation(app: App, parts: ValuationParts): void {
  const { runtime, settings, survival = () => NOTHING_MEASURED, sizesBy = noSizes } = parts;

  route(app, previewOpportunity, ({ body }) => previewOf(parts, body));

  route(app, readDepth, async ({ params, user }) => {
    const row = await opportunityOr404(runtime, params.opportunity_id);
    const countedAlready = () => {};
    const quotes = await quotesForReading(parts, row, countedAlready);
    const depth = depthOf(quotes, row.targetPrice, pricingSettings(settings.current()), survival());
    return { ...depth, ...(await sizesBy(row, quotes, user.id)) };
  });
}

const noSizes: SizesBy = async () => ({ order_size: null, chosen_size: null });
