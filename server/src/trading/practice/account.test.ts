import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { bookOf, feeOf, marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { PRICE_ONE, PRICE_ZERO } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type { LiveQuote } from '../../market/markets/live-quotes.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { takeLease } from '../execution/runner/batch-lease.ts';
import { ended, recordedBatch, start, until } from '../execution/runner/runner.fixture.ts';
import { scriptedTrading } from '../execution/runner/scripted-trading.fixture.ts';
import { prepareSimulated } from '../execution/runner/simulated-steps.ts';
import { batches, batchOrders } from '../orders/table.ts';
import { scriptedControls } from '../trading-controls/controls.fixture.ts';
import { limitUse } from '../under-way/limit-use.ts';
import { readPracticeAccount } from './account.ts';
import { payPractice } from './pay-resolved.ts';

const PRACTICE = { ORDER_SIMULATION_ENABLED: true };

/** Twelve shares at 0.40 of whatever is asked for. */
const quoteOf = (position: Position): LiveQuote => ({
  ...position,
  tokenId: position.marketId.replace('market-', ''),
  market: { ...marketOf(position.marketId), feeSchedule: feeOf(0) },
  book: bookOf([[0.4, 12]]),
  midpoint: null,
  lastTrade: null,
  feed: 'polled',
  bookAgeMs: 0,
});

/** A venue that is read only and trading that is disarmed. */
async function openPractice() {
  const test = await openTestRuntime();
  const quotes = {
    current: (positions: readonly Position[]) => positions.map(quoteOf),
    fresh: async (positions: readonly Position[]) => positions.map(quoteOf),
  };
  const scripted = scriptedTrading(test.runtime);
  scripted.venue = { ...scripted.venue, trading: null };
  const { placing } = await start(test, scripted, {
    quotes,
    controls: { ...scriptedControls(), armed: false } as never,
  });
  const account = () => readPracticeAccount(test.runtime.db, test, 'polymarket');
  const bought = async () => {
    const batchId = await recordedBatch(test, PRACTICE);
    placing.wake(batchId);
    return until(test, batchId, ended);
  };
  return {
    test,
    account,
    bought,
    async [Symbol.asyncDispose]() {
      await placing.stop();
      await test.close();
    },
  };
}

it('is bought from on a venue that is read only and disarmed, and has no more of the books than is left', async () => {
  await using practice = await openPractice();
  const { test, account, bought } = practice;
  expect(await account()).toMatchObject({ cash: 1_000_000_000, placedToday: 0, openExposure: 0 });
  expect((await bought()).batch).toMatchObject({ status: 'completed', simulated: true });
  const { batch, orders } = await bought();
  expect(batch.status).toBe('partial_completed');
  expect(orders.map(({ filledSize }) => filledSize)).toEqual([2_000_000, 2_000_000]);
  const spent = 9_600_000;
  expect(await account()).toMatchObject({
    cash: 1_000_000_000 - spent,
    ...{ placedToday: spent, openExposure: spent },
  });
  expect(await limitUse(test.runtime.db, test.runtime.clock.now())).toEqual({
    placedToday: 0,
    openExposure: 0,
  });
});

it('counts what is recorded and not filled yet, by its limit', async () => {
  await using practice = await openPractice();
  const { test, account } = practice;
  const batchId = await recordedBatch(test, PRACTICE);
  expect(await account()).toMatchObject({
    cash: 992_000_000,
    ...{ placedToday: 8_000_000, openExposure: 8_000_000 },
  });
  const { cash } = await readPracticeAccount(test.runtime.db, test, 'polymarket', batchId);
  expect(cash).toBe(1_000_000_000);
});

it('counts of an order that was filled in part what its retry may still take, and not the whole order', async () => {
  await using practice = await openPractice();
  const { test, account, bought } = practice;
  await bought();
  const { batch, orders } = await bought();
  const [first] = orders;
  await test.runtime.db.update(batches).set({ status: 'processing' }).where(eq(batches.id, batch.id));
  const lease = await takeLease(test.runtime, test.runtime.random.uuid(), batch.id);
  if (lease === null || first === undefined) throw new Error('nothing was bought');
  const terms = { orderId: first.id, size: sharesFromText('3'), price: first.price, spends: null };
  await prepareSimulated(test.runtime, lease, { terms: [terms] });
  const spent = 9_600_000;
  const used = { placedToday: spent + 1_200_000, openExposure: spent + 1_200_000 };
  expect(await account()).toMatchObject({ cash: 1_000_000_000 - spent - 1_200_000, ...used });
  const beside = await readPracticeAccount(test.runtime.db, test, 'polymarket', batch.id);
  expect(beside).toMatchObject({
    cash: 1_000_000_000 - spent,
    ...{ placedToday: spent, openExposure: spent },
  });
});

it('is paid what its shares pay whose market has resolved', async () => {
  await using practice = await openPractice();
  const { test, account, bought } = practice;
  await bought();
  const market = (marketId: string) => ({ ...marketOf(marketId), closed: true, event: { id: 'e' } });
  const catalogue = {
    marketsById: async (ids: readonly string[]) => new Map(ids.map((id) => [id, market(id)])),
    eventsById: async () => [
      {
        members: [
          { marketId: 'market-101', tokenIds: ['101', '101-no'], resolvedValue: PRICE_ONE },
          { marketId: 'market-102', tokenIds: ['102', '102-no'], resolvedValue: PRICE_ZERO },
        ],
      },
    ],
  };
  await payPractice({ runtime: test.runtime, catalogue: catalogue as never });
  expect(await account()).toMatchObject({ cash: 1_002_000_000, openExposure: 0 });
  await payPractice({ runtime: test.runtime, catalogue: catalogue as never });
  expect((await account()).cash).toBe(1_002_000_000);
});

it('is paid what one venue says while another does not answer', async () => {
  await using practice = await openPractice();
  const { test, bought } = practice;
  await bought();
  const { db } = test.runtime;
  const { tokenId, marketId, resolvedValue } = batchOrders;
  const elsewhere = { tokenId: 'kalshi:100', marketId: 'kalshi:market-100' };
  await db.update(batchOrders).set(elsewhere).where(eq(tokenId, '102'));
  const catalogue = {
    marketsById: async (ids: readonly string[]) => {
      if (ids.includes(elsewhere.marketId)) throw new VenueUnavailable('down');
      return new Map(ids.map((id) => [id, { ...marketOf(id), closed: true, event: { id: 'e' } }]));
    },
    eventsById: async () => [
      { members: [{ marketId: 'market-101', tokenIds: ['101', '101-no'], resolvedValue: PRICE_ONE }] },
    ],
  };
  await expect(payPractice({ runtime: test.runtime, catalogue: catalogue as never })).rejects.toThrow('down');
  expect(await db.select({ marketId, resolvedValue }).from(batchOrders).orderBy(tokenId)).toEqual([
    { marketId: 'market-101', resolvedValue: PRICE_ONE },
    { marketId: 'kalshi:market-100', resolvedValue: null },
  ]);
});
