import type { Instant } from '@dutchbook/units/instant.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../../people/notifications/table.ts';
import { batches } from '../../orders/table.ts';
import { halfBought } from './half-bought.fixture.ts';
import { pass } from './runner.fixture.ts';

describe('shares without the rest of their set', () => {
  it('are notified once, after ten seconds', async () => {
    await using half = await halfBought();
    const { test } = half;
    const reported = () =>
      test.runtime.db.select().from(notifications).where(eq(notifications.notificationType, 'leg_risk'));
    await pass(test, 8000);
    expect(await reported()).toEqual([]);
    await pass(test, 5000);
    const [risk, ...others] = await reported();
    expect(others).toEqual([]);
    expect(risk).toMatchObject({ notificationType: 'leg_risk', status: 'pending' });
    expect(risk?.message).toBe(
      'Mayor of Meridian · Yes on both: a batch is unhedged: it holds 6 Yes of "Market 101" without the rest of the set. At worst $2.40 is lost.',
    );
    expect(risk?.data).toMatchObject({ batch_id: half.batchId, worst_loss_usd: 2.4 });
    await pass(test, 30_000);
    expect(await reported()).toHaveLength(1);
  });

  it('are notified as simulated where they are', async () => {
    await using half = await halfBought();
    const { test, batchId } = half;
    await test.runtime.db.update(batches).set({ simulated: true }).where(eq(batches.id, batchId));
    await pass(test, 13_000);
    const reported = await test.runtime.db
      .select()
      .from(notifications)
      .where(eq(notifications.notificationType, 'leg_risk'));
    expect(reported).toMatchObject([{ message: expect.stringMatching(/^Simulated: /), data: { simulated: true } }]);
  });

  it('say since when', async () => {
    await using half = await halfBought();
    const since = (await half.snapshot())?.batch.unhedgedSince;
    expect(since).toBeLessThanOrEqual(half.test.runtime.clock.now());
    await pass(half.test, 3000);
    expect((await half.snapshot())?.batch.unhedgedSince).toBe(since as Instant);
  });
});
