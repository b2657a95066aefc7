import { useEffect, useId, useSyncExternalStore } from 'react';

/** The forms on screen that hold something unsaved. */
const unsavedForms = new Set<string>();
const listeners = new Set<() => void>();

function note(form: string, isUnsaved: boolean): void {
  if (isUnsaved) unsavedForms.add(form);
  else unsavedForms.delete(form);
  for (const listener of listeners) listener();
}

/** Keeps the page from being left without a question while the caller's form holds something unsaved. */
export function useUnsaved(isUnsaved: boolean): void {
  const form = useId();
  useEffect(() => {
    if (!isUnsaved) return;
    note(form, true);
    return () => note(form, false);
  }, [form, isUnsaved]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useAnythingUnsaved(): boolean {
  return useSyncExternalStore(subscribe, () => unsavedForms.size > 0);
}
