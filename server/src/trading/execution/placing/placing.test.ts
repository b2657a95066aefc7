import { assess, sentences } from '@dutchbook/engine/desk/assess.ts';
import { feeCategoryOf } from '@dutchbook/engine/market/fee-category.ts';
import { measureSurvival } from '@dutchbook/engine/order/survival.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { opportunities } from '../../../market/opportunities/table.ts';
import { type Decided, type Refused, recordTrigger } from '../../../market/prices/trigger.ts';
import { recordDeferred } from '../../../people/notifications/deferred.ts';
import { notifications } from '../../../people/notifications/table.ts';
import { deskSettings } from '../../../people/system-settings/in-units.ts';
import { changeSettings } from '../../../people/system-settings/store.ts';
import { pipelined, type Send } from '../../../platform/database/pipelined.ts';
import { loadBatch } from '../../orders/batch-state.ts';
import { attempts, batches } from '../../orders/table.ts';
import { ended } from '../runner/runner.fixture.ts';
import { openTrigger } from './open-trigger.fixture.ts';

describe('what a trigger buys', () => {
  it('is committed signed and marked as sent before the first order leaves, and is what it shows', async () => {
    await using trigger = await openTrigger();
    const { test, venue, buying } = trigger;
    const { batchId } = await trigger.record();
    const state = await loadBatch(test.runtime.db, batchId ?? '');
    expect(venue.posted).toEqual([]);
    expect(state).toMatchObject({
      batch: { status: 'processing', automatic: true, leaseToken: 1, actualProfit: null, unknownOrders: 0 },
      orders: [{ status: 'processing', attemptCount: 1 }],
      attempts: [{ status: 'sent', reason: null }],
    });
    buying.end(batchId);
    const done = await trigger.batchWhen(batchId, ended);
    expect(done.batch.status).toBe('completed');
    expect(venue.posted).toEqual(state?.attempts.map(({ payload }) => payload));
  });

  it.each([
    { policy: {}, size: '5', boundedBy: 'minimum' },
    { policy: { SIZE_POLICY: 'up_to', CLIP_USD: 45 }, size: '50', boundedBy: 'clip' },
    { policy: { SIZE_POLICY: 'best', CLIP_USD: 1000 }, size: '500', boundedBy: 'depth' },
  ] as const)('is of the size that $policy chooses, signed as that', async ({ policy, size, boundedBy }) => {
    await using trigger = await openTrigger(policy);
    const { batchId } = await trigger.record();
    const state = await loadBatch(trigger.test.runtime.db, batchId ?? '');
    const orderSize = sharesFromText(size);
    expect(state).toMatchObject({ batch: { orderSize, sizeBoundedBy: boundedBy }, attempts: [{ size: orderSize }] });
    trigger.buying.end(batchId);
    await trigger.batchWhen(batchId, ended);
  });

  it.each([
    { policy: 'best', size: '200', boundedBy: 'depth' },
    { policy: 'up_to', size: '500', boundedBy: 'depth' },
  ] as const)('is, by $policy, of the depth that orders like it have met', async ({ policy, size, boundedBy }) => {
    await using trigger = await openTrigger({ SIZE_POLICY: policy, CLIP_USD: 1000 });
    const [market] = trigger.seen.flatMap((quote) => quote.market ?? []);
    if (market === undefined) throw new Error('its market is known');
    const [shown, limit, met] = [sharesFromText('500'), priceFromText('0.9'), sharesFromText('200')];
    const sent = { venue: 'polymarket' as const, category: feeCategoryOf(market), bookAgeMs: 0 };
    const measured = measureSurvival(Array(30).fill({ ...sent, size: shown, shown, limit, met }));
    trigger.parts.survival = () => measured;
    const { batchId } = await trigger.record();
    const state = await loadBatch(trigger.test.runtime.db, batchId ?? '');
    expect(state).toMatchObject({ batch: { orderSize: sharesFromText(size), sizeBoundedBy: boundedBy } });
    expect(state?.attempts).toMatchObject([{ bookDepth: shown, bookAgeMs: 0, feeCategory: sent.category }]);
    trigger.buying.end(batchId);
    await trigger.batchWhen(batchId, ended);
  });

  it('is refused where a return on time is asked for and nothing says when its market ends', async () => {
    await using trigger = await openTrigger({ MIN_ANNUALISED_RETURN: 5 });
    const decided = await pipelined(trigger.test.runtime.priorityDb, ({ send }) => trigger.buying.look(send)());
    trigger.buying.end(null);
    expect(decided).toMatchObject({
      refusals: ['When the cash is back is not known, MIN_ANNUALISED_RETURN is 5%.'],
    });
  });

  it('is refused where the smallest order is larger than a clip may be, and a person may place it', async () => {
    await using trigger = await openTrigger({ SIZE_POLICY: 'up_to', CLIP_USD: 4.49 });
    const decided = await pipelined(trigger.test.runtime.priorityDb, ({ send }) => trigger.buying.look(send)());
    trigger.buying.end(null);
    expect(decided).toMatchObject({
      refusals: [
        'Even the smallest order takes more than CLIP_USD allows (up to $4.50 for 5.00 shares, the least by MIN_ORDER_SHARES; CLIP_USD is $4.49: set it to $4.50 or more in System Settings).',
      ],
    });
    const batchId = await trigger.byHand();
    const { batch } = await trigger.batchWhen(batchId, ended);
    expect(batch).toMatchObject({ orderSize: sharesFromText('5'), sizeBoundedBy: null });
  });

  it('keeps what was expected of each order, and its book when it was signed', async () => {
    await using trigger = await openTrigger();
    const { db } = trigger.test.runtime;
    trigger.move([
      [0.91, 2],
      [0.96, 3],
    ]);
    const { batchId } = await trigger.record();
    const state = await loadBatch(db, batchId ?? '');
    expect(state?.orders).toMatchObject([
      { size: sharesFromText('5'), expectedPrice: priceFromText('0.9'), expectedFee: usdFromText('0'), bookAgeMs: 0 },
    ]);
    const signedAt = priceFromText('0.94');
    expect(state?.attempts).toMatchObject([{ bookPriceOfOrder: signedAt, bookPrice: signedAt }]);
    trigger.buying.end(batchId);
    await trigger.batchWhen(batchId, ended);
  });

  it('is no other than what a person places: signed and marked in the transaction that records it', async () => {
    await using trigger = await openTrigger();
    const { venue, buying } = trigger;
    buying.end(null);
    const batchId = await trigger.byHand();
    const { attempts: made, batch } = await trigger.batchWhen(batchId, ended);
    expect(batch).toMatchObject({ status: 'completed', automatic: false, executionStartedAt: batch.createdAt });
    expect(made).toMatchObject([{ sentAt: batch.createdAt, createdAt: batch.createdAt }]);
    expect(venue.posted).toEqual(made.map(({ payload }) => payload));
  });

  it.each([true, false])('hands out what it was decided by: all of it, armed %s', async (armed) => {
    await using trigger = await openTrigger();
    const { test, row, seen, settings, buying } = trigger;
    trigger.controls.armed = armed;
    const decided = await pipelined(test.runtime.priorityDb, ({ send }) => buying.look(send)());
    buying.end(null);
    const { at, account, activeBatchId, bookAges, orders } = decided.by ?? expect.unreachable('nothing was looked at');
    const quotes = seen.map((quote, index) => ({ ...quote, bookAgeMs: bookAges[index] ?? null }));
    const again = assess({
      ...{ opportunity: row, quotes, size: null, quotedPrice: row.currentPrice, automatic: true },
      ...{ settings: deskSettings(settings.current()), now: at, activeBatchId, ...account },
    });
    expect(orders).toEqual(again.plan.orders);
    expect(orders).toHaveLength(1);
    expect('refusals' in decided ? decided.refusals : []).toEqual(sentences(again.blockers));
    expect(again.blockers).toHaveLength(armed ? 0 : 1);
  });

  it('is decided by the settings of when the account is known, and signed as that', async () => {
    await using trigger = await openTrigger();
    const { test, buying, settings, row, seen } = trigger;
    const changing = { ...buying, look: (send: Send) => changedAfter(buying.look(send)) };
    const changedAfter = (decide: () => Promise<Decided | Refused>) => {
      settings.change({ MIN_ORDER_SHARES: 7 });
      return decide;
    };
    const outcome = await recordTrigger(test.runtime, row, null, changing, seen);
    const batchId = outcome.kind === 'recorded' ? outcome.batchId : null;
    const state = await loadBatch(test.runtime.db, batchId ?? '');
    const size = sharesFromText('7');
    expect(state).toMatchObject({ batch: { orderSize: size, settings: { MIN_ORDER_SHARES: 7 } }, orders: [{ size }] });
    expect(state?.attempts).toMatchObject([{ size, status: 'sent' }]);
    buying.end(batchId);
    await trigger.batchWhen(batchId, ended);
  });

  it.each([
    [50, 'recorded and signed while the account is waited for'],
    [2000, 'recorded and signed as of when it is there'],
  ])('where that takes %i ms, is %s', async (ms) => {
    await using trigger = await openTrigger();
    const { test, buying, row, seen, venue } = trigger;
    const askedAt = test.runtime.clock.now();
    const waiting = {
      ...buying,
      look: (send: Send) => {
        const decide = buying.look(send);
        return async () => {
          trigger.pass(ms);
          return await decide();
        };
      },
    };
    const outcome = await recordTrigger(test.runtime, row, null, waiting, seen);
    const batchId = outcome.kind === 'recorded' ? outcome.batchId : null;
    const state = await loadBatch(test.runtime.db, batchId ?? '');
    expect(state?.batch.createdAt).toBe(ms > 100 ? askedAt + ms : askedAt);
    expect(state?.attempts).toMatchObject([{ status: 'sent' }]);
    buying.end(batchId);
    expect((await trigger.batchWhen(batchId, ended)).batch.status).toBe('completed');
    expect(venue.posted).toEqual(state?.attempts.map(({ payload }) => payload));
  });

  it('does not make up a price for shares that a book does not have any more', async () => {
    await using trigger = await openTrigger();
    trigger.move([[0.9, 4]]);
    const { batchId } = await trigger.record();
    const state = await loadBatch(trigger.test.runtime.db, batchId ?? '');
    expect(state?.attempts).toMatchObject([{ bookPriceOfOrder: null, bookPrice: null }]);
    trigger.buying.end(batchId);
    await trigger.batchWhen(batchId, ended);
  });

  it('does not leave where trading is disarmed after the commit', async () => {
    await using trigger = await openTrigger();
    const { batchId } = await trigger.record();
    trigger.controls.armed = false;
    trigger.buying.end(batchId);
    const { batch, attempts: made } = await trigger.batchWhen(batchId, ended);
    expect(made).toMatchObject([{ status: 'failed', reason: 'Not sent: Trading is disarmed.' }]);
    expect(batch.status).toBe('canceled');
    expect(trigger.venue.posted).toEqual([]);
  });

  it('is judged again where the commit took long, and does not leave when it is not worth it any more', async () => {
    await using trigger = await openTrigger();
    const { test, venue } = trigger;
    const { batchId } = await trigger.record();
    await test.runtime.db.delete(opportunities);
    await test.time.advance(1000);
    trigger.buying.end(batchId);
    const { batch, attempts: made } = await trigger.batchWhen(batchId, ended);
    expect(made).toMatchObject([{ status: 'failed', reason: 'Not sent: The opportunity was deleted.' }]);
    expect(batch.status).toBe('failed');
    expect(venue.posted).toEqual([]);
  });

  it('leaves by the batch runner where the pace of the account does not let it leave at once', async () => {
    await using trigger = await openTrigger();
    const { test, venue, buying } = trigger;
    const { pace } = venue.venue.trading ?? {};
    pace?.leave({ who: 'another', purpose: 'buy', orders: 1500 }, test.runtime.clock.now());
    const { batchId } = await trigger.record();
    expect(await test.runtime.db.$count(attempts)).toBe(0);
    buying.end(batchId);
    expect((await trigger.batchWhen(batchId, ended)).batch.status).toBe('completed');
    expect(venue.posted).toHaveLength(1);
  });

  it.each([
    [false, '. Orders for 5.00 sets are being placed, bounded by the smallest order that a market takes'],
    [true, '. Simulated orders for 5.00 sets are being placed, bounded by the smallest order that a market takes'],
  ])('is notified as what it is: simulated %s', async (simulated, says) => {
    await using trigger = await openTrigger({ ORDER_SIMULATION_ENABLED: simulated });
    const { runtime } = trigger.test;
    const by = { at: runtime.clock.now(), userId: runtime.random.uuid() };
    await changeSettings(runtime.db, { ORDER_SIMULATION_ENABLED: simulated }, by);
    const { batchId } = await trigger.record();
    const reported = () =>
      runtime.db.select().from(notifications).where(eq(notifications.notificationType, 'opportunity_triggered'));
    // The rows of what leaves at once are written once it has left.
    expect(await reported()).toHaveLength(simulated ? 1 : 0);
    trigger.buying.end(batchId);
    await recordDeferred(runtime, batchId ?? '');
    expect(await reported()).toMatchObject([
      { message: expect.stringContaining(says), data: { batch_id: batchId, simulated } },
    ]);
    await trigger.batchWhen(batchId, ended);
  });

  it('is not sent where it was not recorded', async () => {
    await using trigger = await openTrigger();
    const { test, venue, buying } = trigger;
    const { runtime } = test;
    const now = (): never => {
      throw new Error('the clock went away');
    };
    await expect(trigger.record({ ...runtime, clock: { now } })).rejects.toThrow('went away');
    buying.end(null);
    await test.idle();
    expect(await runtime.db.$count(batches)).toBe(0);
    expect(venue.posted).toEqual([]);
  });
});
