/** Where the session lives between visits: the access token, in local storage under the name clients know. */
const STORAGE_KEY = 'access_token';

/** What pages of a session have read: the next one at this browser may be another person's. */
export const REMEMBERED_KEY = 'remembered';

/** `why` is the server's reason; none when the user logged out. */
type Listener = (why?: string) => void;
const listeners = new Set<Listener>();

export function readAccessToken(): string | null {
  return localStorage.getItem(STORAGE_KEY);
}

const DEVICE_KEY = 'device_token';

/** What shows that this browser has logged in before; it stays when the session ends. */
export function readDeviceToken(): string | null {
  return localStorage.getItem(DEVICE_KEY);
}

export function storeDeviceToken(token: string): void {
  localStorage.setItem(DEVICE_KEY, token);
}

export function storeAccessToken(token: string): void {
  localStorage.setItem(STORAGE_KEY, token);
}

/** Ends the session once: a second call, as when several queries are refused together, does nothing. */
export function endSession(why?: string): void {
  if (readAccessToken() === null) return;
  for (const key of [STORAGE_KEY, REMEMBERED_KEY]) localStorage.removeItem(key);
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
