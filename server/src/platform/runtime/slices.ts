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
