/** A batch that has something to send waits for its slot among all that this process sends, without holding its lease. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { CallPurpose, Pace, TradingCall } from '@dutchbook/venues/pace.ts';
import { type BatchState, isBuying } from '../../orders/batch-state.ts';

type Sending = { kind: 'send' | 'cancel'; attemptIds: readonly string[] };

/** The call that a batch makes with these attempts. */
export function callOf({ batch }: BatchState, attemptIds: readonly string[], purpose: CallPurpose): TradingCall {
  return { who: `${batch.id} ${purpose}`, purpose, orders: attemptIds.length };
}

/** Nothing but the pace of this process keeps the batch waiting. */
export type SlotWait = { kind: 'wait'; at: Instant; forSlot: true };

export function isWaitingForSlot(step: object | null): boolean {
  return step !== null && 'forSlot' in step;
}

/** The step if its slot has come, or when it comes. What sends nothing needs no slot. */
export function atSlot<Step extends { kind: string }>(
  pace: Pace,
  state: BatchState,
  step: Step,
  now: Instant,
): Step | SlotWait {
  if (state.batch.simulated || !isSending(step)) return step;
  const purpose = step.kind === 'cancel' ? 'cancel' : isBuying(state) ? 'buy' : 'sell';
  const at = pace.slotAt(callOf(state, step.attemptIds, purpose), now);
  return at > now ? { kind: 'wait', at, forSlot: true } : step;
}

function isSending(step: { kind: string }): step is Sending {
  return step.kind === 'send' || step.kind === 'cancel';
}
