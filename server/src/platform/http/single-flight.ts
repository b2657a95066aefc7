import { setImmediate as endOfTick } from 'node:timers/promises';

/** A read that takes longer may hang on a dead connection; later callers stop waiting for it. */
const PATIENCE_MS = 2000;

/** Shares one running read of `key` among the callers that ask while it has not begun. */
export type SingleFlight = <Answer>(key: string, read: () => Promise<Answer>) => Promise<Answer>;

type Reading = { answer: Promise<unknown>; hasBegun: boolean; next: Reading | null };

/**
 * A read that has begun may miss what was written since, so that a caller that comes later shares the next read: each
 * answer was read after its caller asked.
 */
export function openSingleFlight(patienceMs = PATIENCE_MS): SingleFlight {
  const readings = new Map<string, Reading>();
  let tick: Promise<void> | null = null;

  /** Resolves at the end of this tick of the event loop. */
  function othersAsked(): Promise<void> {
    tick ??= endOfTick().then(() => {
      tick = null;
    });
    return tick;
  }

  /** Begins after `before`, and after the tick in which other callers may still join. */
  function reading<Answer>(key: string, read: () => Promise<Answer>, before: Promise<unknown> | null): Reading {
    const begin = async () => {
      await (before === null ? null : endOf(before, patienceMs));
      readings.set(key, made);
      await othersAsked();
      made.hasBegun = true;
      return read();
    };
    const end = () => {
      if (made.next === null) readings.delete(key);
    };
    const made: Reading = { answer: begin(), hasBegun: false, next: null };
    made.answer.then(end, end);
    return made;
  }

  return <Answer>(key: string, read: () => Promise<Answer>) => {
    const now = readings.get(key);
    if (now === undefined) {
      const first = reading(key, read, null);
      readings.set(key, first);
      return first.answer as Promise<Answer>;
    }
    if (!now.hasBegun) return now.answer as Promise<Answer>;
    now.next ??= reading(key, read, now.answer);
    return now.next.answer as Promise<Answer>;
  };
}

/** Without `Promise.race`: nearly every call passes here. */
function endOf(reading: Promise<unknown>, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeout(resolve, patienceMs);
    const end = () => {
      clearTimeout(patience);
      resolve();
    };
    reading.then(end, end);
  });
}
