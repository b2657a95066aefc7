/** ORDER_SIMULATION_ENABLED: nothing leaves; the fills are those that the books of now would give. */

import type { Level } from '@dutchbook/engine/book/level.ts';
import { sizeWithin, takeLevels } from '@dutchbook/engine/book/walk.ts';
import { takerFee } from '@dutchbook/engine/opportunity/fee.ts';
import { minShares } from '@dutchbook/units/shares.ts';
import type { SignedOrder } from '@dutchbook/venues/venue.ts';
import type { World } from '../../world/world.ts';
import type { BatchState, OrderRecord } from './batch-state.ts';
import { type AttemptNews, commitAttempts, recordNews } from './batch-writes.ts';
import type { Lease } from './lease.ts';

/** Records an attempt for each order, as placing does, with nothing in it that could be sent. */
export async function prepareSimulated(world: World, lease: Lease, state: BatchState): Promise<BatchState> {
  return await commitAttempts(world, lease, new Map(state.orders.map(({ id }) => [id, simulatedAttempt(world)])));
}

/** `asks` are the offers for each token now; an order gets what they hold at its price or better, and no more. */
export async function simulateOrders(
  world: World,
  lease: Lease,
  state: BatchState,
  asks: ReadonlyMap<string, readonly Level[]>,
): Promise<BatchState> {
  const news = state.attempts.flatMap((attempt) => {
    const order = state.orders.find(({ id }) => id === attempt.orderId);
    return order ? [simulatedNews(world, attempt, order, asks.get(order.tokenId) ?? [])] : [];
  });
  return await recordNews(world, lease, news);
}

function simulatedAttempt({ dice }: World): SignedOrder {
  return { orderHash: `simulated:${dice.uuid()}`, salt: '0', payload: '' };
}

function simulatedNews(
  { clock, dice }: World,
  attempt: { id: string; orderHash: string },
  order: OrderRecord,
  asks: readonly Level[],
): AttemptNews {
  const size = minShares(order.size, sizeWithin(asks, order.price, 'buy'));
  const fills = takeLevels(asks, size).map((level) => ({
    attemptId: attempt.id,
    orderHash: attempt.orderHash,
    tradeId: `simulated:${dice.uuid()}`,
    price: level.price,
    size: level.size,
    fee: takerFee(level.size, level.price, order.feeRate),
    settlement: 'confirmed' as const,
    matchedAt: clock.now(),
  }));
  const reason = size < order.size ? 'Simulated: the book held no more at this price' : null;
  return { attemptId: attempt.id, event: size < order.size ? 'canceled' : 'matched', matchedSize: size, fills, reason };
}
