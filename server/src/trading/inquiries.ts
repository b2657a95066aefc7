import type { Instant } from '@dutchbook/units/instant.ts';
import type { BatchState } from './batch-state.ts';

type Inquiry = { askedAt: Instant | null; askedCount: number; heardOf: boolean };

const SETTLEMENT_FIRST_MS = 500;
const SETTLEMENT_SLOWEST_MS = 15_000;

/**
 * When the venue was last asked about each attempt, and whether it has spoken of it since. Kept in memory only: after a
 * restart everything that is not final is asked about at once, which is what a restart calls for.
 */
export type Inquiries = {
  of: (attemptId: string) => Inquiry;
  asked: (attemptIds: readonly string[], now: Instant) => void;
  heard: (attemptId: string) => void;
  forget: () => void;
  /** Attempts of a finished batch with fills that have not settled, and that are due to be read. */
  unsettledDue: (state: BatchState, now: Instant) => string[];
};

export function newInquiries(): Inquiries {
  const known = new Map<string, Inquiry>();
  const of = (attemptId: string) => known.get(attemptId) ?? { askedAt: null, askedCount: 0, heardOf: false };

  function unsettledDue(state: BatchState, now: Instant): string[] {
    const unsettled = state.fills.filter(({ settlement }) => settlement !== 'confirmed' && settlement !== 'failed');
    return [...new Set(unsettled.map(({ attemptId }) => attemptId))].filter((attemptId) => {
      const { askedAt, askedCount, heardOf } = of(attemptId);
      const pauseMs = Math.min(SETTLEMENT_FIRST_MS * 2 ** Math.min(askedCount, 10), SETTLEMENT_SLOWEST_MS);
      return heardOf || askedAt === null || now >= askedAt + pauseMs;
    });
  }

  return {
    of,
    asked(attemptIds, now) {
      for (const id of attemptIds) known.set(id, { askedAt: now, askedCount: of(id).askedCount + 1, heardOf: false });
    },
    heard(attemptId) {
      known.set(attemptId, { ...of(attemptId), heardOf: true });
    },
    forget: () => known.clear(),
    unsettledDue,
  };
}
