import { useEffect, useRef } from 'react';

/** How long the second key of a pair may take to follow the first. */
const PAIR_MS = 1_500;

type Runs = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/**
 * Runs what a key stands for while the component is on screen: single keys (`j`), or pairs pressed one after the other
 * (`g a`). Keys that are typed into a field, or that belong to an open dialog or menu, are left alone.
 */
export function useShortcuts(runs: Runs): void {
  const latest = useRef(runs);
  latest.current = runs;
  useEffect(() => {
    let first: { key: string; atMs: number } | undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      const pair = first !== undefined && event.timeStamp - first.atMs < PAIR_MS ? `${first.key} ${event.key}` : '';
      first = { key: event.key, atMs: event.timeStamp };
      const run = latest.current[pair] ?? latest.current[event.key];
      if (run === undefined) return;
      event.preventDefault();
      run(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

const TYPING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]';
const ON_TOP = '[role=dialog], [role=menu]';

/** Whether the key is free to mean something: nobody types, and nothing lies over the page. */
function isShortcut({ target, defaultPrevented, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey) return false;
  if (target instanceof Element && target.closest(TYPING) !== null) return false;
  return document.querySelector(ON_TOP) === null;
}
