/** ORDER_SIMULATION_ENABLED: nothing leaves; the fills are those that the books of now would give. */

import type { Level, Side } from '@dutchbook/engine/book/level.ts';
import { sizeWithin, takeLevels } from '@dutchbook/engine/book/walk.ts';
import { takerFee } from '@dutchbook/engine/opportunity/fee.ts';
import { minShares } from '@dutchbook/units/shares.ts';
import type { SignedOrder } from '@dutchbook/venues/venue.ts';
import type { World } from '../../world/world.ts';
import type { AttemptNews } from './attempt-news.ts';
import { type AttemptRecord, type BatchState, orderOf } from './batch-state.ts';
import { commitAttempts, recordNews } from './batch-writes.ts';
import type { Lease } from './lease.ts';
import type { Terms } from './placing-steps.ts';

/** Records an attempt for each order, as placing does, with nothing in it that could be sent. */
export async function prepareSimulated(world: World, lease: Lease, terms: readonly Terms[]): Promise<BatchState> {
  return await commitAttempts(
    world,
    lease,
    terms.map((each) => ({ ...each, signed: simulatedAttempt(world) })),
  );
}

/** The levels an order of that side takes from, best first. */
export type LevelsOf = (tokenId: string, side: Side) => readonly Level[];

/** An order gets what the book holds at its price or better now, and no more. */
export async function simulateOrders(
  world: World,
  lease: Lease,
  state: BatchState,
  attemptIds: readonly string[],
  levelsOf: LevelsOf,
): Promise<BatchState> {
  const news = state.attempts
    .filter(({ id }) => attemptIds.includes(id))
    .map((attempt) => simulatedNews(world, state, attempt, levelsOf));
  return await recordNews(world, lease, news);
}

function simulatedAttempt({ dice }: World): SignedOrder {
  return { orderHash: `simulated:${dice.uuid()}`, salt: '0', payload: '' };
}

function simulatedNews(
  { clock, dice }: World,
  state: BatchState,
  attempt: AttemptRecord,
  levelsOf: LevelsOf,
): AttemptNews {
  const { tokenId, side, feeRate } = orderOf(state, attempt.orderId);
  const levels = levelsOf(tokenId, side);
  const size = minShares(attempt.size, sizeWithin(levels, attempt.price, side));
  const fills = takeLevels(levels, size).map((level) => ({
    attemptId: attempt.id,
    orderHash: attempt.orderHash,
    tradeId: `simulated:${dice.uuid()}`,
    price: level.price,
    size: level.size,
    fee: takerFee(level.size, level.price, feeRate),
    settlement: 'confirmed' as const,
    matchedAt: clock.now(),
  }));
  const isShort = size < attempt.size;
  const reason = isShort ? 'Simulated: the book held no more at this price' : null;
  return { attemptId: attempt.id, event: isShort ? 'canceled' : 'matched', matchedSize: size, fills, reason };
}
