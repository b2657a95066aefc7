import type { MarketReply } from '@dutchbook/contract/markets.ts';
import { listMarkets } from '@dutchbook/contract/markets.ts';
import { createOpportunity } from '@dutchbook/contract/opportunities.ts';
import type { RunningExchange } from './exchange.ts';
import type { Product } from './product.ts';

/** A set of three positions whose books the test has set by hand. */
export type ThreeWay = { opportunityId: string; markets: MarketReply[]; tokenIds: string[] };

/** Deep enough for any test, and so cheap that the product does not buy it on its own: more than 20 % net is suspect. */
export const CHEAP_ASK = { price: '0.25', size: '500' };
const LOW_BID = { price: '0.2', size: '500' };

/** Three outcomes of one event, quoted at a quarter each, as an opportunity that pays one dollar a set. */
export async function cheapThreeWay(exchange: RunningExchange, product: Product): Promise<ThreeWay> {
  await exchange.pause();
  const { reply } = await product.call(listMarkets, { query: { skip: 0, limit: 1000 } });
  const markets = threeOfOneEvent(reply.data);
  const tokenIds = markets.map(({ outcomes }) => outcomes[0]?.token_id ?? '');
  for (const tokenId of tokenIds) await exchange.setBook(tokenId, [LOW_BID], [CHEAP_ASK]);
  const created = await product.call(createOpportunity, {
    body: {
      market_combinations: markets.map(({ id, outcomes }, index) => ({
        leg: index + 1,
        markets: [{ id, outcome: outcomes[0]?.outcome ?? '' }],
      })),
      target_price: 1,
    },
  });
  if (created.status !== 200) throw new Error(`the opportunity was not created: ${created.detail}`);
  return { opportunityId: created.reply.id, markets, tokenIds };
}

function threeOfOneEvent(markets: readonly MarketReply[]): MarketReply[] {
  const eventIds = new Set(
    markets.flatMap(({ event, neg_risk }) => (event && neg_risk && !event.augmented ? [event.id] : [])),
  );
  for (const eventId of eventIds) {
    const ofEvent = markets.filter(({ event }) => event?.id === eventId);
    if (ofEvent.length >= 3) return ofEvent.slice(0, 3);
  }
  throw new Error('the exchange has no event with three outcomes');
}
