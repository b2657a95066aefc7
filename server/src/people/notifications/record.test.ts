import { expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { notificationWrites, recordNotification } from './record.ts';
import { notifications } from './table.ts';

it('is read by people: settings stand in it by their plain names, wherever it was written', async () => {
  await using test = await openTestRuntime();
  const { runtime } = test;
  const message = 'No order is placed: Even the smallest order takes more than CLIP_USD allows.';
  const notification = { type: 'opportunity_triggered', opportunityId: null, message, data: {} } as const;
  const said = 'No order is placed: Even the smallest order takes more than “Most dollars of a clip” allows.';
  const recorded = await runtime.db.transaction((tx) => recordNotification(tx, runtime, notification));
  expect(recorded.message).toBe(said);
  const { writes } = notificationWrites(runtime, [notification]);
  for (const write of writes) await runtime.db.execute(write.getSQL());
  const stored = await runtime.db.select({ message: notifications.message }).from(notifications);
  expect(stored).toEqual([{ message: said }, { message: said }]);
});
