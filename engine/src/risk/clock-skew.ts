import type { Blocker, GateContext } from './context.ts';
import { refusedByVenue } from './limits/touched.ts';

const CLOCK_SKEW_MAX_MS = 5000;

/** A clock that disagrees with a venue's misjudges the age of books and the end of markets. */
export function clockSkewGate(context: GateContext): Blocker | null {
  return refusedByVenue(context, ({ account: { clockSkewMs } }) => {
    if (clockSkewMs === null || Math.abs(clockSkewMs) <= CLOCK_SKEW_MAX_MS) return null;
    const actual = Math.abs(clockSkewMs) / 1000;
    const required = CLOCK_SKEW_MAX_MS / 1000;
    const direction = clockSkewMs > 0 ? 'behind' : 'ahead of';
    const message = `this machine's clock is ${Math.floor(actual)} s ${direction} the venue's, at most ${required} s is allowed`;
    return { gate: 'clock-skew', message, actual, required };
  });
}
