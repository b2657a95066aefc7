/** ORDER_SIMULATION_ENABLED: nothing leaves; the fills are those that the current books would give, less what practice took before. */

import { KeptBook } from '@dutchbook/engine/book/book.ts';
import type { Level } from '@dutchbook/engine/book/level.ts';
import { sizeWithin, takeLevels } from '@dutchbook/engine/book/walk.ts';
import type { AttemptUpdate } from '@dutchbook/engine/order/attempt-update.ts';
import { bookedAsTaker } from '@dutchbook/engine/order/fill.ts';
import { type TakenLevel, takenWith, withoutTaken } from '@dutchbook/engine/practice/taken-levels.ts';
import { minShares, type Shares } from '@dutchbook/units/shares.ts';
import type { SignedOrder } from '@dutchbook/venues/venue.ts';
import type { LiveQuote, Quotes } from '../../../market/markets/live-quotes.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { type AttemptRecord, type BatchState, orderOf, positionsOf } from '../../orders/batch-state.ts';
import { readTaken, recordTaken, tokensOf } from '../../practice/taken.ts';
import type { JudgeAgain } from '../placing/retry.ts';
import type { Lease } from './batch-lease.ts';
import { commitAttempts, recordSimulated } from './batch-writes.ts';
import { NO_BOOK_PRICES } from './book-prices.ts';
import type { Terms } from './venue-steps.ts';

/** Records an attempt for each order, as placing does, with nothing in it that could be sent. */
export async function prepareSimulated(
  runtime: Runtime,
  lease: Lease,
  { terms, judgeAgain }: { terms: readonly Terms[]; judgeAgain?: JudgeAgain },
): Promise<BatchState> {
  const unsigned = { feeRate: null, ...NO_BOOK_PRICES };
  const prepared = terms.map((each) => ({ ...each, signed: simulatedAttempt(runtime), ...unsigned }));
  return await commitAttempts(runtime, lease, prepared, { judgeAgain });
}

/** The books of what the batch is about, as they are now. */
export async function booksFor(quotes: Quotes, state: BatchState): Promise<LiveQuote[]> {
  return await quotes.fresh(positionsOf(state));
}

/** An order gets what practice has left of the book at its price or better, and no more; what it gets is gone for the next one. */
export async function simulateOrders(
  runtime: Runtime,
  lease: Lease,
  attemptIds: readonly string[],
  books: readonly LiveQuote[],
): Promise<BatchState> {
  return await recordSimulated(runtime, lease, async (tx, state) => {
    let gone = await readTaken(tx, tokensOf(books));
    const updates: AttemptUpdate[] = [];
    const taken: TakenLevel[] = [];
    for (const attempt of state.attempts.filter(({ id }) => attemptIds.includes(id))) {
      const { tokenId, side } = orderOf(state, attempt.orderId);
      const { book = new KeptBook(), market } = books.find((quote) => quote.tokenId === tokenId) ?? {};
      const left = withoutTaken(tokenId, book, gone)[side === 'buy' ? 'asks' : 'bids'];
      const size = minShares(attempt.size, sizeWithin(left, attempt.price, side));
      const levels = takeLevels(left, size);
      const of = { tokenId, side: side === 'buy' ? ('sell' as const) : ('buy' as const), market };
      const more = takenWith(gone, of, book, levels);
      gone = [...more, ...gone];
      taken.push(...more);
      updates.push(simulatedUpdate(runtime, state, attempt, { size, levels }));
    }
    await recordTaken(tx, runtime, taken);
    return updates;
  });
}

function simulatedAttempt({ random }: Runtime): SignedOrder {
  return { orderHash: `simulated:${random.uuid()}`, salt: '0', payload: '' };
}

function simulatedUpdate(
  { clock, random }: Runtime,
  state: BatchState,
  attempt: AttemptRecord,
  { size, levels }: { size: Shares; levels: readonly Level[] },
): AttemptUpdate {
  const { side, feeRate, feeStep } = orderOf(state, attempt.orderId);
  const fills = levels.map((level) => ({
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
