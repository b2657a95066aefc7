import { TOO_MANY_REQUESTS } from '../transport.ts';
import type { PostOutcome, SignedOrder } from '../venue.ts';
import { microOrNaN } from './decimal.ts';
import { type CallFailure, callFailure, type Secrets } from './errors.ts';
import { readPayload, type StoredOrder } from './signing.ts';
import { type OrderEntry, orderEntry } from './wire.ts';

/** The venue refuses larger calls as a whole. */
export const ORDERS_PER_CALL = 15;

/** An order on its way, with what is stored of it. */
export type Outgoing = { signed: SignedOrder; stored: StoredOrder };

/** `exists`: the venue says it has this very order already; what became of it must be looked up. */
export type PostVerdict = PostOutcome | { kind: 'exists' };

/**
 * Posts up to 15 orders in one call and judges the answer for each, in order. Never throws.
 *
 * Accepted is only what the venue says in full: success, an id that is ours, no message, a status we know. Rejected and
 * rate limited are only what proves that the order was not taken. Everything between is unknown.
 */
export async function postOrders(
  call: (orders: readonly StoredOrder[]) => Promise<unknown>,
  orders: readonly Outgoing[],
  secrets: Secrets,
  onFailure: (error: unknown) => void,
): Promise<PostVerdict[]> {
  try {
    const answer = await call(orders.map(({ stored }) => stored));
    if (!Array.isArray(answer) || answer.length !== orders.length) {
      return all(orders, { kind: 'unknown', reason: 'the venue did not answer for every order' });
    }
    return orders.map((order, index) => judgeEntry(answer[index], order, secrets));
  } catch (error) {
    onFailure(error);
    const failure = callFailure(error);
    return orders.map((order) => judgeFailure(failure, order, orders.length, secrets));
  }
}

/** Reads the payload of a stored order. A payload that cannot be read was never sent by us in this form. */
export function outgoing(signed: SignedOrder): Outgoing | null {
  try {
    return { signed, stored: readPayload(signed.payload) };
  } catch {
    return null;
  }
}

/** Judges one entry of a batch answer that came with status 200, which by itself means nothing. */
export function judgeEntry(raw: unknown, order: Outgoing, secrets: Secrets): PostVerdict {
  const parsed = orderEntry.safeParse(raw);
  if (!parsed.success) return { kind: 'unknown', reason: 'the answer for this order could not be read' };
  const entry = parsed.data;
  const message = entry.errorMsg ?? '';
  if (message !== '') return judgeMessage(message, entry.orderID ?? '', secrets);
  if (!entry.success) return { kind: 'unknown', reason: 'the venue reported no success and gave no reason' };
  if (entry.orderID !== order.signed.orderHash) {
    return { kind: 'unknown', reason: 'the venue answered with an order id that is not this order' };
  }
  const status = acceptedStatus(entry, order.stored);
  if (status === null) return { kind: 'unknown', reason: secrets.clean(`status "${entry.status ?? ''}" is not known`) };
  return { kind: 'accepted', orderHash: entry.orderID, status };
}

/** Judges a call that failed as a whole, for one of the `count` orders in it. */
export function judgeFailure(
  { status, text }: CallFailure,
  { signed }: Pick<Outgoing, 'signed'>,
  count: number,
  secrets: Secrets,
): PostVerdict {
  const reason = secrets.clean(text) || 'no answer';
  // Of several orders it proves something of the one it names; the others are asked for.
  if (isDuplicate(text) && (count === 1 || text.includes(signed.orderHash))) return { kind: 'exists' };
  if (status === TOO_MANY_REQUESTS) return { kind: 'rate_limited', reason };
  if (status !== null && provesRefusal(status, text, count)) return { kind: 'rejected', reason };
  return { kind: 'unknown', reason: status === null ? `no answer: ${reason}` : reason };
}

const KILLED = /FOK orders are fully filled or killed|FAK orders are partially filled or killed/i;
const WHOLE_CALL_REFUSED =
  /invalid order payload|too many orders|owner of the api key|address of the api key|address banned|closed only mode|order_version_mismatch|invalid order version|invalid api key/i;
/** What the matching engine says of itself, as a call with a 500: the order may have reached it. */
const ENGINE_FAULT =
  /could not insert order|no matching orders|rounding issues|discrepancy greater than allowed|order match delayed/i;
export const CLOSED_FOR_ORDERS = /trading is currently disabled|cancel-only|post-only mode/i;

function judgeMessage(message: string, orderId: string, secrets: Secrets): PostVerdict {
  if (isDuplicate(message)) return { kind: 'exists' };
  const reason = secrets.clean(message);
  const isRefusal = KILLED.test(message) || (orderId === '' && !ENGINE_FAULT.test(message));
  return isRefusal ? { kind: 'rejected', reason } : { kind: 'unknown', reason };
}

/**
 * 401 and 403 reject a call before any order is looked at. A 400 that names one order says nothing of the others
 * in the call. 5xx proves nothing, except for the venue's own words that it takes no orders now. After 425 (the engine
 * restarts) the same order may be posted again, so it stays open rather than refused.
 */
function provesRefusal(status: number, text: string, count: number): boolean {
  if (status === 401 || status === 403) return true;
  if (ENGINE_FAULT.test(text)) return false;
  if (status === 400 || status === 404) return count === 1 || WHOLE_CALL_REFUSED.test(text);
  return status === 503 && CLOSED_FOR_ORDERS.test(text);
}

function isDuplicate(text: string): boolean {
  return /\bduplicated\b/i.test(text);
}

/** `matched` says that something matched; a rest of an order that may rest still stands in the book. */
function acceptedStatus(entry: OrderEntry, stored: StoredOrder): 'open' | 'matched' | 'delayed' | null {
  switch ((entry.status ?? '').toLowerCase()) {
    case 'live':
    case 'unmatched':
      return 'open';
    case 'delayed':
      return 'delayed';
    case 'matched':
      return stored.orderType === 'FAK' || isWhollyMatched(entry, stored) ? 'matched' : 'open';
    default:
      return null;
  }
}

function isWhollyMatched(entry: OrderEntry, { order }: StoredOrder): boolean {
  const isBuy = order.side === 'BUY';
  const matched = microOrNaN(isBuy ? entry.takingAmount : entry.makingAmount);
  return matched >= Number(isBuy ? order.takerAmount : order.makerAmount);
}

function all(orders: readonly Outgoing[], verdict: PostVerdict): PostVerdict[] {
  return orders.map(() => verdict);
}
