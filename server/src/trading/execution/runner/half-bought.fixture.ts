/** A batch of which half was bought, and the process that may retry it, for tests of what becomes of the rest. */

import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { bookOf, feeOf, marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { type AnyColumn, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { LiveQuote } from '../../../market/markets/live-quotes.ts';
import { storeOpportunities } from '../../../market/opportunities/stored.fixture.ts';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import { attempts, batches } from '../../orders/table.ts';
import { scriptedControls } from '../../trading-controls/controls.fixture.ts';
import { reserveAnew } from '../../under-way/reserve.ts';
import { requestRetry } from '../request-retry.ts';
import { DEFAULT_SETTINGS, ended, recordedBatch, SIZE, snapshotOf, start, until } from './runner.fixture.ts';

const PART = sharesFromText('4');

/** What the batch was bought for: without it nothing is retried. */
export async function recordOpportunity(test: TestRuntime, batchId: string): Promise<void> {
  const { runtime } = test;
  const opportunity = {
    id: (await snapshotOf(test, batchId))?.batch.opportunityId ?? '',
    marketCombinations: [],
    targetPrice: priceFromText('1'),
    active: true,
    contentHash: batchId,
    createdAt: runtime.clock.now(),
    updatedAt: runtime.clock.now(),
  };
  await storeOpportunities(runtime.db, [opportunity]);
}

/**
 * Half of a batch is bought unless said otherwise: ten shares of one position, four of the other, which is then offered at
 * `ask`.
 */
export async function halfBought({ automatic = false, first = SIZE, second = PART } = {}) {
  const test = await openTestRuntime();
  const { runtime } = test;
  let ask = 0.4;
  const bids: [price: number, size: number][] = [];
  const quoteOf = (position: Position): LiveQuote => ({
    ...position,
    tokenId: position.marketId.replace('market-', ''),
    market: { ...marketOf(position.marketId), feeSchedule: feeOf(0), minOrderSize: sharesFromText('1') },
    book: bookOf([[ask, 500]], bids),
    midpoint: null,
    lastTrade: null,
    feed: 'polled',
    bookAgeMs: 0,
  });
  let whileJudged: () => Promise<unknown> = async () => {};
  const quotes = {
    current: (positions: readonly Position[]) => positions.map(quoteOf),
    fresh: async (positions: readonly Position[]) => {
      await whileJudged();
      return positions.map(quoteOf);
    },
  };
  const controls = scriptedControls();
  const reading = () => ({ cash: usdFromText('1000'), allowances: null, at: runtime.clock.now() });
  const clock: { skewMs: number | null } = { skewMs: null };
  const settings = { ...DEFAULT_SETTINGS, AUTO_PLACE_ORDER_ENABLED: automatic };
  const { venue, placing } = await start(test, undefined, {
    quotes,
    controls,
    account: { reading, refresh: async () => reading(), stop: () => {} },
    settings: { current: () => settings },
    clockSkewMs: () => clock.skewMs,
  });
  const fillOnly = (size: Shares) =>
    venue.onPost((order) => {
      const outcome = venue.take(order, venue.orders.size === 0 ? first : size);
      const held = venue.orders.get(order.orderHash);
      if (held) held.status = 'matched';
      if (held && held.fills[0]?.size !== held.request.size) held.status = 'canceled';
      return outcome;
    });
  fillOnly(second);
  const batchId = await recordedBatch(test, { MIN_ORDER_SHARES: 1 });
  await recordOpportunity(test, batchId);
  placing.wake(batchId);
  const half = await until(test, batchId, ended);
  expect(half.batch).toMatchObject({ status: first === 0 ? 'failed' : 'partial_completed', retryCount: 0 });
  return {
    clock,
    test,
    venue,
    batchId,
    placing,
    controls,
    settings,
    whileJudged: (work: () => Promise<unknown>) => {
      whileJudged = work;
    },
    offerAt: (price: number) => {
      ask = price;
    },
    bidAt: (price: number) => {
      bids.splice(0, bids.length, [price, 500]);
    },
    fillOnly,
    retry: (finishUpTo: Usd | null = null) =>
      runtime.db.transaction((tx) => requestRetry(tx, runtime, batchId, runtime.random.uuid(), finishUpTo)),
    snapshot: () => snapshotOf(test, batchId),
    async [Symbol.asyncDispose]() {
      await placing.stop();
      await test.close();
    },
  };
}

/** As if everything so far had happened a day earlier. */
export async function asOfYesterday({ runtime }: TestRuntime): Promise<void> {
  const earlier = (column: AnyColumn) => sql`${column} - interval '1 day'`;
  await runtime.db.update(batches).set({ createdAt: earlier(batches.createdAt) });
  await runtime.db.update(attempts).set({ createdAt: earlier(attempts.createdAt), sentAt: earlier(attempts.sentAt) });
  await reserveAnew(runtime.db, sql`true`);
}
