import { useEffect, useRef } from 'react';

/** How long the second key of a pair may take to follow the first. */
const PAIR_MS = 1_500;

type Runs = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const onScreen = new Set<{ current: Runs }>();
let first: { key: string; atMs: number } | undefined;

/**
 * Runs what a key stands for while the component is on screen: single keys (`j`), pairs pressed one after the other
 * (`g a`), and with Control or Command (`mod k`). Keys that are typed into a field, or that belong to an open dialog or
 * menu, are left alone, but for those with Control.
 */
export function useShortcuts(runs: Runs): void {
  const latest = useRef(runs);
  latest.current = runs;
  useEffect(() => {
    onScreen.add(latest);
    return () => void onScreen.delete(latest);
  }, []);
}

document.addEventListener('keydown', (event) => {
  const run = namesOf(event).flatMap((name) => [...onScreen].flatMap(({ current }) => current[name] ?? []))[0];
  if (run === undefined) return;
  event.preventDefault();
  run(event);
});

/** What the key may be called, the pair it ends before itself. */
function namesOf(event: KeyboardEvent): string[] {
  const { key, timeStamp: atMs, ctrlKey, metaKey, altKey, shiftKey } = event;
  if ((ctrlKey || metaKey) && !altKey && !shiftKey) return [`mod ${key.toLowerCase()}`];
  if (!isShortcut(event)) return [];
  const pair = first !== undefined && atMs - first.atMs < PAIR_MS ? [`${first.key} ${key}`] : [];
  first = { key, atMs };
  return [...pair, key];
}

const TYPING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]';
const ON_TOP = '[role=dialog], [role=menu]';

/** Whether the key is free to mean something: no field has the focus, and nothing lies over the page. */
function isShortcut({ target, defaultPrevented, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey) return false;
  if (target instanceof Element && target.closest(TYPING) !== null) return false;
  return document.querySelector(ON_TOP) === null;
}
