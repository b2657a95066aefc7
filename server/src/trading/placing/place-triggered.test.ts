import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../notifications/table.ts';
import { positionsOf } from '../../opportunities/identity.ts';
import { scriptedControls } from '../../trading-controls/controls.fixture.ts';
import { attempts, batches, opportunities } from '../../world/schema.ts';
import { type TestDatabase, testDatabases } from '../../world/test-world.ts';
import type { World } from '../../world/world.ts';
import { openDesk } from '../prices/live-prices.fixture.ts';
import { recordTrigger } from '../prices/trigger.ts';
import { startQuotes } from '../quotes/quotes.ts';
import { loadBatchState } from './batch-state.ts';
import { buyTriggered } from './place-triggered.ts';
import { ended, start, until } from './placing.fixture.ts';

/** An opportunity that pays, armed trading with money for it, and a process that places what its trigger buys. */
async function openTrigger(kind: TestDatabase, changed: Partial<Settings> = {}) {
  const desk = await openDesk(kind);
  desk.settings.change(changed);
  const { test } = desk;
  const { world } = test;
  desk.venue.list('rain');
  desk.venue.setBooks({ 'rain:yes': { asks: [['0.90', '500']] } });
  const added = await desk.add(['rain Yes']);
  const quotes = startQuotes(world, desk.venue.venue, desk.settings);
  const controls = scriptedControls();
  const reading = () => ({ cash: usdFromText('1000'), at: world.clock.now() });
  const account = { reading, refresh: async () => reading(), stop: () => {} };
  const { venue, placing } = await start(test, undefined, { controls, account });
  const parts = {
    world,
    quotes,
    catalogue: desk.venue.venue.catalogue,
    settings: desk.settings,
    controls,
    account,
    readiness: () => ({ armed: controls.armed, reconciled: true, corruptSettings: [], clockSkewMs: null }),
  };
  const price = setPriceFromNumber(0.9);
  const profit = { feesPerSet: usdFromText('0'), profitPercentage: 11_111_111 as never };
  const row = { ...added, ...profit, currentPrice: price, lastChecked: world.clock.now() };
  const buying = buyTriggered(parts, placing, row, await quotes.fresh(positionsOf(row.marketCombinations)));
  return {
    test,
    venue,
    controls,
    buying,
    /** Records the trigger and what is bought on it, in the given world if one is given. */
    record: (within: World = world) => recordTrigger(within, row, null, buying),
    batchWhen: (batchId: string | null, wanted: Parameters<typeof until>[2]) => until(test, batchId ?? '', wanted),
    [Symbol.asyncDispose]: async () => {
      await placing.stop();
      await quotes.stop();
      await desk[Symbol.asyncDispose]();
    },
  };
}

describe.each(testDatabases)('what a trigger buys, on %s', (kind) => {
  it('is committed signed and marked as sent before the first order leaves, and is what it shows', async () => {
    await using trigger = await openTrigger(kind);
    const { test, venue, buying } = trigger;
    const { batchId } = await trigger.record();
    const state = await loadBatchState(test.world.db, batchId ?? '');
    expect(venue.posted).toEqual([]);
    expect(state).toMatchObject({
      batch: { status: 'processing', automatic: true, leaseToken: 1, actualProfit: null, ordersInDoubt: 0 },
      orders: [{ status: 'processing', attemptCount: 1 }],
      attempts: [{ status: 'sent', reason: null }],
    });
    buying.end(batchId);
    const done = await trigger.batchWhen(batchId, ended);
    expect(done.batch.status).toBe('completed');
    expect(venue.posted).toEqual(state?.attempts.map(({ payload }) => payload));
  });

  it('does not leave where trading is disarmed after the commit', async () => {
    await using trigger = await openTrigger(kind);
    const { batchId } = await trigger.record();
    trigger.controls.armed = false;
    trigger.buying.end(batchId);
    const { batch, attempts: made } = await trigger.batchWhen(batchId, ended);
    expect(made).toMatchObject([{ status: 'failed', reason: 'Not sent: Trading is disarmed.' }]);
    expect(batch.status).toBe('canceled');
    expect(trigger.venue.posted).toEqual([]);
  });

  it('is judged again where the commit took long, and does not leave when it is not worth it any more', async () => {
    await using trigger = await openTrigger(kind);
    const { test, venue } = trigger;
    const { batchId } = await trigger.record();
    await test.world.db.delete(opportunities);
    await test.time.advance(1000);
    trigger.buying.end(batchId);
    const { batch, attempts: made } = await trigger.batchWhen(batchId, ended);
    expect(made).toMatchObject([{ status: 'failed', reason: 'Not sent: The opportunity was deleted.' }]);
    expect(batch.status).toBe('failed');
    expect(venue.posted).toEqual([]);
  });

  it('leaves by the loop where the pace of the account does not let it leave at once', async () => {
    await using trigger = await openTrigger(kind);
    const { test, venue, buying } = trigger;
    const { pace } = venue.venue.trading ?? {};
    pace?.leave({ who: 'another', errand: 'buy', orders: 1500 }, test.world.clock.now());
    const { batchId } = await trigger.record();
    expect(await test.world.db.$count(attempts)).toBe(0);
    buying.end(batchId);
    expect((await trigger.batchWhen(batchId, ended)).batch.status).toBe('completed');
    expect(venue.posted).toHaveLength(1);
  });

  it.each([
    [false, '. Orders are being placed'],
    [true, '. Simulated orders are being placed'],
  ])('is told of as what it is: simulated %s', async (simulated, says) => {
    await using trigger = await openTrigger(kind, { ORDER_SIMULATION_ENABLED: simulated });
    const { batchId } = await trigger.record();
    trigger.buying.end(batchId);
    const told = await trigger.test.world.db
      .select()
      .from(notifications)
      .where(eq(notifications.notificationType, 'opportunity_triggered'));
    expect(told).toMatchObject([{ message: expect.stringContaining(says), data: { batch_id: batchId, simulated } }]);
    await trigger.batchWhen(batchId, ended);
  });

  it('is not sent where it was not recorded', async () => {
    await using trigger = await openTrigger(kind);
    const { test, venue, buying } = trigger;
    const { world } = test;
    const telling = (): never => {
      throw new Error('the database went away');
    };
    await expect(trigger.record({ ...world, notices: { ...world.notices, telling } })).rejects.toThrow('went away');
    buying.end(null);
    await test.idle();
    expect(await world.db.$count(batches)).toBe(0);
    expect(venue.posted).toEqual([]);
  });
});
