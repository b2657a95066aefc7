import { microFromText } from '@dutchbook/units/micro.ts';
import { TOO_MANY_REQUESTS } from '../transport.ts';
import { type PostOutcome, type SignedOrder, VenueUnavailable } from '../venue.ts';
import type { Answer, KalshiApi } from './api.ts';
import { readPayload, type StoredOrder } from './orders.ts';
import { placedOrder, placedOrders } from './wire.ts';

const ORDERS = '/portfolio/events/orders';

/** An order on its way, with what is stored of it. */
export type Outgoing = { signed: SignedOrder; stored: StoredOrder };

/** `exists`: the venue says that its name is spent; what became of it must be looked up. `isPaused`: its market alone is. */
export type PostVerdict = PostOutcome | { kind: 'exists' } | { kind: 'rejected'; reason: string; isPaused: true };

/** What the venue says is wrong: its three forms carry a code and a text, or a text alone. */
export type Refusal = { code: string; message: string };

/** Posts in one call, and judges the answer for each order, in order. Never throws. */
export async function postOrders(
  api: Pick<KalshiApi, 'send'>,
  orders: readonly Outgoing[],
  onAnswer: (answer: Answer) => void,
): Promise<PostVerdict[]> {
  const [first, ...others] = orders;
  if (first === undefined) return [];
  const isOne = others.length === 0;
  const body = isOne ? first.stored : { orders: orders.map(({ stored }) => stored) };
  try {
    const answer = await api.send('POST', isOne ? ORDERS : `${ORDERS}/batched`, body);
    onAnswer(answer);
    if (!isSuccess(answer)) return orders.map(() => judgeRefusal(answer, orders.length));
    if (isOne) return [judgePlaced(answer.body, first)];
    const entries = placedOrders.safeParse(answer.body);
    if (!entries.success || entries.data.orders.length !== orders.length)
      return orders.map(() => ({ kind: 'unknown', reason: 'the venue did not answer for every order' }));
    return orders.map((order, index) => judgeEntry(entries.data.orders[index], order));
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    return orders.map(() => ({ kind: 'unknown', reason: `no answer: ${error.message}` }));
  }
}

/** Reads the payload of a stored order; null where this product did not write it. */
export function outgoing(signed: SignedOrder): Outgoing | null {
  try {
    return { signed, stored: readPayload(signed.payload) };
  } catch {
    return null;
  }
}

/** Judges one order's answer in a batch: as for a single order, or its error. */
function judgeEntry(raw: unknown, order: Outgoing): PostVerdict {
  const refusal = refusalIn(raw);
  return refusal === null ? judgePlaced(raw, order) : verdictOf(refusal, null, 1);
}

/** The answer names no status; what it says is left of an order that may not rest means nothing. */
function judgePlaced(raw: unknown, { signed, stored }: Outgoing): PostVerdict {
  const parsed = placedOrder.safeParse(raw);
  if (!parsed.success) return { kind: 'unknown', reason: 'the answer for this order could not be read' };
  const { order_id: venueName, client_order_id: clientId, fill_count, remaining_count } = parsed.data;
  if (clientId && clientId !== stored.client_order_id)
    return { kind: 'unknown', reason: 'the venue answered with the name of another order' };
  const filled = microFromText(fill_count, 'fill_count');
  const accepted = { kind: 'accepted', orderHash: signed.orderHash, venueName } as const;
  if (stored.time_in_force === 'immediate_or_cancel')
    return filled > 0 ? { ...accepted, status: 'matched' } : { kind: 'rejected', reason: 'nothing in the book met it' };
  if (filled >= microFromText(stored.count, 'count')) return { ...accepted, status: 'matched' };
  const isGone = microFromText(remaining_count, 'remaining_count') === 0;
  if (stored.post_only === true && filled === 0 && isGone)
    return { kind: 'rejected', reason: 'it would have matched at once, and was to rest' };
  return { ...accepted, status: 'open' };
}

function judgeRefusal({ status, body }: Answer, count: number): PostVerdict {
  return verdictOf(refusalIn(body) ?? { code: '', message: plain(body) }, status, count);
}

const EXISTS = 'order_already_exists';
const PAUSED = 'trading_is_paused';
/** With these the venue has looked at the order and does not have it; each spends the name all the same. */
const PROVEN = new Set([
  'fill_or_kill_insufficient_resting_volume',
  'exchange_is_paused',
  'insufficient_balance',
  'invalid_price',
  'invalid_order',
  'invalid_parameters',
  'market_not_found',
  'not_found',
  'permission_denied',
  'authentication_error',
  'deprecated_v1_order_endpoint',
]);
const NOT_LOOKED_AT = new Set([401, 403, 404, 410]);

/** A 400 to several orders that names no code says nothing of each. Of a 5xx nothing is known. */
function verdictOf({ code, message }: Refusal, status: number | null, count: number): PostVerdict {
  const reason = message || code || 'no reason was given';
  if (code === EXISTS) return { kind: 'exists' };
  if (code === PAUSED) return { kind: 'rejected', reason, isPaused: true };
  if (status === TOO_MANY_REQUESTS || /too many requests/i.test(message)) return { kind: 'rate_limited', reason };
  if (status !== null && status >= 500) return { kind: 'unknown', reason };
  if (PROVEN.has(code) || (status !== null && NOT_LOOKED_AT.has(status))) return { kind: 'rejected', reason };
  return status === 400 && count === 1 ? { kind: 'rejected', reason } : { kind: 'unknown', reason };
}

/** Null where nothing is refused. */
export function refusalIn(raw: unknown): Refusal | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const inside: unknown = 'error' in raw ? raw.error : 'code' in raw ? raw : null;
  if (typeof inside === 'string') return { code: '', message: inside };
  if (typeof inside !== 'object' || inside === null) return null;
  const { code, message, details } = inside as Record<string, unknown>;
  const texts = [message, details].filter((part): part is string => typeof part === 'string' && part !== '');
  return { code: typeof code === 'string' ? code : '', message: texts.join(': ').slice(0, REASON_LENGTH_MAX) };
}

const REASON_LENGTH_MAX = 300;

function plain(body: unknown): string {
  return (typeof body === 'string' ? body : JSON.stringify(body)).slice(0, REASON_LENGTH_MAX);
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status <= 299;
}
