/** The part of a batch that can be worked on now: without orders at a venue that is not configured or has yet to answer. */
import type { BatchView } from '@dutchbook/engine/batch/next-step.ts';
import { isShortByLittle } from '@dutchbook/engine/order/life.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import {
  type AttemptRecord,
  attemptsOf,
  type BatchState,
  hasEnded,
  type OrderRecord,
  orderOf,
  standingAttempts,
} from '../../orders/batch-state.ts';
import { waitsUntil } from '../../orders/waiting-sales.ts';
import { isTraded } from '../../venue-desk/desks.ts';
import type { OrderPolls } from '../recovery/polls.ts';
import type { RunnerParts } from './runner-context.ts';

/** Whether nothing can be done now about what this is the id of: no venue is there for it, or it has still to answer. */
export type IsClosed = (id: string) => boolean;

/** Simulated batches need no venue. */
export function untradedOf({ desks }: RunnerParts, { batch }: BatchState): IsClosed {
  return batch.simulated ? () => false : (id) => !isTraded(desks, id);
}

/** Without the attempts of which nothing can be done now. */
export function viewOf(
  state: BatchState,
  ofOrders: readonly OrderRecord[],
  polls: OrderPolls,
  deadline: Instant,
  isClosed: IsClosed,
): BatchView {
  const orders = ofOrders.map((order) => ({
    id: order.id,
    final: hasEnded(state, order),
    attempted: attemptsOf(state, order.id).length > 0,
  }));
  const open = new Set(orders.filter(({ final }) => !final).map(({ id }) => id));
  const own = new Set(orders.map(({ id }) => id));
  return {
    orders,
    attempts: state.attempts
      .filter(({ orderHash }) => !isClosed(orderHash))
      .map(({ id, orderId, status }) => {
        const order = orderOf(state, orderId);
        const isLeftover = isShortByLittle(order.size, order.filledSize);
        return { id, orderId, status, isLeftover, waitsUntil: waitsUntil(order), ...polls.of(id) };
      })
      .filter(({ orderId, notified }) => open.has(orderId) || (notified && own.has(orderId))),
    deadline,
  };
}

export function followUpsDue(polls: OrderPolls, state: BatchState, now: Instant, isClosed: IsClosed): string[] {
  const open = new Set(state.attempts.filter(({ orderHash }) => !isClosed(orderHash)).map(({ id }) => id));
  return polls.followUpsDue(state, now).filter((id) => open.has(id));
}

/** Attempts that have not been read since a user asked for the batch to be polled. */
export function unpolledAttempts(state: BatchState, isClosed: IsClosed): AttemptRecord[] {
  const { pollRequestedAt } = state.batch;
  if (pollRequestedAt === null) return [];
  return standingAttempts(state).filter(
    ({ updatedAt, orderHash }) => updatedAt < pollRequestedAt && !isClosed(orderHash),
  );
}
