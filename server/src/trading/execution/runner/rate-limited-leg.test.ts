import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { bookOf, feeOf, marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import type { LiveQuote } from '../../../market/markets/live-quotes.ts';
import { storeOpportunities } from '../../../market/opportunities/stored.fixture.ts';
import { openTestRuntime } from '../../../test-runtime.ts';
import type { BatchState } from '../../orders/batch-state.ts';
import { ended, recordedBatch, SIZE, snapshotOf, start, until } from './runner.fixture.ts';

/** The first order is taken whole, which takes its book; the second one is rate limited, and offered at `ask` when its slot comes. */
async function secondWaits(ask: number): Promise<{ posts: number; state: BatchState }> {
  await using test = await openTestRuntime();
  const { runtime } = test;
  const asks = new Map([
    ['market-101', 0.4],
    ['market-102', 0.4],
  ]);
  const quoteOf = (position: Position): LiveQuote => ({
    ...position,
    tokenId: position.marketId.replace('market-', ''),
    market: { ...marketOf(position.marketId), feeSchedule: feeOf(0), minOrderSize: sharesFromText('1') },
    book: bookOf([[asks.get(position.marketId) ?? 1, 500]]),
    midpoint: null,
    lastTrade: null,
    feed: 'polled',
    bookAgeMs: 0,
  });
  const quotesOf = (positions: readonly Position[]) => positions.map(quoteOf);
  const reading = () => ({ cash: usdFromText('1000'), allowances: null, at: runtime.clock.now() });
  const { venue, placing } = await start(test, undefined, {
    quotes: { current: quotesOf, fresh: async (positions) => quotesOf(positions) },
    account: { reading, refresh: async () => reading(), stop: () => {} },
  });
  const batchId = await recordedBatch(test, { MIN_ORDER_SHARES: 1 });
  const now = runtime.clock.now();
  const opportunity = { marketCombinations: [], targetPrice: priceFromText('1'), active: true, contentHash: batchId };
  const id = (await snapshotOf(test, batchId))?.batch.opportunityId ?? '';
  await storeOpportunities(runtime.db, [{ ...opportunity, id, createdAt: now, updatedAt: now }]);
  let posts = 0;
  venue.onPost((order) => {
    posts += 1;
    if (posts !== 2) return venue.take(order);
    asks.set('market-101', 0.7).set('market-102', ask);
    venue.venue.trading?.pace.rateLimited('orders', 2000, runtime.clock.now());
    return { kind: 'rate_limited', reason: 'slow down' };
  });
  placing.wake(batchId);
  const state = await until(test, batchId, ended);
  await placing.stop();
  return { posts, state };
}

it('is sent once the venue takes calls again, where it completes what was bought and that pays', async () => {
  const { posts, state } = await secondWaits(0.4);
  expect(state.batch).toMatchObject({ status: 'completed', unhedged: null, lastError: null });
  expect([state.orders.map(({ filledSize }) => filledSize), posts]).toEqual([[SIZE, SIZE], 3]);
});

it('is not sent where it does not pay any more to complete what was bought', async () => {
  const { posts, state } = await secondWaits(0.61);
  expect(state.batch).toMatchObject({
    status: 'partial_completed',
    lastError: 'Not sent: Net -0.99%, needs 0.50%.',
  });
  expect([state.orders.map(({ filledSize }) => filledSize), posts]).toEqual([[SIZE, SHARES_ZERO], 2]);
});
