import { SHARES_ZERO, sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { type SignedOrder, type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import type { BatchState } from '../../orders/batch-state.ts';
import { batches } from '../../orders/table.ts';
import { scriptedControls } from '../../trading-controls/controls.fixture.ts';
import { ensureControls } from '../../trading-controls/store.ts';
import { tradingControls } from '../../trading-controls/table.ts';
import { decideSale, ended, pass, recordedBatch, SIZE, snapshotOf, start, until } from './runner.fixture.ts';
import type { ScriptedTrading } from './scripted-trading.fixture.ts';

async function bought(test: TestRuntime, process: Awaited<ReturnType<typeof start>>) {
  const batchId = await recordedBatch(test);
  process.placing.wake(batchId);
  return await until(test, batchId, ended);
}

/** Of ten: what is left may be a fee that the venue took, and it is asked. */
const NEARLY_ALL = sharesFromText('9.95');

function tradingOf({ venue }: ScriptedTrading): VenueTrading {
  if (venue.trading === null) throw new Error('the scripted venue trades');
  return venue.trading;
}

const notSelling = ({ batch }: BatchState) => !batch.saleUnderWay;

describe('selling what a batch holds', () => {
  it('sends each order once, fill and kill, and the batch is sold with money in minus money out', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const held = await bought(test, { venue, placing });
    const before = venue.posted.length;
    await decideSale(test, held, [SIZE, SIZE]);
    placing.wake(held.batch.id);
    const { batch, orders, sales } = await until(test, held.batch.id, notSelling);
    expect(batch).toMatchObject({ status: 'sold', unhedged: null, actualProfit: usdFromText('1') });
    expect(orders.map(({ soldSize }) => soldSize)).toEqual([SIZE, SIZE]);
    expect(sales.map(({ status, filledSize }) => [status, filledSize])).toEqual([
      ['filled', SIZE],
      ['filled', SIZE],
    ]);
    expect(venue.posted).toHaveLength(before + 2);
    const sold = [...venue.orders.values()].map(({ request }) => request).filter(({ side }) => side === 'sell');
    expect(sold.map(({ remainder }) => remainder)).toEqual(['kill', 'kill']);
    expect(batch.executionCompletedAt).toBe(held.batch.executionCompletedAt);
    await placing.stop();
  });

  it('is possible while trading is disarmed', async () => {
    await using test = await openTestRuntime();
    const controls = scriptedControls();
    const { venue, placing } = await start(test, undefined, { controls });
    const held = await bought(test, { venue, placing });
    controls.halt();
    await ensureControls(test.runtime.db, test.runtime.config.venueMode, 'polymarket');
    await test.runtime.db.update(tradingControls).set({ armed: false });
    await decideSale(test, held, [SIZE, SIZE]);
    placing.wake(held.batch.id);
    expect((await until(test, held.batch.id, notSelling)).batch.status).toBe('sold');
    await placing.stop();
  });

  it('leaves the batch as it is while shares of it are left, and shows what is unhedged', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const held = await bought(test, { venue, placing });
    venue.onPost((order) => {
      const outcome = venue.take(order, sharesFromText('4'));
      const rest = venue.orders.get(order.orderHash);
      if (rest) rest.status = 'canceled';
      return outcome;
    });
    await decideSale(test, held, [SIZE, SHARES_ZERO]);
    placing.wake(held.batch.id);
    const { batch, orders, sales } = await until(test, held.batch.id, notSelling);
    expect(batch.status).toBe('completed');
    expect(orders.map(({ soldSize }) => soldSize)).toEqual([sharesFromText('4'), SHARES_ZERO]);
    expect(sales.map(({ status }) => status)).toEqual(['partially_filled']);
    expect(batch.unhedged?.positions.map(({ shares }) => shares)).toEqual([sharesFromText('4')]);
    await placing.stop();
  });

  it('ends a sale that was taken as delayed and then dropped, and sells the same shares again', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const held = await bought(test, { venue, placing });
    venue.onPost(({ orderHash }) => ({ kind: 'accepted', orderHash, status: 'delayed' }));
    await decideSale(test, held, [SIZE, SIZE]);
    placing.wake(held.batch.id);
    await pass(test, 100_000);
    expect((await snapshotOf(test, held.batch.id))?.batch.saleUnderWay).toBe(true);
    await pass(test, 50_000);
    const dropped = await until(test, held.batch.id, notSelling);
    expect(dropped.batch.status).toBe('completed');
    expect(dropped.sales.map(({ status, filledSize }) => [status, filledSize])).toEqual([
      ['canceled', SHARES_ZERO],
      ['canceled', SHARES_ZERO],
    ]);
    venue.onPost(venue.take);
    await decideSale(test, dropped, [SIZE, SIZE]);
    placing.wake(held.batch.id);
    const { batch } = await until(test, held.batch.id, notSelling);
    expect(batch).toMatchObject({ status: 'sold', unhedged: null, actualProfit: usdFromText('1') });
    await placing.stop();
  });

  it('counts as sold out what the venue took as its fee, but not what it merely does not show', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const held = await bought(test, { venue, placing });
    const holding = vi.spyOn(tradingOf(venue), 'holding').mockResolvedValue({ shares: SHARES_ZERO, allowances: null });
    await decideSale(test, held, [sharesFromText('5'), sharesFromText('5')]);
    placing.wake(held.batch.id);
    const { batch } = await until(test, held.batch.id, notSelling);
    expect(batch.status).toBe('completed');
    await decideSale(test, await stateOf(test, batch.id), [sharesFromText('4.95'), sharesFromText('4.95')]);
    placing.wake(held.batch.id);
    const after = await until(test, held.batch.id, notSelling);
    expect(after.batch).toMatchObject({ status: 'sold', unhedged: null });
    expect(holding).toHaveBeenCalled();
    await placing.stop();
  });

  it('is not sold any more when a sale is undone on its way to settlement', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const held = await bought(test, { venue, placing });
    await decideSale(test, held, [SIZE, SIZE]);
    placing.wake(held.batch.id);
    await until(test, held.batch.id, ({ batch }) => batch.status === 'sold');
    const [, , sale] = [...venue.orders.keys()];
    for (const hash of venue.orders.keys()) venue.settle(hash, hash === sale ? 'failed' : 'confirmed');
    const { batch, orders } = await until(test, held.batch.id, ({ batch: now }) => now.status !== 'sold');
    expect(batch).toMatchObject({ status: 'completed', soldAt: null });
    expect(orders.map(({ soldSize }) => soldSize)).toEqual([SHARES_ZERO, SIZE]);

    await decideSale(test, await stateOf(test, held.batch.id), [SIZE, SHARES_ZERO]);
    placing.wake(held.batch.id);
    await until(test, held.batch.id, ({ batch: now }) => now.status === 'sold');
    await pass(test, 3000);
    expect((await stateOf(test, held.batch.id)).batch).toMatchObject({ status: 'sold', unhedged: null });
    await placing.stop();
  });

  it('leaves a canceled batch with the shares of a sale that is undone, and shows what is unhedged', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const held = await bought(test, { venue, placing });
    await test.runtime.db.update(batches).set({ status: 'canceled' }).where(eq(batches.id, held.batch.id));
    await decideSale(test, held, [SIZE, SIZE]);
    placing.wake(held.batch.id);
    const sold = await until(test, held.batch.id, ({ batch }) => batch.soldAt !== null);
    expect(sold.batch).toMatchObject({ status: 'canceled', unhedged: null });
    const [, , sale] = [...venue.orders.keys()];
    for (const hash of venue.orders.keys()) venue.settle(hash, hash === sale ? 'failed' : 'confirmed');
    const { batch, orders } = await until(test, held.batch.id, ({ batch: now }) => now.soldAt === null);
    expect(batch.status).toBe('canceled');
    expect(batch.unhedged?.positions).toMatchObject([{ orderId: orders[0]?.id, shares: SIZE }]);
    await placing.stop();
  });

  it('is taken up by the next process where it was decided just now, and not where it was long ago', async () => {
    for (const [seconds, status] of [
      [3, 'sold'],
      [60, 'completed'],
    ] as const) {
      await using test = await openTestRuntime();
      const first = await start(test);
      const held = await bought(test, first);
      await first.placing.stop();
      const sent = first.venue.posted.length;
      await decideSale(test, held, [SIZE, SIZE]);
      await test.time.advance(seconds * 1000);
      const { placing } = await start(test, first.venue);
      const { batch, sales } = await until(test, held.batch.id, notSelling);
      expect(batch.status).toBe(status);
      expect(first.venue.posted.length - sent).toBe(status === 'sold' ? 2 : 0);
      if (status === 'completed')
        expect(sales.map(({ error }) => error)).toEqual(Array(2).fill('Not sent: It was decided too long ago.'));
      await placing.stop();
    }
  });

  it('does not send one that was decided long ago beside one of now', async () => {
    await using test = await openTestRuntime();
    const first = await start(test);
    const held = await bought(test, first);
    await first.placing.stop();
    const sent = first.venue.posted.length;
    await decideSale(test, held, [SIZE, SHARES_ZERO]);
    await test.time.advance(60_000);
    await decideSale(test, await stateOf(test, held.batch.id), [SHARES_ZERO, SIZE]);
    const { placing } = await start(test, first.venue);
    const { orders, sales } = await until(test, held.batch.id, notSelling);
    expect(sales.map(({ status, error }) => [status, error])).toEqual([
      ['failed', 'Not sent: It was decided too long ago.'],
      ['filled', null],
    ]);
    expect(orders.map(({ soldSize }) => soldSize)).toEqual([SHARES_ZERO, SIZE]);
    expect(first.venue.posted.length - sent).toBe(1);
    await placing.stop();
  });

  it('sends what was decided while the venue was asked what is left of another sale', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const held = await bought(test, { venue, placing });
    const asked = vi.spyOn(tradingOf(venue), 'holding').mockImplementation(async () => {
      if (asked.mock.calls.length === 1)
        await decideSale(test, await stateOf(test, held.batch.id), [SHARES_ZERO, SIZE]);
      return { shares: SHARES_ZERO, allowances: null };
    });
    await decideSale(test, held, [NEARLY_ALL, SHARES_ZERO]);
    placing.wake(held.batch.id);
    const { batch, orders } = await until(test, held.batch.id, notSelling);
    expect(orders.map(({ soldSize }) => soldSize)).toEqual([NEARLY_ALL, SIZE]);
    expect(batch).toMatchObject({ status: 'sold', unhedged: null });
    await placing.stop();
  });

  it('asks for what is left no more than twice a second while the venue does not say', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const held = await bought(test, { venue, placing });
    const asked = vi.spyOn(tradingOf(venue), 'holding').mockRejectedValue(new VenueUnavailable('no answer'));
    await decideSale(test, held, [NEARLY_ALL, SIZE]);
    placing.wake(held.batch.id);
    await until(test, held.batch.id, ({ sales }) => sales.every(({ status }) => status === 'filled'));
    asked.mockClear();
    await pass(test, 10_000);
    expect(asked.mock.calls.length).toBeGreaterThanOrEqual(5);
    expect(asked.mock.calls.length).toBeLessThanOrEqual(20);
    asked.mockRestore();
    expect((await until(test, held.batch.id, notSelling)).batch.status).toBe('completed');
    await placing.stop();
  });

  it('shows what turns up of an order that had been given up after the rest was sold, and sold again when that is gone', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const given: SignedOrder[] = [];
    venue.onPost((order) => {
      if (given.length > 0 || venue.orders.size === 0) return venue.take(order);
      given.push(order);
      return { kind: 'rejected', reason: 'not enough balance / allowance' };
    });
    const held = await bought(test, { venue, placing });
    await decideSale(test, held, [SIZE, SHARES_ZERO]);
    placing.wake(held.batch.id);
    await until(test, held.batch.id, ({ batch }) => batch.status === 'sold');

    const [late] = given;
    if (late === undefined) throw new Error('no order was given up');
    venue.take(late);
    const fills = venue.orders.get(late.orderHash)?.fills ?? [];
    for (const fill of fills) venue.user().onFill({ ...fill });
    const reappeared = await until(test, held.batch.id, ({ batch }) => batch.status !== 'sold');
    expect(reappeared.batch).toMatchObject({
      status: 'completed',
      soldAt: null,
      unhedged: { worstLoss: usdFromText('4') },
    });

    venue.settle(late.orderHash, 'failed');
    for (const fill of fills) venue.user().onFill({ ...fill });
    const { batch } = await until(test, held.batch.id, (state) => state.batch.status === 'sold');
    expect(batch).toMatchObject({ unhedged: null, actualProfit: usdFromText('0.5') });
    await placing.stop();
  });

  it('asks about a sale whose answer was lost, and does not sell twice', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const held = await bought(test, { venue, placing });
    const sent = venue.posted.length;
    venue.onPost((order) => {
      venue.take(order);
      return { kind: 'unknown', reason: 'timed out' };
    });
    await decideSale(test, held, [SIZE, SIZE]);
    placing.wake(held.batch.id);
    expect((await until(test, held.batch.id, notSelling)).batch.status).toBe('sold');
    await pass(test, 5000);
    expect(venue.posted.length - sent).toBe(2);
    await placing.stop();
  });
});

async function stateOf(test: TestRuntime, batchId: string): Promise<BatchState> {
  const state = await snapshotOf(test, batchId);
  if (state === null) throw new Error('the batch is gone');
  return state;
}
