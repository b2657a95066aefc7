/** Time as the live parts see it, so that tests can set it. */
export type Clock = {
  nowMs: () => number;
  /** Runs once after `delayMs`; the answer cancels it. */
  after: (delayMs: number, run: () => void) => () => void;
};

export const browserClock: Clock = {
  nowMs: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
