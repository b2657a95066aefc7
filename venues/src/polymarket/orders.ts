import { priceFromText } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import type { VenueOrder, VenueOrderStatus } from '../venue.ts';
import { type WireOrder, wireOrder } from './wire.ts';

/**
 * The state of an order from the venue's words, which come with prefixes (`ORDER_STATUS_`) and with reasons as suffixes
 * (`CANCELED_order couldn't be fully filled`). null for a word we do not know.
 */
export function orderStatus(text: string): VenueOrderStatus | null {
  const word = text
    .trim()
    .toUpperCase()
    .replace(/^ORDER_STATUS_/, '');
  if (word.startsWith('LIVE') || word.startsWith('UNMATCHED')) return 'open';
  if (word.startsWith('MATCHED')) return 'matched';
  if (word.startsWith('DELAYED')) return 'delayed';
  if (word.startsWith('CANCELED') || word.startsWith('CANCELLED') || word.startsWith('CANCELLATION')) return 'canceled';
  return word.startsWith('INVALID') ? 'invalid' : null;
}

/** An order from a read. @throws when it is not one. */
export function readOrder(raw: unknown): VenueOrder {
  const wire = wireOrder.parse(raw);
  const status = orderStatus(wire.status ?? '');
  if (status === null) throw new Error(`order status "${wire.status ?? ''}" is not known`);
  return venueOrder(wire, status);
}

/** An order from the list of those that are open: it is, whatever else it is called. @throws when it is not one. */
export function readListedOrder(raw: unknown): VenueOrder {
  const wire = wireOrder.parse(raw);
  return venueOrder(wire, orderStatus(wire.status ?? '') ?? 'open');
}

/**
 * An order from the user stream, whose `type` says what happened. The status may be missing there: a cancellation is
 * one by its type, and a placement or update is open until all of it is matched.
 * @throws when it is not an order.
 */
export function readOrderEvent(raw: unknown): VenueOrder {
  const wire = wireOrder.parse(raw);
  const happened = (wire.type ?? '').toUpperCase();
  const stated = orderStatus(wire.status ?? '');
  if (happened.startsWith('CANCEL')) return venueOrder(wire, stated === 'invalid' ? 'invalid' : 'canceled');
  const order = venueOrder(wire, stated ?? 'open');
  return order.status === 'matched' && order.matchedSize < order.originalSize ? { ...order, status: 'open' } : order;
}

function venueOrder(wire: WireOrder, status: VenueOrderStatus): VenueOrder {
  return {
    orderHash: wire.id,
    marketId: wire.market ?? null,
    tokenId: wire.asset_id,
    side: wire.side === 'BUY' ? 'buy' : 'sell',
    price: priceFromText(wire.price),
    originalSize: sharesOrZero(wire.original_size),
    matchedSize: sharesOrZero(wire.size_matched),
    status,
  };
}

/** A killed order is reported with empty amounts. */
function sharesOrZero(text: string | null | undefined): Shares {
  return text ? sharesFromText(text) : SHARES_ZERO;
}
