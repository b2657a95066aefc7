import { setImmediate } from 'node:timers/promises';

/**
 * Cuts long work into slices, between which timers, sockets and calls run: `spend` is awaited after each
 * step with what the step cost, in a unit of the caller's, and gives way whenever `size` has been spent.
 */
export function sliced(size: number): { spend: (cost: number) => Promise<void> | undefined } {
  let spent = 0;
  return {
    spend: (cost) => {
      spent += cost;
      if (spent < size) return undefined;
      spent = 0;
      return setImmediate();
    },
  };
}

let lastTick: Promise<void> = Promise.resolve();

/**
 * Resolves in a tick of the event loop of its own: of all that wait at the same time, each tick has one. A call passes through many
 * ticks until it is answered, and each of them holds one slice at most, however many files are written.
 */
export function ownTick(): Promise<void> {
  lastTick = lastTick.then(() => setImmediate());
  return lastTick;
}
