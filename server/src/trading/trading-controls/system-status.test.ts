import { expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { recordedBatch } from '../execution/runner/runner.fixture.ts';
import { attempts, batchOrders } from '../orders/table.ts';
import { countUnknownOrders } from './system-status.ts';

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
