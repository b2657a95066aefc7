import { useEffect, useRef } from 'react';

/** How long the second key of a pair may take to follow the first. */
const PAIR_MS = 1_500;

type Handlers = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const mounted = new Set<{ current: Handlers }>();
let first: { key: string; atMs: number } | undefined;

/**
 * Registers keyboard shortcuts while the component is mounted: single keys (`j`), pairs of keys pressed in sequence (`g a`),
 * and keys with Control or Command (`mod k`). Keys typed into a field, or while a dialog or menu is open, are ignored unless
 * Control or Command is held.
 */
export function useShortcuts(handlers: Handlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    mounted.add(latest);
    return () => void mounted.delete(latest);
  }, []);
}

document.addEventListener('keydown', (event) => {
  const handler = namesOf(event).flatMap((name) => [...mounted].flatMap(({ current }) => current[name] ?? []))[0];
  if (handler === undefined) return;
  event.preventDefault();
  handler(event);
});

/** The names of the shortcuts that this key may trigger: first the pair that it completes, then the key alone. */
function namesOf(event: KeyboardEvent): string[] {
  const { key, timeStamp: atMs, ctrlKey, metaKey, altKey, shiftKey } = event;
  if ((ctrlKey || metaKey) && !altKey && !shiftKey) return [`mod ${key.toLowerCase()}`];
  if (!isShortcut(event)) return [];
  const pair = first !== undefined && atMs - first.atMs < PAIR_MS ? [`${first.key} ${key}`] : [];
  first = { key, atMs };
  return [...pair, key];
}

const TYPING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]';
const OVERLAY = '[role=dialog], [role=menu]';

/** Whether the key may trigger a shortcut without Control: no field has the focus, and no dialog or menu is open. */
function isShortcut({ target, defaultPrevented, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey) return false;
  if (target instanceof Element && target.closest(TYPING) !== null) return false;
  return document.querySelector(OVERLAY) === null;
}
