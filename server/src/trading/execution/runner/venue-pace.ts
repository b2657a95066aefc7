/** A batch that has something to send waits for its slot among all that this process sends, without holding its lease. */

import { decisionHoldsUntil } from '@dutchbook/engine/order/age.ts';
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { CallPurpose, TradingCall } from '@dutchbook/venues/pace.ts';
import { type AttemptRecord, type BatchState, isBuying } from '../../orders/batch-state.ts';
import type { RoutedTrading } from '../../venue-desk/routed-trading.ts';

type Sending = { kind: 'send' | 'cancel'; attemptIds: readonly string[] };

export type VenueCall = TradingCall & { venue: VenueName };

/** The calls that are made with these orders, one at each venue. */
export function callsOf(who: string, purpose: CallPurpose, orders: readonly { orderHash: string }[]): VenueCall[] {
  const byVenue = Map.groupBy(orders, ({ orderHash }) => venueOf(orderHash));
  return [...byVenue].map(([venue, { length }]) => ({ venue, who: `${who} ${purpose}`, purpose, orders: length }));
}

/** The calls to the venue that these attempts of a batch take. */
export function callsOfBatch(state: BatchState, attemptIds: readonly string[], purpose: CallPurpose): VenueCall[] {
  const orders = state.attempts.filter(({ id }) => attemptIds.includes(id));
  return callsOf(state.batch.id, purpose, orders);
}

/** When the slot of the last of these calls comes. */
function slotAt(trading: Pick<RoutedTrading, 'paceOf'>, calls: readonly VenueCall[], now: Instant): Instant {
  return Math.max(now, ...calls.map((call) => trading.paceOf(call.venue).slotAt(call, now))) as Instant;
}

/** Takes the slots of these calls if all have come. */
export function mayLeave(
  trading: Pick<RoutedTrading, 'paceOf'>,
  calls: readonly VenueCall[],
  { now }: { now: () => Instant },
): boolean {
  const at = now();
  if (slotAt(trading, calls, at) > at) return false;
  for (const call of calls) trading.paceOf(call.venue).leave(call, at);
  return true;
}

/** Nothing but the pace of this process keeps the batch waiting. */
export type SlotWait = { kind: 'wait'; at: Instant; forSlot: true };

export function isWaitingForSlot(step: object | null): boolean {
  return step !== null && 'forSlot' in step;
}

/**
 * The step if its slot has come, or when it comes. What sends nothing needs no slot. All of a buy leaves at once; of a sale or a
 * cancelation the part at each venue leaves when the slot of that venue comes, whatever holds another up.
 */
export function atSlot<Step extends { kind: string }>(
  trading: Pick<RoutedTrading, 'paceOf'>,
  state: BatchState,
  step: Step,
  now: Instant,
): Step | SlotWait {
  if (state.batch.simulated || !isSending(step)) return step;
  const purpose = step.kind === 'cancel' ? 'cancel' : isBuying(state) ? 'buy' : 'sell';
  const calls = callsOfBatch(state, step.attemptIds, purpose);
  if (purpose === 'buy') {
    const at = slotAt(trading, calls, now);
    return at > now ? { kind: 'wait', at, forSlot: true } : step;
  }
  const slots = new Map(calls.map((call) => [call.venue, slotAt(trading, [call], now)]));
  const at = Math.min(...slots.values()) as Instant;
  if (at > now) return { kind: 'wait', at, forSlot: true };
  const due = state.attempts.filter(({ orderHash }) => slots.get(venueOf(orderHash)) === now);
  return { ...step, attemptIds: due.map(({ id }) => id).filter((id) => step.attemptIds.includes(id)) };
}

/** A batch that waits for its slot keeps its dollars reserved while its decision holds, then releases them, unless part of it may have left. */
export function withRelease<Step extends { kind: string }>(
  state: BatchState,
  step: Step | SlotWait,
  now: Instant,
): Step | SlotWait | { kind: 'release' } {
  if (!('forSlot' in step) || !isBuying(state) || state.batch.releasedAt !== null || !isAllUnsent(state)) return step;
  const decidedAt = Math.min(...state.attempts.filter(isPrepared).map(({ createdAt }) => createdAt)) as Instant;
  const until = decisionHoldsUntil(decidedAt);
  return until <= now ? { kind: 'release' } : { ...step, at: Math.min(step.at, until) as Instant };
}

function isAllUnsent({ attempts, fills }: BatchState): boolean {
  const mayHaveLeft = attempts.some((attempt) => !isPrepared(attempt) && !neverTook(attempt));
  return fills.length === 0 && !mayHaveLeft && attempts.some(isPrepared);
}

function isPrepared({ status }: AttemptRecord): boolean {
  return status === 'prepared';
}

function neverTook({ status }: AttemptRecord): boolean {
  return status === 'rejected' || status === 'failed';
}

function isSending(step: { kind: string }): step is Sending {
  return step.kind === 'send' || step.kind === 'cancel';
}
