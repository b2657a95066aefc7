import type { NotificationData } from '@mantine/notifications';
import { type ReactNode, useSyncExternalStore } from 'react';

const COPY_TOAST_MS = 2_000;
/** A failure stays long enough to be read to its end. */
const FAILURE_TOAST_MS = 8_000;

type Shelf = typeof import('./toast-shelf.tsx');

let shelf: Shelf | undefined;
const listeners = new Set<() => void>();

/** Fetches what draws toasts; the login page does without it until something has to be said. */
export async function loadToasts(): Promise<Shelf> {
  const loaded = await import('./toast-shelf.tsx');
  shelf = loaded;
  for (const listener of listeners) listener();
  return loaded;
}

/** Stands once, at the root of the page. */
export function Toasts() {
  const loaded = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shelf,
  );
  return loaded === undefined ? null : <loaded.ToastShelf />;
}

async function show(toast: NotificationData): Promise<void> {
  const { showToast } = await loadToasts();
  showToast(toast);
}

/** The same success twice in a row is said once. */
export function toastSuccess(message: string): void {
  void show({ id: message, title: 'Success!', message, color: 'teal' });
}

/** One toast per `id` at a time, so that ten failing calls do not stack ten of them. */
export function toastProblem(message: ReactNode, id?: string): void {
  const named = id === undefined ? {} : { id };
  void show({
    ...named,
    title: 'Something went wrong!',
    message,
    color: 'red',
    role: 'alert',
    autoClose: FAILURE_TOAST_MS,
  });
}

/** Something has happened that nobody here asked for; one toast per `id`. */
export function toastNews(title: string, message: string, id: string): void {
  void show({ id, title, message, color: 'orange', role: 'alert', autoClose: FAILURE_TOAST_MS });
}

export function toastCopied(what: string): void {
  void show({ message: `${what} copied`, color: 'teal', autoClose: COPY_TOAST_MS });
}
