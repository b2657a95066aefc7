/** A batch that has something to send waits for its turn among all that this process sends, without holding its lease. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { CallPurpose, Pace, TradingCall } from '@dutchbook/venues/pace.ts';
import { type BatchState, isBuying } from '../../orders/batch-state.ts';

type Sending = { kind: 'send' | 'cancel'; attemptIds: readonly string[] };

/** The call that a batch makes with these attempts. */
export function callOf({ batch }: BatchState, attemptIds: readonly string[], purpose: CallPurpose): TradingCall {
  return { who: `${batch.id} ${purpose}`, purpose, orders: attemptIds.length };
}

/** Nothing but the pace of this process keeps the batch waiting. */
export type TurnWait = { kind: 'wait'; at: Instant; forTurn: true };

export function isWaitingForTurn(step: object | null): boolean {
  return step !== null && 'forTurn' in step;
}

/** The step if its turn has come, or when it comes. What sends nothing needs no turn. */
export function inTurn<Step extends { kind: string }>(
  pace: Pace,
  state: BatchState,
  step: Step,
  now: Instant,
): Step | TurnWait {
  if (state.batch.simulated || !isSending(step)) return step;
  const purpose = step.kind === 'cancel' ? 'cancel' : isBuying(state) ? 'buy' : 'sell';
  const at = pace.turnAt(callOf(state, step.attemptIds, purpose), now);
  return at > now ? { kind: 'wait', at, forTurn: true } : step;
}

function isSending(step: { kind: string }): step is Sending {
  return step.kind === 'send' || step.kind === 'cancel';
}
