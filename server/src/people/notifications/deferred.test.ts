import { asc } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { deferredInsert, recordDeferred, sweepDeferred } from './deferred.ts';
import { deferredNotifications, notifications } from './table.ts';

const placed = { type: 'order_placed', opportunityId: null, message: 'Bought', data: { size: 5 } } as const;
const triggered = { type: 'opportunity_triggered', opportunityId: null, message: 'It pays', data: {} } as const;

/** Both stored, and whatever was recorded of them by now. */
async function openDeferred() {
  const test = await openTestRuntime();
  const { runtime } = test;
  const batchId = runtime.random.uuid();
  const at = runtime.clock.now();
  await runtime.db.execute(deferredInsert(runtime, batchId, [placed, triggered]));
  const left = () => runtime.db.$count(deferredNotifications);
  const recorded = () => runtime.db.select().from(notifications).orderBy(asc(notifications.seq));
  return { ...test, batchId, at, left, recorded };
}

it('are recorded as they were stored, with the time of their cause', async () => {
  await using deferred = await openDeferred();
  const { runtime, time, batchId, at } = deferred;
  const published: (string | undefined)[] = [];
  runtime.pubsub.subscribe('notification_changed', (id) => published.push(id));
  expect(await deferred.recorded()).toEqual([]);
  await time.advance(5000);
  await recordDeferred(runtime, batchId);
  const recorded = await deferred.recorded();
  const row = { createdAt: at, updatedAt: at, status: 'pending', attempts: 0 };
  expect(recorded).toMatchObject([
    { ...row, notificationType: 'order_placed', message: 'Bought', data: { size: 5 } },
    { ...row, notificationType: 'opportunity_triggered', message: 'It pays', data: {} },
  ]);
  expect(await deferred.left()).toBe(0);
  await deferred.idle();
  expect(published).toEqual(recorded.map(({ id }) => id));
});

it('are recorded once, however many processes record them', async () => {
  await using deferred = await openDeferred();
  const { runtime, batchId } = deferred;
  await Promise.all([1, 2, 3, 4].map(() => recordDeferred(runtime, batchId)));
  await recordDeferred(runtime, batchId);
  expect(await deferred.recorded()).toHaveLength(2);
});

it('of a process that died are recorded by the next one as it starts', async () => {
  await using deferred = await openDeferred();
  const stop = await sweepDeferred(deferred.runtime);
  expect(await deferred.recorded()).toHaveLength(2);
  stop();
});

it('of a process that died are recorded by one that runs, within a second', async () => {
  await using deferred = await openDeferred();
  const { runtime, time, batchId } = deferred;
  await recordDeferred(runtime, batchId);
  const stop = await sweepDeferred(runtime);
  await runtime.db.execute(deferredInsert(runtime, runtime.random.uuid(), [triggered]));
  await time.advance(1000);
  expect(await deferred.recorded()).toHaveLength(3);
  stop();
});

it('that cannot be recorded stay stored, and are recorded later', async () => {
  await using deferred = await openDeferred();
  const { runtime, batchId } = deferred;
  const publishing = (): never => {
    throw new Error('the database went away');
  };
  await recordDeferred({ ...runtime, pubsub: { ...runtime.pubsub, publishing } }, batchId);
  expect([await deferred.left(), (await deferred.recorded()).length]).toEqual([1, 0]);
  await recordDeferred(runtime, batchId);
  expect([await deferred.left(), (await deferred.recorded()).length]).toEqual([0, 2]);
});
