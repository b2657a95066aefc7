/** Where the session lives between visits: the access token, in local storage under the name clients know. */
const STORAGE_KEY = 'access_token';

/** `why` is the server's reason; none when somebody logged out. */
type Listener = (why?: string) => void;
const listeners = new Set<Listener>();

export function readAccessToken(): string | null {
  return localStorage.getItem(STORAGE_KEY);
}

export function storeAccessToken(token: string): void {
  localStorage.setItem(STORAGE_KEY, token);
}

/** Ends the session once: a second call, as when several queries are refused together, does nothing. */
export function endSession(why?: string): void {
  if (readAccessToken() === null) return;
  localStorage.removeItem(STORAGE_KEY);
  for (const listener of listeners) listener(why);
}

/** Calls `listener` when the session ends, in this tab or in another one. */
export function onSessionEnd(listener: Listener): void {
  listeners.add(listener);
  window.addEventListener('storage', ({ key, newValue }) => {
    // No key: all of the storage was cleared.
    if ((key === STORAGE_KEY || key === null) && newValue === null) listener();
  });
}
