import { previewOpportunity, readDepth } from '@dutchbook/contract/valuation.ts';
import { NOTHING_MEASURED } from '@dutchbook/engine/order/survival.ts';
import { pricingSettings } from '../../people/system-settings/in-units.ts';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';
import { depthOf } from './depth.ts';
import { quotesForReading } from './open-quotes.ts';
import { previewOf } from './preview.ts';
import { type OpportunityParts, opportunityOr404 } from './serve.ts';

export function registerValuation(app: App, parts: OpportunityParts): void {
  const { runtime, settings, survival = () => NOTHING_MEASURED } = parts;

  route(app, previewOpportunity, ({ body }) => previewOf(parts, body));

  route(app, readDepth, async ({ params }) => {
    const row = await opportunityOr404(runtime, params.opportunity_id);
    const countedAlready = () => {};
    const quotes = await quotesForReading(parts, row, countedAlready);
    return depthOf(quotes, row.targetPrice, pricingSettings(settings.current()), survival());
  });
}
