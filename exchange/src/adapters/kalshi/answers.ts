/** An answer of the REST interface: status and JSON body. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export function ok(body: unknown, status = 200): Answer {
  return { status, body };
}

/** The venue sends errors with three bodies: `{ code, message }` (`flat`), `{ error: { code, message } }` (`nested`), and `{ error: text }` (`TOO_MANY`). */
export function flat(status: number, code: string, message: string): Answer {
  return { status, body: { code, message } };
}

export function nested(status: number, code: string, message: string, details?: string): Answer {
  return { status, body: { error: { code, message, ...(details === undefined ? {} : { details }) } } };
}

export const TOO_MANY: Answer = { status: 429, body: { error: 'too many requests' } };

export const BAD_SIGNATURE = nested(401, 'authentication_error', 'INCORRECT_API_KEY_SIGNATURE');
export const NOT_FOUND = flat(404, 'not_found', 'not found');
export const MARKET_NOT_FOUND = flat(404, 'market_not_found', 'market not found');

/** One page of a list; `cursor` encodes the index of the next page's first item, and is empty on the last page. */
export function page<T>(
  items: readonly T[],
  cursor: string | undefined,
  limit: number,
): { items: T[]; cursor: string } {
  const from = cursor === undefined || cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (!Number.isSafeInteger(from) || from < 0) return { items: [], cursor: '' };
  const some = items.slice(from, from + limit);
  const next = from + some.length;
  return { items: some, cursor: next < items.length ? Buffer.from(String(next)).toString('base64url') : '' };
}
