import { eq, inArray, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { listNotifications } from './store.ts';
import { notifications } from './table.ts';

const PAGE = { skip: 0, limit: 1000, sortBy: 'created_at', sortOrder: 'desc' } as const;
const FILTERS = [
  {},
  { status: 'sent' },
  { status: 'failed' },
  { notificationTypes: ['batch_completed'] },
  { notificationTypes: ['batch_completed', 'opportunity_triggered'] },
  { notificationTypes: [] },
  { status: 'pending', notificationTypes: ['opportunity_triggered'] },
] as const;

async function add({ random, clock }: Runtime, db: Db, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: random.uuid(),
    notificationType: index % 3 === 0 ? ('batch_completed' as const) : ('opportunity_triggered' as const),
    message: 'Told',
    status: 'pending' as const,
    createdAt: clock.now(),
    updatedAt: clock.now(),
    data: {},
  }));
  await db.insert(notifications).values(rows);
  return rows.map(({ id }) => id);
}

async function expectEveryCountToHold(db: Db): Promise<void> {
  for (const filter of FILTERS) {
    const { rows, count } = await listNotifications(db, filter, PAGE);
    expect(count, JSON.stringify(filter)).toBe(rows.length);
  }
}

describe('the count of notifications', () => {
  it('is that of the rows, whatever is added, changed and deleted, also in one statement', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    await expectEveryCountToHold(runtime.db);
    const ids = await add(runtime, runtime.db, 9);
    await expectEveryCountToHold(runtime.db);
    await runtime.db
      .update(notifications)
      .set({ status: 'sent' })
      .where(inArray(notifications.id, ids.slice(0, 4)));
    await runtime.db
      .update(notifications)
      .set({ status: 'failed', attempts: 5 })
      .where(inArray(notifications.id, ids.slice(4, 6)));
    await expectEveryCountToHold(runtime.db);
    await runtime.db.delete(notifications).where(inArray(notifications.id, ids.slice(3, 8)));
    await expectEveryCountToHold(runtime.db);
    await runtime.db.execute(sql`truncate notifications cascade`);
    await expectEveryCountToHold(runtime.db);
  });

  it('knows nothing of a transaction that was rolled back', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    await add(runtime, runtime.db, 2);
    await expect(
      runtime.db.transaction(async (tx) => {
        await add(runtime, tx, 5);
        await tx.delete(notifications).where(eq(notifications.status, 'pending'));
        throw new Error('not after all');
      }),
    ).rejects.toThrow('not after all');
    await expectEveryCountToHold(runtime.db);
  });

  it('holds when several transactions change the same list at once, none of which waits for another', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    await Promise.all([1, 2, 3, 4].map((count) => runtime.db.transaction((tx) => add(runtime, tx, count))));
    const all = await listNotifications(runtime.db, {}, PAGE);
    await Promise.all(
      all.rows.map(({ id }) =>
        runtime.db.transaction((tx) =>
          tx.update(notifications).set({ status: 'sent' }).where(eq(notifications.id, id)),
        ),
      ),
    );
    await expectEveryCountToHold(runtime.db);
  });
});
