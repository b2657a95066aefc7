import type { MarketId } from '@dutchbook/units/ids.ts';
import { PRICE_ONE } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { recordNotification } from '../../people/notifications/record.ts';
import { notifications } from '../../people/notifications/table.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { recordedBatch } from '../execution/runner/runner.fixture.ts';
import { stopCategory } from '../fee-stops/store.ts';
import { attempts, batches, batchOrders } from '../orders/table.ts';
import { countUnknownOrders, NOTHING_WAITS, readStatusCounts } from './system-status.ts';

const SHARES_10 = sharesFromNumber(10);

it('an order that has just been sent is not unknown, and one without a report for a second is', async () => {
  await using test = await openTestRuntime();
  const { db, clock, random } = test.runtime;
  const batchId = await recordedBatch(test);
  const [order] = await db.select().from(batchOrders);
  if (order === undefined) throw new Error('the batch has no orders');
  const { id: orderId, size, price } = order;
  const sentAt = clock.now();
  const sent = { orderId, batchId, size, price, status: 'sent', sentAt, createdAt: sentAt, updatedAt: sentAt } as const;
  await db.insert(attempts).values({ ...sent, id: random.uuid(), orderHash: '0xabc', salt: '1', payload: 'signed' });
  expect(await countUnknownOrders(test.runtime)).toBe(0);
  await test.time.advance(1_001);
  expect(await countUnknownOrders(test.runtime)).toBe(1);
  await db.update(attempts).set({ status: 'open' });
  expect(await countUnknownOrders(test.runtime)).toBe(0);
  await db.update(attempts).set({ status: 'unknown', sentAt: clock.now() });
  expect(await countUnknownOrders(test.runtime)).toBe(1);
});

it('counts what waits for a person besides: batches that are not whole, fees that are not trusted, what was not sent, what can be redeemed', async () => {
  await using test = await openTestRuntime();
  const { runtime } = test;
  const { db } = runtime;
  const waiting = async () => (await readStatusCounts(runtime)).waiting;
  const batchId = await recordedBatch(test);
  expect(await waiting()).toEqual(NOTHING_WAITS);
  const unhedged = { positions: [], worstLoss: 1, unwindCost: null } as unknown as typeof batches.$inferInsert.unhedged;
  await db.update(batches).set({ unhedged });
  await db.delete(notifications);
  await recordNotification(db, runtime, { type: 'test', opportunityId: null, message: 'One', data: {} });
  await db.update(notifications).set({ status: 'failed' });
  const marketId = 'm1' as MarketId;
  await stopCategory(db, runtime, {
    category: 'crypto',
    cause: 'c',
    marketId,
    marketName: 'Will it?',
    message: 'It differs.',
  });
  await db
    .update(batchOrders)
    .set({ filledSize: SHARES_10, resolvedValue: PRICE_ONE })
    .where(eq(batchOrders.batchId, batchId));
  expect(await waiting()).toEqual({ unhedged_batches: 1, failed_notifications: 1, fee_stops: 1, redeemable: true });
});
