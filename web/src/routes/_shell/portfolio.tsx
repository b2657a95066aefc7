import { createFileRoute } from '@tanstack/react-router';
import { PortfolioPage } from '../../features/portfolio/portfolio-page.tsx';
import type { RenderSell } from '../../features/portfolio/render-sell.ts';
import { SellHeldButton } from '../../features/selling/sell-held-button.tsx';

const renderSell: RenderSell = (what, tokens, look) => (
  <SellHeldButton of={what} tokens={tokens} isMain={look === 'main'} />
);

export const Route = createFileRoute('/_shell/portfolio')({
  component: () => <PortfolioPage renderSell={renderSell} />,
});
