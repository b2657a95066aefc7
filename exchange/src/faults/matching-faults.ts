import type { MatchingFaults } from '../matching-engine/matching-faults.ts';
import type { Faults } from './faults.ts';

const HALF = 0.5;
const HELD_MS = 1_000;

/** What the fault switches decide about orders. */
export function matchingFaults(faults: Faults): MatchingFaults {
  return {
    partialFill: (tokenId) => {
      const fault = faults.strike('partial_fill', [tokenId]);
      return fault && (fault.fraction ?? HALF);
    },
    matchesShort: (tokenId) => faults.strike('match_short', [tokenId]) !== undefined,
    dropsDelayed: (tokenId) => {
      const fault = faults.strike('drop_delayed', [tokenId]);
      return fault && { afterMs: fault.ms ?? HELD_MS };
    },
    cancelsResting: (tokenId) => {
      const fault = faults.strike('null_after_cancel', [tokenId]);
      return fault && { afterMs: fault.ms ?? HELD_MS, isSilent: fault.silent === true };
    },
  };
}
