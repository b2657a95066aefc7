import type { Instant } from '@dutchbook/units/instant.ts';
import { retryRefusal, type SaleState } from './actions.ts';
import type { RetryFacts } from './life.ts';

const FIRST_PAUSE_MS = 5000;
const PAUSE_GROWTH = 4;
const LONGEST_PAUSE_MS = 600_000;

/** How long the product waits after a batch has ended before it retries it by itself: 5 s, 20 s, 80 s, ... */
export function retryPauseMs(retryCount: number): number {
  return Math.min(FIRST_PAUSE_MS * PAUSE_GROWTH ** retryCount, LONGEST_PAUSE_MS);
}

/** `automatic` is AUTO_PLACE_ORDER_ENABLED. */
export type AutomaticRetryRules = { automatic: boolean; armed: boolean };

/** When a batch that ended at `endedAt` is retried without being asked to; null when it is not. */
export function automaticRetryAt(
  batch: RetryFacts & SaleState & { endedAt: Instant },
  { automatic, armed }: AutomaticRetryRules,
): Instant | null {
  if (!automatic || !armed || retryRefusal(batch) !== null) return null;
  return (batch.endedAt + retryPauseMs(batch.retryCount)) as Instant;
}
