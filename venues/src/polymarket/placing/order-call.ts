/** The call that places orders. */

import type { Session } from '../auth.ts';
import type { StoredOrder } from '../signing.ts';
import { bodyOf } from './account-call.ts';

/** Posts orders in one call. Throws `VenueUnavailable` like `bodyOf`. */
export async function callOrders(
  { credentials, call }: Pick<Session, 'credentials' | 'call'>,
  orders: readonly StoredOrder[],
): Promise<unknown> {
  const body = `[${orders.map((order) => orderText(order, credentials.key)).join()}]`;
  return bodyOf(await call({ method: 'POST', path: '/orders', body }));
}

const texts = new WeakMap<StoredOrder, { owner: string; text: string }>();

/** An order as the call has it for the owner of a key, serialized once. */
export function orderText(stored: StoredOrder, owner: string): string {
  const made = texts.get(stored);
  if (made?.owner === owner) return made.text;
  const { order, orderType, postOnly = false } = stored;
  const { salt, maker, signer, tokenId, makerAmount, takerAmount, side, signatureType } = order;
  const { timestamp, expiration, metadata, builder, signature } = order;
  // In the order of the official client, which writes the salt as a number.
  const wire = {
    ...{ salt: Number(salt), maker, signer, tokenId, makerAmount, takerAmount, side, signatureType },
    ...{ timestamp, expiration, metadata, builder, signature },
  };
  const text = JSON.stringify({ deferExec: true, postOnly, order: wire, owner, orderType });
  texts.set(stored, { owner, text });
  return text;
}
