import { REMEMBERED_KEY, readAccessToken } from './access-token.ts';

/** Tells one session's token from another's. */
const TAIL_LENGTH = 16;

/** The session is the first of its user. */
export const FIRST_LOGIN = 'first_login';

type Remembered = { session: string; values: Record<string, unknown> };

/** Keeps what a page has read for the next page of this session, which begins as it will look and reads it all the same. */
export function remember(name: string, value: unknown): void {
  const session = sessionNow();
  if (session === undefined) return;
  const text = JSON.stringify({ session, values: { ...read()?.values, [name]: value } } satisfies Remembered);
  if (text !== localStorage.getItem(REMEMBERED_KEY)) localStorage.setItem(REMEMBERED_KEY, text);
}

/** Undefined where nothing was read in this session; what it is has to be looked at, since anything may have written it. */
export function recall(name: string): unknown {
  return read()?.values[name];
}

const sessionNow = () => readAccessToken()?.slice(-TAIL_LENGTH);

function read(): Remembered | undefined {
  const text = localStorage.getItem(REMEMBERED_KEY);
  if (text === null) return undefined;
  try {
    const stored = JSON.parse(text) as Partial<Remembered> | null;
    if (stored?.session !== sessionNow() || typeof stored?.values !== 'object' || stored.values === null)
      return undefined;
    return stored as Remembered;
  } catch {
    return undefined;
  }
}
