import { priceFromText } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import type { OrderRequest } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { opportunities, opportunityPrices } from '../../../market/opportunities/table.ts';
import { auditLog } from '../../../platform/audit/table.ts';
import type { CrashPoint } from '../../../platform/runtime/crash-point.ts';
import { requestCancel } from '../../orders/intents.ts';
import { attempts, batches } from '../../orders/table.ts';
import { storeLimitsOf } from '../../trading-controls/controls.fixture.ts';
import { asOfYesterday, halfBought } from './half-bought.fixture.ts';
import { DEFAULT_SETTINGS, ended, pass, recordedBatch, SIZE, snapshotOf, start, until } from './runner.fixture.ts';
import type { ScriptedTrading } from './scripted-trading.fixture.ts';

/** Does `work` once, while the first order of the retry is being signed. */
function whileSigned({ venue }: ScriptedTrading, work: () => Promise<unknown>): void {
  const { trading } = venue;
  if (!trading) throw new Error('the venue takes no orders');
  const signOrder = trading.signOrder.bind(trading);
  let done: Promise<unknown> | null = null;
  Object.assign(trading, {
    signOrder: async (request: OrderRequest) => {
      done ??= work();
      await done;
      return await signOrder(request);
    },
  });
}

describe('the retry of a batch', () => {
  it('buys what is missing, and only that, at the price of now', async () => {
    await using half = await halfBought();
    const { test, venue, batchId, placing } = half;
    half.offerAt(0.42);
    half.fillOnly(sharesFromText('6'));
    expect((await half.retry())?.kind).toBe('requested');
    placing.wake(batchId);
    const { batch, orders, attempts } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'completed', retryCount: 1, unhedged: null, lastError: null });
    expect(orders.map(({ filledSize }) => filledSize)).toEqual([SIZE, SIZE]);
    expect(venue.posted).toHaveLength(3);
    expect(attempts.at(-1)).toMatchObject({ size: sharesFromText('6'), price: priceFromText('0.42') });
  });

  it('is marked as sent where it is recorded: a process that dies after it leaves nothing that is signed anew', async () => {
    await using half = await halfBought();
    const { test, venue, batchId, placing } = half;
    const died = Promise.withResolvers<void>();
    Object.assign(test.runtime, {
      pass: (point: CrashPoint) => {
        if (point !== 'attempts_committed') return;
        died.resolve();
        throw new Error('died');
      },
    });
    await half.retry();
    placing.wake(batchId);
    await died.promise;
    const left = await half.snapshot();
    expect(left?.attempts.map(({ status }) => status).at(-1)).toBe('sent');
    expect(left?.batch).toMatchObject({ status: 'processing', retryCount: 1 });
    expect(venue.posted).toHaveLength(2);
  });

  it('goes back with the reason when the rest does not pay any more, and buys nothing', async () => {
    await using half = await halfBought();
    const { test, venue, batchId, placing } = half;
    half.offerAt(0.61);
    await half.retry();
    placing.wake(batchId);
    const { batch } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'partial_completed', retryCount: 0 });
    expect(batch.lastError).toBe('Not retried: Net -0.99%, needs 0.50%.');
    expect(venue.posted).toHaveLength(2);
  });

  it('finishes the set at the loss that was confirmed, and books what was filled', async () => {
    await using half = await halfBought();
    const { test, venue, batchId, placing } = half;
    // Six at 0.65 are $3.90 for sets that pay $6.00, after $2.40 for what is held.
    half.offerAt(0.65);
    half.fillOnly(sharesFromText('6'));
    expect((await half.retry(usdFromText('3.90')))?.kind).toBe('requested');
    placing.wake(batchId);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch).toMatchObject({
      status: 'completed',
      unhedged: null,
      actualProfit: usdFromText('0.5'),
      lastError: null,
    });
    expect(orders.map(({ filledSize, filledCost }) => [filledSize, filledCost])).toEqual([
      [SIZE, usdFromText('4')],
      [SIZE, usdFromText('5.5')],
    ]);
    expect(venue.posted).toHaveLength(3);
    expect(await half.retry(usdFromText('3.90'))).toMatchObject({ kind: 'refused' });
  });

  it.each([
    ['more than was confirmed', 0.65, null, '3.89', /takes up to \$3\.90 now, and up to \$3\.89 was confirmed/],
    ['more than unwinding', 0.65, 0.36, '3.90', /Finishing the set loses \$0\.30, unwinding loses \$0\.24\.$/],
    ['a price outside the band', 0.95, null, '6', /0\.95/],
  ] as const)('finishes no set at %s', async (_, ask, bid, upTo, refusal) => {
    await using half = await halfBought();
    half.offerAt(ask);
    if (bid !== null) half.bidAt(bid);
    await half.retry(usdFromText(upTo));
    half.placing.wake(half.batchId);
    const { batch } = await until(half.test, half.batchId, ended);
    expect(batch.lastError).toMatch(refusal);
    expect(batch).toMatchObject({ status: 'partial_completed', retryCount: 0 });
    expect(half.venue.posted).toHaveLength(2);
  });

  it('finishes automatically what pays, although unwinding would make more', async () => {
    await using half = await halfBought({ automatic: true });
    const { test, batchId } = half;
    // Six at 0.58 make $0.12 of what cost $2.40, and six at 0.45 are sold for $2.70.
    half.offerAt(0.58);
    half.bidAt(0.45);
    half.fillOnly(sharesFromText('6'));
    await pass(test, 30_000);
    const { batch } = await until(test, batchId, ({ batch }) => batch.status === 'completed');
    expect(batch).toMatchObject({ retryCount: 1, unhedged: null, lastError: null });
  });

  it('counts towards the limit of the day on which it is sent, with what was retried by then', async () => {
    await using half = await halfBought();
    const { test, venue, batchId, placing, controls } = half;
    controls.limits = { ...controls.limits, perDay: usdFromText('2.39') };
    await storeLimitsOf(test.runtime, controls.limits);
    await asOfYesterday(test);
    const retry = async () => {
      await half.retry();
      placing.wake(batchId);
      return (await until(test, batchId, ended)).batch;
    };
    expect((await retry()).lastError).toMatch(/^Not retried: With this batch today is \$2\.40, the limit is \$2\.39/);
    controls.limits = { ...controls.limits, perDay: usdFromText('2.40') };
    await storeLimitsOf(test.runtime, controls.limits);
    half.fillOnly(sharesFromText('1'));
    expect(await retry()).toMatchObject({ status: 'partial_completed' });
    expect(venue.posted).toHaveLength(3);
    half.offerAt(0.41);
    // 0.40 today, and five more at 0.41.
    expect((await retry()).lastError).toMatch(/^Not retried: With this batch today is \$2\.45, the limit is \$2\.40/);
  });

  it('holds for every order that it sends the least that the venue takes at once', async () => {
    // Nine of one position are missing and two of the other, at 0.40 each.
    await using half = await halfBought({ first: sharesFromText('1'), second: sharesFromText('8') });
    const { test, venue, batchId, placing } = half;
    await half.retry();
    placing.wake(batchId);
    const { batch } = await until(test, batchId, ended);
    const reason = 'Leg 2: 2 shares are worth $0.80, the venue takes no less than $1.00 at once.';
    expect(batch.lastError).toBe(`Not retried: ${reason}`);
    expect(venue.posted).toHaveLength(2);
  });

  it('is given up when another batch took what the limits leave while it was signed', async () => {
    await using half = await halfBought();
    const { test, venue, batchId, placing, controls } = half;
    controls.limits = { ...controls.limits, openExposure: usdFromText('15.99') };
    await storeLimitsOf(test.runtime, controls.limits);
    whileSigned(venue, () => recordedBatch(test));
    await half.retry();
    placing.wake(batchId);
    const { batch, attempts: made } = await until(test, batchId, ended);
    expect(batch).toMatchObject({
      status: 'partial_completed',
      lastError: expect.stringMatching(/^Not retried: .*16\.00.*15\.99/),
    });
    expect(made).toHaveLength(2);
  });

  it('is given up by any gate that refuses by the time that it is recorded', async () => {
    await using half = await halfBought();
    const { test, venue, batchId, placing, clock } = half;
    whileSigned(venue, async () => {
      clock.skewMs = 60_000;
    });
    await half.retry();
    placing.wake(batchId);
    const { batch, attempts: made } = await until(test, batchId, ended);
    expect(batch).toMatchObject({
      status: 'partial_completed',
      lastError: expect.stringMatching(/^Not retried: .*clock/),
    });
    expect(made).toHaveLength(2);
  });

  it.each([
    ['switched off', { active: false }, 'The opportunity is not active.'],
    ['deleted', null, 'The opportunity was deleted.'],
  ])('is given up when its opportunity is %s while it is signed', async (_what, edit, refusal) => {
    await using half = await halfBought();
    const { test, venue, batchId, placing } = half;
    const { db } = test.runtime;
    whileSigned(venue, () => (edit === null ? db.delete(opportunities) : db.update(opportunities).set(edit)));
    await half.retry();
    placing.wake(batchId);
    const { batch, attempts: made } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'partial_completed', lastError: `Not retried: ${refusal}` });
    expect(made).toHaveLength(2);
  });

  it('is judged by the target price that its batch was placed at', async () => {
    await using half = await halfBought();
    const { test, batchId, placing } = half;
    await test.runtime.db.update(opportunities).set({ targetPrice: priceFromText('0.5') });
    half.fillOnly(sharesFromText('6'));
    await half.retry();
    placing.wake(batchId);
    expect((await until(test, batchId, ended)).batch.status).toBe('completed');
  });

  it.each([
    ['nothing was bought of a batch that a person placed', { first: SHARES_ZERO, second: SHARES_ZERO }, false],
    ['the batch was placed automatically', { first: SIZE, second: sharesFromText('4') }, true],
  ])('of a profit that is not believed is a person’s alone where %s', async (_what, sizes, isAutomatic) => {
    await using half = await halfBought({ automatic: true, ...sizes });
    const { test, venue, batchId, placing } = half;
    await test.runtime.db.update(batches).set({ automatic: isAutomatic }).where(eq(batches.id, batchId));
    half.fillOnly(sharesFromText('6'));
    const { batch: refused } = await until(test, batchId, ({ batch }) => batch.lastError?.startsWith('Not') ?? false);
    expect(refused.retryCount).toBe(0);
    expect(refused.lastError).toBe('Not retried: Net 25.00%, more than 20.00% is not believed.');
    expect(venue.posted).toHaveLength(2);
    await half.retry();
    placing.wake(batchId);
    await until(test, batchId, ended);
    expect(venue.posted.length).toBeGreaterThan(2);
  });

  it('happens by itself where a person placed the batch and a part of it was bought, whatever the profit', async () => {
    await using half = await halfBought({ automatic: true });
    half.fillOnly(sharesFromText('6'));
    const completed = await until(half.test, half.batchId, ({ batch }) => batch.status === 'completed');
    expect(completed.batch.retryCount).toBe(1);
  });

  it('is left to a person where nothing was bought of a set that is never bought automatically', async () => {
    await using half = await halfBought({ automatic: true, first: SHARES_ZERO, second: SHARES_ZERO });
    await half.test.runtime.db.update(opportunityPrices).set({ augmentedEvent: true });
    await pass(half.test, 60_000);
    expect((await half.snapshot())?.batch).toMatchObject({ status: 'failed', retryCount: 0 });
  });

  it('ends in a cancellation that is asked for while it is judged, and is not tried again', async () => {
    await using half = await halfBought({ automatic: true });
    const { test, venue, batchId, placing } = half;
    half.offerAt(0.61);
    half.whileJudged(() => test.runtime.db.transaction((tx) => requestCancel(tx, test.runtime, batchId)));
    await half.retry();
    placing.wake(batchId);
    const { batch } = await until(test, batchId, ended);
    expect(batch.status).toBe('canceled');
    half.offerAt(0.4);
    await pass(test, 120_000);
    expect((await half.snapshot())?.batch).toMatchObject({ status: 'canceled', retryCount: 0 });
    expect(venue.posted).toHaveLength(2);
  });

  it('is given up, once, when what is missing cannot be signed', async () => {
    await using half = await halfBought();
    const { test, venue, batchId, placing } = half;
    let asked = 0;
    Object.assign(venue.venue.trading ?? {}, {
      signOrder: () => {
        asked += 1;
        return Promise.reject(new Error('price 0.125 is not a multiple of the tick 0.01'));
      },
    });
    await half.retry();
    placing.wake(batchId);
    const { batch } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'partial_completed', lastError: expect.stringContaining('0.125') });
    expect(asked).toBe(1);
  });

  it('waits for an order that was given up and stands at the venue after all', async () => {
    await using half = await halfBought();
    const { test, venue, batchId, placing } = half;
    const [, second] = [...venue.orders.values()];
    const [, attempt] = (await half.snapshot())?.attempts ?? [];
    if (!second || !attempt) throw new Error('there is no second order');
    await test.runtime.db.update(attempts).set({ status: 'open', endedAt: null }).where(eq(attempts.id, attempt.id));
    second.status = 'open';
    await half.retry();
    placing.wake(batchId);
    await pass(test, 5000);
    expect(venue.posted).toHaveLength(2);
    second.status = 'canceled';
    half.fillOnly(sharesFromText('6'));
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch.status).toBe('completed');
    expect(orders.map(({ filledSize }) => filledSize)).toEqual([SIZE, SIZE]);
  });

  it('is given up when the opportunity is gone', async () => {
    await using half = await halfBought();
    const { test, batchId, placing } = half;
    await half.retry();
    const { opportunityId } = (await half.snapshot())?.batch ?? {};
    await test.runtime.db.delete(opportunities).where(eq(opportunities.id, opportunityId ?? ''));
    placing.wake(batchId);
    const { batch } = await until(test, batchId, ended);
    expect(batch.lastError).toBe('Not retried: The opportunity was deleted.');
  });

  it('happens by itself after growing pauses, three times at most', async () => {
    await using half = await halfBought({ automatic: true });
    const { test, venue, batchId } = half;
    venue.onPost(() => ({ kind: 'rejected', reason: 'not enough balance / allowance' }));
    const counted: number[] = [];
    for (const seconds of [4, 3, 24, 90, 100]) {
      await pass(test, seconds * 1000);
      counted.push((await half.snapshot())?.batch.retryCount ?? -1);
    }
    expect(counted).toEqual([0, 1, 2, 3, 3]);
    expect((await half.snapshot())?.batch.status).toBe('partial_completed');
    expect(venue.posted).toHaveLength(5);
    const actions = await test.runtime.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.object, batchId))
      .orderBy(auditLog.seq);
    expect(actions.map(({ action, actor }) => `${actor} ${action}`)).toEqual(Array(3).fill('system batch.retried'));
  });

  it('is not used up by what does not pay, and happens by itself once prices have moved', async () => {
    await using half = await halfBought({ automatic: true });
    const { test, venue, batchId } = half;
    const before = (await half.snapshot())?.batch;
    let judged = 0;
    half.whileJudged(async () => {
      judged += 1;
    });
    half.offerAt(0.61);
    await pass(test, 24_000);
    // After the first pause, and not again while nothing moves.
    expect(judged).toBe(1);
    half.offerAt(0.62);
    await pass(test, 2000);
    expect((await half.snapshot())?.batch).toMatchObject({
      status: 'partial_completed',
      retryCount: 0,
      executionCompletedAt: before?.executionCompletedAt,
      lastError: 'Not retried: Net -1.96%, needs 0.50%.',
    });
    for (const price of [0.63, 0.64, 0.65]) {
      half.offerAt(price);
      await pass(test, 1000);
    }
    expect(judged).toBe(2);
    expect(await test.runtime.db.$count(auditLog, eq(auditLog.object, batchId))).toBe(0);
    expect(venue.posted).toHaveLength(2);
    half.fillOnly(sharesFromText('6'));
    half.offerAt(0.4);
    await pass(test, 6000);
    expect((await half.snapshot())?.batch).toMatchObject({ status: 'completed', retryCount: 1 });
  });

  it('does not happen by itself when it is due only long after', async () => {
    await using half = await halfBought({ automatic: true });
    const { test, placing, batchId } = half;
    await placing.stop();
    await test.time.advance(10 * 60_000);
    const { placing: later } = await start(test, half.venue, {
      settings: { current: () => DEFAULT_SETTINGS },
    });
    await pass(test, 5000);
    expect((await snapshotOf(test, batchId))?.batch.retryCount).toBe(0);
    await later.stop();
  });
});
