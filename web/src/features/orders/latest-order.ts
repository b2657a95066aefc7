import type { Order } from '@dutchbook/contract/orders.ts';
import { fresher, type Read } from '../../live/fresher.ts';
import { useLiveEntry } from '../../live/live.ts';

/** The newest state of an order that was read. */
export function useLatestOrder(order: Read<Order>): Read<Order> {
  return fresher(order, useLiveEntry('order', order.id));
}
