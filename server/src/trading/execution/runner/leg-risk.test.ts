import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { notifications } from '../../../people/notifications/table.ts';
import { batchOrders } from '../../orders/table.ts';
import { halfBought } from './half-bought.fixture.ts';
import { pass } from './runner.fixture.ts';

it('shares that wait for the rest of a conversion of their set are notified only where it takes long', async () => {
  await using half = await halfBought();
  const { test, batchId } = half;
  const { db, random, clock } = test.runtime;
  const reported = () => db.$count(notifications, eq(notifications.notificationType, 'leg_risk'));
  const [buy] = await db.select().from(batchOrders).where(eq(batchOrders.batchId, batchId));
  if (buy === undefined) throw new Error('the batch has orders');
  const [id, chainStepId, saleId] = [random.uuid(), random.uuid(), random.uuid()];
  const converted = { ...buy, id, side: 'sell', status: 'pending', sellsOrderId: buy.id, filledSize: 0 } as typeof buy;
  await db.insert(batchOrders).values({ ...converted, chainStepId, saleId, ordinal: 90, createdAt: clock.now() });
  await pass(test, 30_000);
  expect(await reported()).toBe(0);
  await db.update(batchOrders).set({ status: 'canceled' }).where(eq(batchOrders.id, id));
  await pass(test, 15_000);
  expect(await reported()).toBe(1);
});
