import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { scriptedControls } from '../../trading-controls/controls.fixture.ts';
import { batches, batchOrders } from '../../world/schema.ts';
import { openTestWorld, type TestWorld, testDatabases } from '../../world/test-world.ts';
import { limitState, limitUse } from './limit-use.ts';
import { ended, recordedBatch, SIZE, start, until } from './placing.fixture.ts';

const DAY_MS = 86_400_000;

/** In dollars: what was placed today, and what is exposed. */
async function used({ world }: TestWorld, ownBatchId?: string): Promise<[number, number]> {
  const { placedToday, openExposure } = await limitUse(world.db, world.clock.now(), ownBatchId);
  return [placedToday / 1e6, openExposure / 1e6];
}

describe.each(testDatabases)('how much of the limits is used, on %s', (kind) => {
  it('is what orders may take while they stand, then what they took, and nothing once it was sold', async () => {
    await using test = await openTestWorld(kind);
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
    await test.world.db.update(batches).set({ status: 'sold' }).where(eq(batches.id, batchId));
    expect(await used(test)).toEqual([5.6, 0]);
    await placing.stop();
  });

  it('falls by what is sold again, and to nothing where a canceled batch is sold out', async () => {
    await using test = await openTestWorld(kind);
    const { placing } = await start(test);
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { orders } = await until(test, batchId, ended);
    await placing.stop();
    const [first] = orders;
    if (first === undefined) throw new Error('nothing was bought');
    const sold = { soldSize: sharesFromText('3.333333') };
    await test.world.db.update(batchOrders).set(sold).where(eq(batchOrders.id, first.id));
    expect(await used(test)).toEqual([8, 6.666667]);
    await test.world.db
      .update(batches)
      .set({ status: 'canceled', soldAt: test.world.clock.now() })
      .where(eq(batches.id, batchId));
    expect(await used(test)).toEqual([8, 0]);
  });

  it('begins anew at midnight UTC for the day, and goes on for what is held', async () => {
    await using test = await openTestWorld(kind);
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

  it('leaves out what was refused, and what is only simulated', async () => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    venue.onPost(() => ({ kind: 'refused', reason: 'not enough balance / allowance' }));
    const refused = await recordedBatch(test);
    placing.wake(refused);
    await until(test, refused, ended);
    await placing.stop();
    await recordedBatch(test, { ORDER_SIMULATION_ENABLED: true });
    expect(await used(test)).toEqual([0, 0]);
  });

  it('is not asked for while no limit depends on it', async () => {
    await using test = await openTestWorld(kind);
    await recordedBatch(test);
    const controls = scriptedControls();
    const state = () => limitState(test.world.db, { world: test.world, controls });
    expect(await state()).toMatchObject({ placedToday: 0, openExposure: 0 });
    controls.limits = { ...controls.limits, perDay: usdFromText('20') };
    expect(await state()).toMatchObject({ placedToday: usdFromText('8'), limits: { perDay: usdFromText('20') } });
  });
});
