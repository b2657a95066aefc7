import { createFileRoute, type SearchSchemaInput } from '@tanstack/react-router';
import { PortfolioPage } from '../../features/portfolio/portfolio-page.tsx';
import type { RenderSell } from '../../features/portfolio/render-sell.ts';
import { SellHeldButton } from '../../features/selling/held/sell-held-button.tsx';

const renderSell: RenderSell = (what, tokens, look, instead) => (
  <SellHeldButton of={what} tokens={tokens} instead={instead} isMain={look === 'main'} />
);

/** `cashTo`: the shard that cash is to be moved into. */
type PortfolioSearch = { cashTo?: string };

const SHARD = /^\d{1,4}$/;

export const Route = createFileRoute('/_shell/portfolio')({
  validateSearch: ({ cashTo }: { cashTo?: unknown } & SearchSchemaInput): PortfolioSearch =>
    SHARD.test(String(cashTo)) ? { cashTo: String(cashTo) } : {},
  component: Portfolio,
});

function Portfolio() {
  return <PortfolioPage renderSell={renderSell} cashTo={Route.useSearch().cashTo} />;
}
