/** A process that dies at any step of a sale that waits, and another that goes on: nothing is placed twice, nothing sold is lost. */
import { priceFromText } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import { notional, USD_ZERO } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { CrashPoint } from '../../../platform/runtime/crash-point.ts';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import type { BatchState } from '../../orders/batch-state.ts';
import { batches, batchOrders } from '../../orders/table.ts';
import { requestSaleCancel } from '../../orders/waiting-sales.ts';
import { die, ended, LEASE_OVER_MS, pass, recordedBatch, SIZE, snapshotOf, start, until } from './runner.fixture.ts';
import type { ScriptedTrading } from './scripted-trading.fixture.ts';

const PRICE = priceFromText('0.6');
const PART = sharesFromText('4');

/** Records that the shares of the first order wait at 0.60, as a decision to sell does. */
async function decide({ runtime }: TestRuntime, { batch, orders }: BatchState): Promise<string> {
  const [order] = orders;
  if (order === undefined) throw new Error('the batch has no orders');
  const now = runtime.clock.now();
  const id = runtime.random.uuid();
  await runtime.db.insert(batchOrders).values({
    ...order,
    ...{ id, side: 'sell', size: SIZE, price: PRICE, expectedPrice: PRICE, saleId: runtime.random.uuid(), waits: true },
    ...{ filledSize: SHARES_ZERO, filledCost: USD_ZERO, fee: USD_ZERO, soldSize: SHARES_ZERO, attemptCount: 0 },
    ...{ status: 'pending', ordinal: orders.length, sellsOrderId: order.id, createdAt: now, updatedAt: now },
  });
  await runtime.db.update(batches).set({ saleUnderWay: true }).where(eq(batches.id, batch.id));
  return id;
}

/** Runs a process until it dies as it passes `point`. */
const dieAt = (test: TestRuntime, venue: ScriptedTrading, batchId: string, point: CrashPoint) =>
  die(test, venue, batchId, { point, passing: 1 });

const sells = ({ orders }: ScriptedTrading) => [...orders.values()].filter(({ request }) => request.side === 'sell');

/** The rest of the sale is bought at the venue. */
function fillRest(test: TestRuntime, venue: ScriptedTrading): void {
  for (const held of sells(venue)) {
    const [first] = held.fills;
    if (first === undefined) throw new Error('a part was filled before');
    const size = (SIZE - first.size) as Shares;
    const more = { tradeId: 'rest', size, cost: notional(size, PRICE, 'down'), matchedAt: test.runtime.clock.now() };
    held.fills.push({ ...first, ...more });
    held.status = 'matched';
  }
}

async function openHolding(test: TestRuntime) {
  const first = await start(test);
  const batchId = await recordedBatch(test);
  first.placing.wake(batchId);
  const held = await until(test, batchId, ended);
  await first.placing.stop();
  const { venue } = first;
  venue.onPost((order) => venue.take(order, PART));
  const before = venue.posted.length;
  return { venue, batchId, held, sent: () => new Set(venue.posted.slice(before)).size };
}

const PLACING = [
  ...(['lease_taken', 'orders_signed', 'attempts_committed', 'marked_sent', 'venue_answered'] as const),
  ...(['outcomes_recorded', 'fills_read', 'fills_recorded'] as const),
];

describe('a sale that waits, of a process that dies', () => {
  it.each(PLACING)('as it has passed %s, rests once and is filled to the share', async (point) => {
    await using test = await openTestRuntime();
    const { venue, batchId, held, sent } = await openHolding(test);
    const saleId = await decide(test, held);
    await dieAt(test, venue, batchId, point);
    await pass(test, LEASE_OVER_MS);
    const { placing } = await start(test, venue);
    const filledInPart = ({ sales }: BatchState) => sales.some(({ status }) => status === 'partially_filled');
    const resting = await until(test, batchId, filledInPart);
    expect(resting.sales).toMatchObject([{ id: saleId, filledSize: PART, attemptCount: 1 }]);
    expect(resting.orders[0]).toMatchObject({ soldSize: PART });
    expect(resting.batch.saleUnderWay).toBe(true);
    fillRest(test, venue);
    const done = await until(test, batchId, ({ batch }) => !batch.saleUnderWay);
    expect(done.sales).toMatchObject([
      { status: 'filled', filledSize: SIZE, filledCost: notional(SIZE, PRICE, 'down') },
    ]);
    expect([sells(venue).length, sent()]).toEqual([1, 1]);
    await placing.stop();
  });

  it.each(['cancels_answered', 'fills_read', 'fills_recorded', 'sales_finished'] as const)(
    'as it has passed %s on a cancel, stays off the book and keeps what was sold',
    async (point) => {
      await using test = await openTestRuntime();
      const { venue, batchId, held, sent } = await openHolding(test);
      const saleId = await decide(test, held);
      const placer = await start(test, venue);
      placer.placing.wake(batchId);
      await until(test, batchId, ({ sales }) => sales.some(({ status }) => status === 'partially_filled'));
      await placer.placing.stop();
      await test.runtime.db.transaction((tx) => requestSaleCancel(tx, test.runtime, saleId));
      await dieAt(test, venue, batchId, point);
      await pass(test, LEASE_OVER_MS);
      const { placing } = await start(test, venue);
      const { sales, orders } = await until(test, batchId, ({ batch }) => !batch.saleUnderWay);
      expect(sales).toMatchObject([{ status: 'partially_filled', filledSize: PART, cancelReason: 'canceled' }]);
      expect(orders[0]).toMatchObject({ soldSize: PART });
      expect(sells(venue).map(({ status }) => status)).toEqual(['canceled']);
      expect(sent()).toBe(1);
      await placing.stop();
    },
  );

  it.each(['orders_signed', 'attempts_committed'] as const)(
    'as it has passed %s, never leaves where it is canceled before another goes on',
    async (point) => {
      await using test = await openTestRuntime();
      const { venue, batchId, held, sent } = await openHolding(test);
      const saleId = await decide(test, held);
      await dieAt(test, venue, batchId, point);
      await test.runtime.db.transaction((tx) => requestSaleCancel(tx, test.runtime, saleId));
      await pass(test, LEASE_OVER_MS);
      const { placing } = await start(test, venue);
      const { sales } = await until(test, batchId, ({ batch }) => !batch.saleUnderWay);
      expect(sales).toMatchObject([{ status: 'failed', error: 'Not sent: The sale was canceled before.' }]);
      expect(sent()).toBe(0);
      await placing.stop();
    },
  );

  it('is not posted again where it was marked, never arrived, and was canceled meanwhile', async () => {
    await using test = await openTestRuntime();
    const { venue, batchId, held, sent } = await openHolding(test);
    const saleId = await decide(test, held);
    await dieAt(test, venue, batchId, 'marked_sent');
    await test.runtime.db.transaction((tx) => requestSaleCancel(tx, test.runtime, saleId));
    await pass(test, LEASE_OVER_MS);
    const { placing } = await start(test, venue);
    await pass(test, 30_000);
    expect(sent()).toBe(0);
    expect((await snapshotOf(test, batchId))?.batch.saleUnderWay).toBe(true);
    await pass(test, 180_000);
    const state = await until(test, batchId, ({ batch }) => !batch.saleUnderWay);
    expect(state.sales).toMatchObject([{ status: 'failed' }]);
    expect(sent()).toBe(0);
    await placing.stop();
  });
});
