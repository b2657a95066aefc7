export type Watchers = {
  /** Calls `react` from now on. @returns what ends it */
  add: (react: () => void) => () => void;
  callAll: () => void;
};

/** Those who want to be called when something has changed. */
export function openWatchers(): Watchers {
  const reactions = new Set<{ react: () => void }>();
  return {
    add: (react) => {
      const reaction = { react };
      reactions.add(reaction);
      return () => void reactions.delete(reaction);
    },
    callAll: () => {
      for (const { react } of [...reactions]) react();
    },
  };
}
