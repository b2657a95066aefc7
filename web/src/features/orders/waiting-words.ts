import type { Order, OrderStatus } from '@dutchbook/contract/orders.ts';
import type { Instant } from '@dutchbook/units/instant.ts';

type Sale = Pick<Order, 'waiting' | 'status' | 'filled_size' | 'size'>;

/** `until`: when the text ends with a time. */
type Words = { text: string; until: Instant | null; canCancel: boolean };

const ENDED: readonly OrderStatus[] = ['filled', 'canceled', 'rejected', 'failed'];

/** Status text of a waiting or ended waiting sale; undefined for other orders and for filled ones. */
export function waitingWords({ waiting, status }: Sale): Words | undefined {
  if (waiting === null || status === 'filled' || status === 'rejected' || status === 'failed') return undefined;
  const { until, cancel_requested_at: requested, cancel_reason: reason } = waiting;
  if (reason === 'disarmed') return { text: 'canceled: trading was disarmed', until: null, canCancel: false };
  if (requested !== null)
    return { text: ENDED.includes(status) ? 'canceled at' : 'cancel asked for at', until: requested, canCancel: false };
  if (ENDED.includes(status))
    return {
      text: 'not canceled here: its time limit passed, or the venue canceled it',
      until: null,
      canCancel: false,
    };
  if (until === null) return { text: 'waits until canceled', until: null, canCancel: true };
  return { text: 'waits until', until, canCancel: true };
}
