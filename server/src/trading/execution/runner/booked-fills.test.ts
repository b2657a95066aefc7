import { feeOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { openTestRuntime } from '../../../test-runtime.ts';
import { pass, recordedBatch, start, until } from './runner.fixture.ts';

describe('what is booked of a trade', () => {
  it('keeps its fee when a later reading of the same match says another', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost((order) => {
      const outcome = venue.take(order);
      for (const fill of venue.orders.get(order.orderHash)?.fills ?? []) fill.fee = usdFromText('0.12');
      return outcome;
    });
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { attempts } = await until(test, batchId, ({ fills }) => fills.length === 2);
    for (const { orderHash } of attempts) {
      for (const fill of venue.orders.get(orderHash)?.fills ?? []) fill.fee = usdFromText('0.2');
      venue.settle(orderHash, 'confirmed');
    }
    const { batch, orders, fills } = await until(test, batchId, (state) =>
      state.fills.every(({ settlement }) => settlement === 'confirmed'),
    );
    expect(fills.map(({ fee }) => fee)).toEqual([120_000, 120_000]);
    expect(orders.map(({ fee }) => fee)).toEqual([120_000, 120_000]);
    // Ten dollars for twice 4 and 0.12.
    expect(batch.actualProfit).toBe(usdFromText('1.76'));
    await placing.stop();
  });

  it('follows a reading that says the match itself otherwise, with its fee', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { attempts } = await until(test, batchId, ({ fills }) => fills.length === 2);
    const [first] = attempts.map(({ orderHash }) => orderHash);
    for (const fill of venue.orders.get(first ?? '')?.fills ?? []) {
      Object.assign(fill, { price: priceFromText('0.395'), cost: usdFromText('3.95'), fee: usdFromText('0.1') });
    }
    venue.settle(first ?? '', 'confirmed');
    const { batch, orders } = await until(test, batchId, (state) =>
      state.fills.some(({ settlement }) => settlement === 'confirmed'),
    );
    expect(orders.map(({ filledCost, fee }) => [filledCost, fee])).toEqual([
      [3_950_000, 100_000],
      [4_000_000, 0],
    ]);
    expect(batch.actualProfit).toBe(usdFromText('1.95'));
    await placing.stop();
  });

  it('is read at the fee rate that its market had when the order was signed', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const { catalogue, trading } = venue.venue;
    if (trading === null) throw new Error('the venue trades');
    const listed = catalogue.marketsById;
    catalogue.marketsById = async (ids) =>
      new Map([...(await listed(ids))].map(([id, market]) => [id, { ...market, feeSchedule: feeOf(0.07) }]));
    const asked: unknown[] = [];
    const read = trading.fillsOfOrder;
    trading.fillsOfOrder = (orderHash, marketId, feeRate) => {
      asked.push(feeRate);
      return read(orderHash, marketId, feeRate);
    };
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ({ fills }) => fills.length === 2);
    catalogue.marketsById = listed;
    await pass(test, 60_000);
    expect(asked.length).toBeGreaterThanOrEqual(2);
    expect(new Set(asked)).toEqual(new Set([fractionFromText('0.07')]));
    await placing.stop();
  });
});
