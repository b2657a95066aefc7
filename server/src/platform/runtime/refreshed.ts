import { isDeepStrictEqual } from 'node:util';
import { openFailureLog } from './failure-log.ts';
import { openListeners } from './listeners.ts';
import type { Runtime } from './runtime.ts';

const REFRESH_MS = 1000;

type Refreshing<Found> = {
  /** Where processes say that they have changed it. */
  channels: readonly Parameters<Runtime['pubsub']['subscribe']>[0][];
  read: () => Promise<Found>;
  /** Hands on what was read; not what a later read has overtaken. */
  take: (found: Found) => void;
  /** For the log, in the past tense. */
  failure: string;
};

/**
 * Reads what is kept in the database again when any process says that it changed, and every second in case that was not
 * heard. While the database does not answer, what was read last holds.
 */
export function keepRefreshed<Found>(
  { pubsub, timers, log }: Pick<Runtime, 'pubsub' | 'timers' | 'log'>,
  { channels, read, take, failure }: Refreshing<Found>,
): { refresh: () => Promise<void>; stop: () => void } {
  const failures = openFailureLog(log, 'warn', failure);
  let reads = 0;
  let newestRead = 0;
  const refresh = async () => {
    reads += 1;
    const ours = reads;
    try {
      const found = await read();
      failures.succeeded();
      // Reads overtake each other; one that began earlier may know less than what holds already.
      if (ours < newestRead) return;
      newestRead = ours;
      take(found);
    } catch (error) {
      failures.failed(error);
    }
  };
  const stops = [...channels.map((channel) => pubsub.subscribe(channel, refresh)), timers.every(REFRESH_MS, refresh)];
  return {
    refresh,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

/** The value that holds, with the listeners of its changes. */
export function openHeld<Value>(first: Value): {
  current: () => Value;
  take: (next: Value) => void;
  onChange: (react: () => void) => () => void;
} {
  const listeners = openListeners();
  let held = first;
  return {
    current: () => held,
    take: (next) => {
      if (isDeepStrictEqual(next, held)) return;
      held = next;
      listeners.call();
    },
    onChange: listeners.add,
  };
}
