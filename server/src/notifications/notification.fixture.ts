import { eq } from 'drizzle-orm';
import type { TestApp } from '../http/app.fixture.ts';
import { recordNotification } from './record.ts';
import type { NotificationRow } from './store.ts';
import { notifications } from './table.ts';

/** Records one a minute after the last, with whatever sending it has made of it; answers its id. */
export async function record(
  { test }: Pick<TestApp, 'test'>,
  message: string,
  fields: Partial<Omit<NotificationRow, 'id' | 'message'>> = {},
): Promise<string> {
  const { world, time } = test;
  await time.advance(60_000);
  const news = { type: 'opportunity_triggered', opportunityId: null, message, data: { profit: 1.25 } } as const;
  await world.db.transaction((tx) => recordNotification(tx, world, news));
  const written = eq(notifications.message, message);
  if (Object.keys(fields).length > 0) await world.db.update(notifications).set(fields).where(written);
  const [row] = await world.db.select({ id: notifications.id }).from(notifications).where(written);
  if (!row) throw new Error(`${message} was not recorded`);
  return row.id;
}
