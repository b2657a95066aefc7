import { type LeftOutMarketReply, listMarkets, type MarketReply } from '@dutchbook/contract/markets.ts';
import type { Market, MarketEvent } from '@dutchbook/engine/market/market.ts';
import type { LeftOutMarket, Venue } from '@dutchbook/venues/venue.ts';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';

export function registerMarkets(app: App, { catalogue }: Pick<Venue, 'catalogue'>): void {
  route(app, listMarkets, async ({ query: { search, event, skip, limit } }) => {
    const wanted = {
      limit,
      ...(search !== undefined && { search: search.trim() }),
      ...(event !== undefined && { event }),
    };
    const found = await catalogue.searchMarkets({ ...wanted, skip });
    const leftOut = await catalogue.searchLeftOut({ ...wanted, skip: 0 });
    return {
      data: found.data.map(presentMarket),
      count: found.count,
      left_out: { data: leftOut.data.map(presentLeftOut), count: leftOut.count },
    };
  });
}

function presentEvent({ id, title, augmented, marketIds }: MarketEvent): MarketReply['event'] {
  return { id, title, augmented, market_count: marketIds.length };
}

function presentMarket(market: Market): MarketReply {
  return {
    id: market.id,
    question: market.question,
    event: market.event && presentEvent(market.event),
    outcomes: market.outcomes.map(({ outcome, tokenId }) => ({ outcome, token_id: tokenId })),
    neg_risk: market.negRisk,
    end_date: market.endDate,
    accepting_orders: market.acceptingOrders,
    resolution: market.resolution,
    tick_size: market.tick,
    min_order_size: market.minOrderSize,
    fee_rate: market.feeSchedule?.rate ?? null,
  };
}

function presentLeftOut({ id, question, event, reason }: LeftOutMarket): LeftOutMarketReply {
  return { id, question, event: event && presentEvent(event), reason };
}
