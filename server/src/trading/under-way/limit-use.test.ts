import { NO_LIMITS } from '@dutchbook/engine/risk/limits/touched.ts';
import { fractionFromText } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { readInputs } from '../execution/placing/inputs.ts';
import { asOfYesterday, halfBought } from '../execution/runner/half-bought.fixture.ts';
import { ended, recordedBatch, SIZE, start, until } from '../execution/runner/runner.fixture.ts';
import { attempts, batches, batchOrders } from '../orders/table.ts';
import { storeLimitsOf } from '../trading-controls/controls.fixture.ts';
import { oneDesk } from '../venue-desk/desks.fixture.ts';
import { limitUse } from './limit-use.ts';
import { reserveAnew } from './reserve.ts';
import { spendableCash } from './spendable.ts';

const DAY_MS = 86_400_000;

/** In dollars: what was placed today, and what is exposed. */
async function used({ runtime }: TestRuntime, ownBatchId?: string): Promise<[number, number]> {
  const { placedToday, openExposure } = await limitUse(runtime.db, runtime.clock.now(), ownBatchId);
  return [placedToday / 1e6, openExposure / 1e6];
}

/** After rows were written past the runner, which reserves with each of its own writes. */
async function reserved({ runtime }: TestRuntime): Promise<void> {
  await reserveAnew(runtime.db, sql`true`);
}

