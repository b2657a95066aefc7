/** An answer of the REST interface: status, JSON body, extra headers. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function refused(status: number, error: string): Answer {
  return { status, body: { error } };
}

export const UNAUTHORIZED = refused(401, 'Unauthorized/Invalid api key');
export const NO_ORDERBOOK = refused(404, 'No orderbook exists for the requested token id');
export const MARKET_NOT_FOUND = refused(404, 'market not found');
export const INVALID_ORDER = refused(400, 'Invalid order payload');

const START_CURSOR = 'MA==';
const END_CURSOR = 'LTE=';

/** One page of a list; the cursor is the base64 text of an offset, `LTE=` (-1) at the end. */
export function page<T>(items: readonly T[], cursor: string | undefined, limit: number) {
  const offset = Number(Buffer.from(cursor || START_CURSOR, 'base64').toString('utf8'));
  const from = Number.isInteger(offset) && offset >= 0 ? offset : items.length;
  const data = items.slice(from, from + limit);
  const next = from + data.length;
  const nextCursor = next < items.length ? Buffer.from(String(next)).toString('base64') : END_CURSOR;
  return { limit, count: data.length, next_cursor: nextCursor, data };
}
