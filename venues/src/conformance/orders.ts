import type { Market, MarketOutcome } from '@dutchbook/engine/market/market.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import type { OrderRequest, PostOutcome, SignedOrder } from '../venue.ts';
import type { Bench } from './bench.ts';

/** An order written as a test reads it: `buy 10 at 0.55`. */
export function order(
  market: Market,
  outcome: MarketOutcome,
  text: `${'buy' | 'sell'} ${string} at ${string}`,
  remainder: OrderRequest['remainder'] = 'rest',
  spends: string | null = null,
): OrderRequest {
  const [side, size, , price] = text.split(' ');
  return {
    market,
    tokenId: outcome.tokenId,
    side: side === 'buy' ? 'buy' : 'sell',
    size: sharesFromText(size ?? ''),
    price: priceFromText(price ?? ''),
    spends: spends === null ? null : usdFromText(spends),
    remainder,
  };
}

/** Signs and posts one order. */
export async function place(
  bench: Bench,
  request: OrderRequest,
): Promise<{ signed: SignedOrder; outcome: PostOutcome }> {
  const signed = await bench.trading.signOrder(request);
  const [outcome] = await bench.trading.postOrders([signed]);
  if (!outcome) throw new Error('an order was posted and nothing came back');
  return { signed, outcome };
}

/** The outcome of a post, without the venue's own order id. */
export function unnamed(outcome: PostOutcome | undefined): object {
  const { venueName, ...rest } = { venueName: undefined, ...outcome };
  return rest;
}
