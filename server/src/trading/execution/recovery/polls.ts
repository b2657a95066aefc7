import { followUpsDue, type Polls } from '@dutchbook/engine/order/polling.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { BatchState } from '../../orders/batch-state.ts';

/** `reportedGone`: the stream has reported that it is canceled. */
type AttemptPolls = Polls & { reportedGone: boolean };

/**
 * When the venue was last asked about each attempt, and whether its stream has reported it since. Kept in memory only:
 * after a restart everything that is not final is polled at once, which is what a restart calls for.
 */
export type OrderPolls = {
  of: (attemptId: string) => AttemptPolls;
  notePoll: (attemptIds: readonly string[], now: Instant) => void;
  noteNotified: (attemptId: string, isGone?: boolean) => void;
  /** Whether an unreadable trade has not been notified before. */
  isFirstUnreadable: (tradeId: string) => boolean;
  forget: () => void;
  /** Attempts of a batch that has ended which are to be read now. */
  followUpsDue: (state: BatchState, now: Instant) => string[];
};

const NEVER_POLLED: AttemptPolls = { polledAt: null, pollCount: 0, notified: false, reportedGone: false };

export function newOrderPolls(): OrderPolls {
  const known = new Map<string, AttemptPolls>();
  const unreadable = new Set<string>();
  const of = (attemptId: string) => known.get(attemptId) ?? NEVER_POLLED;

  return {
    of,
    notePoll(attemptIds, now) {
      for (const id of attemptIds) {
        const { pollCount, reportedGone } = of(id);
        known.set(id, { polledAt: now, pollCount: pollCount + 1, notified: false, reportedGone });
      }
    },
    noteNotified(attemptId, isGone = false) {
      const polls = of(attemptId);
      known.set(attemptId, { ...polls, notified: true, reportedGone: polls.reportedGone || isGone });
    },
    isFirstUnreadable(tradeId) {
      const isFirst = !unreadable.has(tradeId);
      unreadable.add(tradeId);
      return isFirst;
    },
    forget: () => known.clear(),
    followUpsDue: ({ attempts, fills }, now) =>
      followUpsDue(
        attempts.map(({ id, status }) => ({ id, status, ...of(id) })),
        fills,
        now,
      ),
  };
}
