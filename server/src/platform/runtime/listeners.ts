export type Listeners<Args extends unknown[]> = {
  /** Calls `listener` from now on. @returns what ends it */
  add: (listener: (...args: Args) => void) => () => void;
  call: (...args: Args) => void;
};

/** A list of callbacks for a change; a removed callback is not called any more. */
export function openListeners<Args extends unknown[] = []>(): Listeners<Args> {
  const added = new Set<{ listener: (...args: Args) => void }>();
  return {
    add: (listener) => {
      const entry = { listener };
      added.add(entry);
      return () => void added.delete(entry);
    },
    call: (...args) => {
      for (const entry of [...added]) if (added.has(entry)) entry.listener(...args);
    },
  };
}
