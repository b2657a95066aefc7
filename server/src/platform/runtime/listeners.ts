export type Listeners<Told extends unknown[]> = {
  /** Calls `listener` from now on. @returns what ends it */
  add: (listener: (...told: Told) => void) => () => void;
  call: (...told: Told) => void;
};

/** Those who want to be called when something has changed; one that has been ended is not called any more. */
export function openListeners<Told extends unknown[] = []>(): Listeners<Told> {
  const added = new Set<{ listener: (...told: Told) => void }>();
  return {
    add: (listener) => {
      const entry = { listener };
      added.add(entry);
      return () => void added.delete(entry);
    },
    call: (...told) => {
      for (const entry of [...added]) if (added.has(entry)) entry.listener(...told);
    },
  };
}