describe('how much of the limits is used', () => {
  it('is what orders may take while they stand, then what they took, and nothing once it was sold', async () => {
    await using test = await openTestRuntime();
    expect(await used(test)).toEqual([0, 0]);
    const { venue, placing } = await start(test);
    venue.onPost((order) => venue.take(order, venue.orders.size === 0 ? SIZE : sharesFromText('4')));
    const batchId = await recordedBatch(test, { BATCH_COMPLETION_TIMEOUT_HOURS: 0.01 });
    expect(await used(test)).toEqual([8, 8]);
    expect(await used(test, batchId)).toEqual([0, 0]);
    placing.wake(batchId);
    await until(test, batchId, ({ fills }) => fills.length === 2);
    expect(await used(test)).toEqual([8, 8]);

    await test.time.advance(36_000);
    await until(test, batchId, ended);
    expect(await used(test)).toEqual([5.6, 5.6]);
    await test.runtime.db.update(batches).set({ status: 'sold' }).where(eq(batches.id, batchId));
    await reserved(test);
    expect(await used(test)).toEqual([5.6, 0]);
    await placing.stop();
  });

  it('takes in the fee by the schedule that each order was decided by', async () => {
    await using test = await openTestRuntime();
    const { db, clock } = test.runtime;
    await recordedBatch(test);
    await db.update(batchOrders).set({ feeRate: fractionFromText('0.051'), feeStep: usdFromText('0.01') });
    await reserved(test);
    expect(await used(test)).toEqual([8.26, 8.26]);
    const reading = { cash: usdFromText('10'), allowances: null, at: clock.now() };
    expect(await spendableCash(db, reading, { venue: 'polymarket' })).toBe(usdFromText('1.74'));
  });

  it('falls by what is sold again, and to nothing where a canceled batch is sold out', async () => {
    await using test = await openTestRuntime();
    const { placing } = await start(test);
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { orders } = await until(test, batchId, ended);
    await placing.stop();
    const [first] = orders;
    if (first === undefined) throw new Error('nothing was bought');
    const sold = { soldSize: sharesFromText('3.333333') };
    await test.runtime.db.update(batchOrders).set(sold).where(eq(batchOrders.id, first.id));
    await reserved(test);
    expect(await used(test)).toEqual([8, 6.666667]);
    await test.runtime.db
      .update(batches)
      .set({ status: 'canceled', soldAt: test.runtime.clock.now() })
      .where(eq(batches.id, batchId));
    await reserved(test);
    expect(await used(test)).toEqual([8, 0]);
  });

  it('begins anew at midnight UTC for the day, and goes on for what is held', async () => {
    await using test = await openTestRuntime();
    const { placing } = await start(test);
    const held = await recordedBatch(test);
    placing.wake(held);
    await until(test, held, ended);
    await placing.stop();
    await test.time.advance(DAY_MS - 60_000);
    expect(await used(test)).toEqual([8, 8]);
    await test.time.advance(60_000);
    expect(await used(test)).toEqual([0, 8]);
  });

  it('counts each attempt on the day on which it was sent, whenever its batch was placed', async () => {
    await using half = await halfBought();
    const { test, venue, batchId, placing } = half;
    expect(await used(test)).toEqual([5.6, 5.6]);
    // Signed before midnight, and sent after it.
    await test.runtime.db.update(attempts).set({ createdAt: sql`${attempts.createdAt} - interval '1 day'` });
    await reserved(test);
    expect(await used(test)).toEqual([5.6, 5.6]);
    await asOfYesterday(test);
    expect(await used(test)).toEqual([0, 5.6]);
    half.fillOnly(sharesFromText('2'));
    await half.retry();
    placing.wake(batchId);
    await until(test, batchId, (state) => state.attempts.length === 3 && ended(state));
    expect(venue.posted).toHaveLength(3);
    expect(await used(test)).toEqual([0.8, 6.4]);
    await asOfYesterday(test);
    expect(await used(test)).toEqual([0, 6.4]);
  });

  it('counts what a retry may still take at its own price, beside what was bought before it', async () => {
    await using half = await halfBought();
    const { test, venue, batchId, placing } = half;
    half.offerAt(0.35);
    venue.onPost(() => ({ kind: 'unknown', reason: 'timed out' }));
    venue.answers = false;
    await asOfYesterday(test);
    await half.retry();
    placing.wake(batchId);
    await until(test, batchId, ({ attempts }) => attempts[2]?.status === 'unknown');
    // Ten and four shares at 0.40, and six that may come at 0.35.
    expect(await used(test)).toEqual([2.1, 7.7]);
    // A reading of later on may not have what is unknown, and has what was bought before.
    const cash = { cash: usdFromText('10'), allowances: null, at: (test.runtime.clock.now() + 1) as Instant };
    expect(await spendableCash(test.runtime.db, cash, { venue: 'polymarket' })).toBe(usdFromText('7.9'));
    // Canceled, two of them matched and not reported yet, at the rate that they were signed under: 0.05 × 2 × 0.35 × 0.65 in fees.
    const [retried] = await test.runtime.db.select().from(attempts).where(eq(attempts.status, 'unknown'));
    const known = { status: 'canceled' as const, matchedSize: sharesFromText('2'), feeRate: fractionFromText('0.05') };
    await test.runtime.db
      .update(attempts)
      .set(known)
      .where(eq(attempts.id, retried?.id ?? ''));
    await reserved(test);
    expect(await used(test)).toEqual([0.72275, 6.32275]);
    await placing.stop();
  });

  it('falls by shares that are gone, as the portfolio does', async () => {
    await using half = await halfBought();
    const { test, placing } = half;
    await placing.stop();
    const gone = { goneSize: sharesFromText('4') };
    await test.runtime.db
      .update(batchOrders)
      .set(gone)
      .where(eq(batchOrders.filledSize, sharesFromText('10')));
    await reserved(test);
    expect(await used(test)).toEqual([5.6, 4]);
  });

  it('leaves out what was refused, and what is only simulated', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost(() => ({ kind: 'rejected', reason: 'not enough balance / allowance' }));
    const refused = await recordedBatch(test);
    placing.wake(refused);
    await until(test, refused, ended);
    await placing.stop();
    await recordedBatch(test, { ORDER_SIMULATION_ENABLED: true });
    expect(await used(test)).toEqual([0, 0]);
  });

  it('is not asked for while no limit depends on it', async () => {
    await using test = await openTestRuntime();
    await recordedBatch(test);
    const readiness = () => ({ reconciled: true, placesFound: false, corruptSettings: [] });
    const parts = { ...test, desks: oneDesk(), readiness };
    const state = async () => (await readInputs(parts, { practice: false })).account.accounts.get('polymarket');
    expect(await state()).toMatchObject({ placedToday: 0, openExposure: 0 });
    await storeLimitsOf(test.runtime, { ...NO_LIMITS, perDay: usdFromText('20') });
    expect(await state()).toMatchObject({ placedToday: usdFromText('8'), limits: { perDay: usdFromText('20') } });
  });
});
