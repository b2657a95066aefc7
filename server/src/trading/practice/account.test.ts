import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { bookOf, feeOf, marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { PRICE_ONE, PRICE_ZERO } from '@dutchbook/units/price.ts';
import { expect, it } from 'vitest';
import type { LiveQuote } from '../../market/markets/live-quotes.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { ended, recordedBatch, start, until } from '../execution/runner/runner.fixture.ts';
import { scriptedTrading } from '../execution/runner/scripted-trading.fixture.ts';
import { NO_LIMITS, scriptedControls } from '../trading-controls/controls.fixture.ts';
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
  const account = () => readPracticeAccount(test.runtime.db, test, NO_LIMITS);
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
  expect(await account()).toMatchObject({ cash: 1_000_000_000, limitState: { placedToday: 0, openExposure: 0 } });
  expect((await bought()).batch).toMatchObject({ status: 'completed', simulated: true });
  const { batch, orders } = await bought();
  expect(batch.status).toBe('partial_completed');
  expect(orders.map(({ filledSize }) => filledSize)).toEqual([2_000_000, 2_000_000]);
  const spent = 9_600_000;
  expect(await account()).toMatchObject({
    cash: 1_000_000_000 - spent,
    limitState: { placedToday: spent, openExposure: spent, limitsRequired: false, ownOrders: [] },
  });
  expect(await limitUse(test.runtime.db, test.runtime.clock.now())).toEqual({ placedToday: 0, openExposure: 0 });
});

it('counts what is recorded and not filled yet, by its limit', async () => {
  await using practice = await openPractice();
  const { test, account } = practice;
  const batchId = await recordedBatch(test, PRACTICE);
  expect(await account()).toMatchObject({
    cash: 992_000_000,
    limitState: { placedToday: 8_000_000, openExposure: 8_000_000 },
  });
  const { cash } = await readPracticeAccount(test.runtime.db, test, NO_LIMITS, batchId);
  expect(cash).toBe(1_000_000_000);
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
  expect(await account()).toMatchObject({ cash: 1_002_000_000, limitState: { openExposure: 0 } });
  await payPractice({ runtime: test.runtime, catalogue: catalogue as never });
  expect((await account()).cash).toBe(1_002_000_000);
});
