/** ORDER_SIMULATION_ENABLED: nothing leaves; the fills are those that the books of now would give. */

import type { Level, Side } from '@dutchbook/engine/book/level.ts';
import { sizeWithin, takeLevels } from '@dutchbook/engine/book/walk.ts';
import { bookedAsTaker } from '@dutchbook/engine/order/fill.ts';
import type { AttemptNews } from '@dutchbook/engine/order/news.ts';
import { minShares } from '@dutchbook/units/shares.ts';
import type { SignedOrder } from '@dutchbook/venues/venue.ts';
import { type AttemptRecord, type BatchState, orderOf, positionsOf } from '../../orders/batch-state.ts';
import type { Quotes } from '../../parts.ts';
import type { Runtime } from '../../runtime.ts';
import type { Lease } from './batch-lease.ts';
import { commitAttempts, recordSimulated } from './batch-writes.ts';
import { NO_BOOK_PRICES } from './book-prices.ts';
import type { Terms } from './venue-steps.ts';

/** Records an attempt for each order, as placing does, with nothing in it that could be sent. */
export async function prepareSimulated(runtime: Runtime, lease: Lease, terms: readonly Terms[]): Promise<BatchState> {
  return await commitAttempts(
    runtime,
    lease,
    terms.map((each) => ({ ...each, signed: simulatedAttempt(runtime), feeRate: null, ...NO_BOOK_PRICES })),
  );
}

/** The levels an order of that side takes from, best first. */
export type LevelsOf = (tokenId: string, side: Side) => readonly Level[];

/** By the books of what the batch buys, as they are now. */
export async function levelsFor(quotes: Quotes, state: BatchState): Promise<LevelsOf> {
  const quoted = await quotes.fresh(positionsOf(state));
  const books = new Map(quoted.flatMap(({ tokenId, book }) => (tokenId === null ? [] : [[tokenId, book] as const])));
  return (tokenId, side) => books.get(tokenId)?.[side === 'buy' ? 'asks' : 'bids'] ?? [];
}

/** An order gets what the book holds at its price or better now, and no more. */
export async function simulateOrders(
  runtime: Runtime,
  lease: Lease,
  state: BatchState,
  attemptIds: readonly string[],
  levelsOf: LevelsOf,
): Promise<BatchState> {
  const news = state.attempts
    .filter(({ id }) => attemptIds.includes(id))
    .map((attempt) => simulatedNews(runtime, state, attempt, levelsOf));
  return await recordSimulated(runtime, lease, news);
}

function simulatedAttempt({ random }: Runtime): SignedOrder {
  return { orderHash: `simulated:${random.uuid()}`, salt: '0', payload: '' };
}

function simulatedNews(
  { clock, random }: Runtime,
  state: BatchState,
  attempt: AttemptRecord,
  levelsOf: LevelsOf,
): AttemptNews {
  const { tokenId, side, feeRate, feeStep } = orderOf(state, attempt.orderId);
  const levels = levelsOf(tokenId, side);
  const size = minShares(attempt.size, sizeWithin(levels, attempt.price, side));
  const fills = takeLevels(levels, size).map((level) => ({
    attemptId: attempt.id,
    orderHash: attempt.orderHash,
    tradeId: `simulated:${random.uuid()}`,
    ...bookedAsTaker([level], side, { rate: feeRate, step: feeStep }),
    settlement: 'confirmed' as const,
    matchedAt: clock.now(),
  }));
  const isShort = size < attempt.size;
  const reason = isShort ? 'Simulated: the book held no more at this price' : null;
  return { attemptId: attempt.id, event: isShort ? 'canceled' : 'matched', matchedSize: size, fills, reason };
}
