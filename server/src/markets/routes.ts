import { listMarkets, type MarketReply } from '@dutchbook/contract/markets.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { App } from '../http/app.ts';
import { route } from '../http/route.ts';

export function registerMarkets(app: App, { catalogue }: Venue): void {
  route(app, listMarkets, async ({ query: { search, event, skip, limit } }) => {
    const found = await catalogue.searchMarkets({
      skip,
      limit,
      ...(search !== undefined && { search }),
      ...(event !== undefined && { event }),
    });
    return { data: found.data.map(presentMarket), count: found.count };
  });
}

function presentMarket(market: Market): MarketReply {
  return {
    id: market.id,
    question: market.question,
    event: market.event && { id: market.event.id, title: market.event.title, augmented: market.event.augmented },
    outcomes: market.outcomes.map(({ outcome, tokenId }) => ({ outcome, token_id: tokenId })),
    neg_risk: market.negRisk,
    end_date: market.endDate,
    accepting_orders: market.acceptingOrders,
    tick_size: market.tick,
    min_order_size: market.minOrderSize,
    fee_rate: market.feeRate,
  };
}
