/** Orders that are signed while the database is asked whether they may leave. Of one that may not, nothing is kept. */

import type { OrderRequest, SignedOrder, VenueTrading } from '@dutchbook/venues/venue.ts';

type Sign = VenueTrading['signOrder'];

/** Signs what is probably asked for, and answers how to sign: what was signed already is not signed again, and is used once. */
export function signEarly(sign: Sign, expected: readonly OrderRequest[]): Sign {
  const signed = new Map<string, Promise<SignedOrder>>();
  for (const request of expected) {
    const order = sign(request);
    // Whoever asks for it hears why it could not be signed.
    order.catch(() => {});
    signed.set(keyOf(request), order);
  }
  return (request) => {
    const key = keyOf(request);
    const order = signed.get(key);
    signed.delete(key);
    return order ?? sign(request);
  };
}

/** Everything that is signed. */
function keyOf({ tokenId, market, side, price, size, remainder }: OrderRequest): string {
  return JSON.stringify([tokenId, side, price, size, remainder, market.tick, market.negRisk, market.id]);
}
