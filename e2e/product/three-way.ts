import type { MarketReply } from '@dutchbook/contract/markets.ts';
import { listMarkets } from '@dutchbook/contract/markets.ts';
import { createOpportunity, type MarketCombinations } from '@dutchbook/contract/opportunities.ts';
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { ExchangeControls } from './exchange.ts';
import type { Caller } from './product.ts';

/** Three positions whose books the test has set by hand, and how an opportunity names them. */
export type QuotedSet = { markets: MarketReply[]; tokenIds: string[]; combinations: MarketCombinations };

/** A quoted set that the product watches as an opportunity. */
export type ThreeWay = QuotedSet & { opportunityId: string };

/** Deep enough for any test, and so cheap that the product does not buy it on its own: more than 20 % net is suspect. */
export const CHEAP_ASK = { price: '0.25', size: '500' };
const DAY_MS = 86_400_000;
export const LOW_BID = { price: '0.2', size: '500' };

/** Three positions at a quarter each unless said, with the market makers paused; the `nth` such. */
export async function quoteThreeWay(
  exchange: Pick<ExchangeControls, 'pause' | 'setBook'>,
  product: Caller,
  nth = 0,
  ask = CHEAP_ASK,
  venue: VenueName = 'polymarket',
): Promise<QuotedSet> {
  await exchange.pause();
  const { reply } = await product.call(listMarkets, { query: { skip: 0, limit: 1000 } });
  const there = reply.data.filter(({ id }) => venueOf(id) === venue);
  // Short markets may end before the test does.
  const lasting = there.filter(
    ({ end_date: end }) => venue === 'polymarket' || (end !== null && end > Date.now() + DAY_MS),
  );
  const markets = threeTogether(lasting, nth);
  const tokenIds = markets.map(({ outcomes }) => outcomes[0]?.token_id ?? '');
  for (const tokenId of tokenIds) await exchange.setBook(tokenId, [LOW_BID], [ask]);
  const combinations = markets.map(({ id, outcomes }, index) => ({
    leg: index + 1,
    markets: [{ id, outcome: outcomes[0]?.outcome ?? '' }],
  }));
  return { markets, tokenIds, combinations };
}

/** A quoted set as an opportunity that pays one dollar a set. */
export async function cheapThreeWay(
  exchange: Pick<ExchangeControls, 'pause' | 'setBook'>,
  product: Caller,
  nth = 0,
  ask = CHEAP_ASK,
  venue: VenueName = 'polymarket',
): Promise<ThreeWay> {
  const set = await quoteThreeWay(exchange, product, nth, ask, venue);
  const created = await product.call(createOpportunity, {
    body: { market_combinations: set.combinations, target_price: 1 },
  });
  if (created.status !== 200) throw new Error(`the opportunity was not created: ${created.detail}`);
  return { ...set, opportunityId: created.reply.id };
}

/** Of one event as long as there are such, then of any markets: what a set pays is what its opportunity says. */
function threeTogether(markets: readonly MarketReply[], nth: number): MarketReply[] {
  const whole = markets.filter(({ event, neg_risk }) => event && neg_risk && !event.augmented);
  const events = Map.groupBy(whole, ({ event }) => event?.id);
  const others = markets.filter(({ neg_risk }) => !neg_risk);
  const triples = [...events.values(), others].flatMap(inThrees);
  const triple = triples[nth];
  if (!triple) throw new Error(`the exchange has only ${triples.length} times three markets`);
  return triple;
}

function inThrees(markets: readonly MarketReply[]): MarketReply[][] {
  return Array.from({ length: Math.floor(markets.length / 3) }, (_, nth) => markets.slice(nth * 3, nth * 3 + 3));
}
