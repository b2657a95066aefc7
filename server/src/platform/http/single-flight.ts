import { setImmediate as endOfTurn } from 'node:timers/promises';

/** One that takes longer may hang, as on a connection that has died in silence, and nobody else waits for it. */
const PATIENCE_MS = 2000;

/** Reads what `key` stands for, together with everybody else who asks for it at the same time. */
export type SingleFlight = <Answer>(key: string, read: () => Promise<Answer>) => Promise<Answer>;

type Reading = { answer: Promise<unknown>; hasBegun: boolean; next: Reading | null };

/**
 * Lets those who ask the same at the same time read it once. A reading that has begun may miss what was written since,
 * so who asks later waits for the next one: everybody is answered with what was read after asking.
 */
export function openSingleFlight(patienceMs = PATIENCE_MS): SingleFlight {
  const readings = new Map<string, Reading>();
  let turn: Promise<void> | null = null;

  /** The same for all who ask in one turn. */
  function othersAsked(): Promise<void> {
    turn ??= endOfTurn().then(() => {
      turn = null;
    });
    return turn;
  }

  /** After `before`, and after all whose questions have arrived by then have asked them. */
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

/** In the plainest way, as it is waited for by nearly every call. */
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
