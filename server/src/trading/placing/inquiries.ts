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
  /** Attempts of a finished batch that are due to be read: not all settled, at the venue after all, or spoken of. */
  unsettledDue: (state: BatchState, now: Instant) => string[];
};

export function newInquiries(): Inquiries {
  const known = new Map<string, Inquiry>();
  const of = (attemptId: string) => known.get(attemptId) ?? { askedAt: null, askedCount: 0, heardOf: false };

  function unsettledDue(state: BatchState, now: Instant): string[] {
    const unsettled = new Set(
      state.fills
        .filter(({ settlement }) => settlement !== 'confirmed' && settlement !== 'failed')
        .map(({ attemptId }) => attemptId),
    );
    const isDue = ({ id, status }: BatchState['attempts'][number]) => {
      const { askedAt, askedCount, heardOf } = of(id);
      if (heardOf) return true;
      if (!unsettled.has(id) && status !== 'open' && status !== 'delayed') return false;
      const pauseMs = Math.min(SETTLEMENT_FIRST_MS * 2 ** Math.min(askedCount, 10), SETTLEMENT_SLOWEST_MS);
      return askedAt === null || now >= askedAt + pauseMs;
    };
    return state.attempts.filter(isDue).map(({ id }) => id);
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
