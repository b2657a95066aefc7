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

/** Three outcomes of one event, quoted at a quarter each, as an opportunity that pays one dollar a set; the `nth` such. */
export async function cheapThreeWay(exchange: RunningExchange, product: Product, nth = 0): Promise<ThreeWay> {
  await exchange.pause();
  const { reply } = await product.call(listMarkets, { query: { skip: 0, limit: 1000 } });
  const markets = threeOfOneEvent(reply.data, nth);
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

function threeOfOneEvent(markets: readonly MarketReply[], nth: number): MarketReply[] {
  const eligible = markets.filter(({ event, neg_risk }) => event && neg_risk && !event.augmented);
  const events = Map.groupBy(eligible, ({ event }) => event?.id);
  const triples = [...events.values()].flatMap((ofEvent) =>
    Array.from({ length: Math.floor(ofEvent.length / 3) }, (_, index) => ofEvent.slice(index * 3, index * 3 + 3)),
  );
  const triple = triples[nth];
  if (!triple) throw new Error(`the exchange has only ${triples.length} times three outcomes of one event`);
  return triple;
}
