/** When what has failed is tried again by itself: ever later, so that what cannot be done now is not tried each minute. */
import type { Instant } from '@dutchbook/units/instant.ts';

/** How often in a row it has failed, and when that was last. */
export type Failures = { times: number; lastAt: Instant };

const FIRST_MS = 60_000;
const LONGEST_MS = 3_600_000;

export function triedAgainAt({ times, lastAt }: Failures): Instant {
  return (lastAt + Math.min(LONGEST_MS, FIRST_MS * 2 ** (times - 1))) as Instant;
}
