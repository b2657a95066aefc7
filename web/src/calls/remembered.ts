import { onSessionEnd, readAccessToken } from './access-token.ts';

/** What an earlier page of this session has read: a page begins as it will look, and reads it all the same. */
const STORAGE_KEY = 'remembered';
/** Tells one session's token from another's. */
const TAIL_LENGTH = 16;

/** The next one at this browser may be another person. */
onSessionEnd(() => localStorage.removeItem(STORAGE_KEY));

type Remembered = { session: string; values: Record<string, unknown> };

export function remember(name: string, value: unknown): void {
  const session = sessionNow();
  if (session === undefined) return;
  const text = JSON.stringify({ session, values: { ...read()?.values, [name]: value } } satisfies Remembered);
  if (text !== localStorage.getItem(STORAGE_KEY)) localStorage.setItem(STORAGE_KEY, text);
}

/** Undefined where nothing was read in this session; what it is has to be looked at, since anything may have written it. */
export function recall(name: string): unknown {
  return read()?.values[name];
}

const sessionNow = () => readAccessToken()?.slice(-TAIL_LENGTH);

function read(): Remembered | undefined {
  const text = localStorage.getItem(STORAGE_KEY);
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
