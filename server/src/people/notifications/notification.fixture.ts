import { eq } from 'drizzle-orm';
import type { TestApp } from '../../platform/http/app.fixture.ts';
import { recordNotification } from './record.ts';
import { notifications } from './table.ts';

/** Records one a minute after the last, with whatever sending it has made of it; answers its id. */
export async function record(
  { test }: Pick<TestApp, 'test'>,
  message: string,
  fields: Partial<Omit<typeof notifications.$inferInsert, 'id' | 'message'>> = {},
): Promise<string> {
  const { runtime, time } = test;
  await time.advance(60_000);
  const notification = { type: 'opportunity_triggered', opportunityId: null, message, data: { profit: 1.25 } } as const;
  const { id } = await runtime.db.transaction((tx) => recordNotification(tx, runtime, notification));
  if (Object.keys(fields).length > 0)
    await runtime.db.update(notifications).set(fields).where(eq(notifications.id, id));
  return id;
}
