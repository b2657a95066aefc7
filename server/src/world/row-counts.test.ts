import { eq, inArray, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { insertItem, listItems } from '../items/store.ts';
import { listNotifications } from '../notifications/store.ts';
import { notifications } from '../notifications/table.ts';
import { insertUser } from '../users/store.ts';
import { users } from './schema.ts';
import { openTestWorld, testDatabases } from './test-world.ts';
import type { Db, World } from './world.ts';

const PAGE = { skip: 0, limit: 1000, sortBy: 'created_at', sortOrder: 'desc' } as const;
const FILTERS = [
  {},
  { status: 'sent' },
  { status: 'failed' },
  { notificationType: 'batch_completed' },
  { status: 'pending', notificationType: 'opportunity_triggered' },
] as const;

async function add({ dice, clock }: World, db: Db, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: dice.uuid(),
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

async function addUser(world: World, email: string): Promise<string> {
  const fields = { email, fullName: null, passwordHash: 'none', isSuperuser: false, isActive: true };
  return (await insertUser(world.db, world, fields)).id;
}

async function expectEveryCountToHold(db: Db): Promise<void> {
  for (const filter of FILTERS) {
    const { rows, count } = await listNotifications(db, filter, PAGE);
    expect(count, JSON.stringify(filter)).toBe(rows.length);
  }
}

describe.each(testDatabases)('the count beside a list, on %s', (kind) => {
  it('is that of the rows, whatever is added, changed and deleted, also in one statement', async () => {
    await using test = await openTestWorld(kind);
    const { world } = test;
    await expectEveryCountToHold(world.db);
    const ids = await add(world, world.db, 9);
    await expectEveryCountToHold(world.db);
    await world.db
      .update(notifications)
      .set({ status: 'sent' })
      .where(inArray(notifications.id, ids.slice(0, 4)));
    await world.db
      .update(notifications)
      .set({ status: 'failed', attempts: 5 })
      .where(inArray(notifications.id, ids.slice(4, 6)));
    await expectEveryCountToHold(world.db);
    await world.db.delete(notifications).where(inArray(notifications.id, ids.slice(3, 8)));
    await expectEveryCountToHold(world.db);
    await world.db.execute(sql`truncate notifications cascade`);
    await expectEveryCountToHold(world.db);
  });

  it('knows nothing of a transaction that was rolled back', async () => {
    await using test = await openTestWorld(kind);
    const { world } = test;
    await add(world, world.db, 2);
    await expect(
      world.db.transaction(async (tx) => {
        await add(world, tx, 5);
        await tx.delete(notifications).where(eq(notifications.status, 'pending'));
        throw new Error('not after all');
      }),
    ).rejects.toThrow('not after all');
    await expectEveryCountToHold(world.db);
  });

  it('holds when several transactions change the same list at once, none of which waits for another', async () => {
    await using test = await openTestWorld(kind);
    const { world } = test;
    await Promise.all([1, 2, 3, 4].map((count) => world.db.transaction((tx) => add(world, tx, count))));
    const all = await listNotifications(world.db, {}, PAGE);
    await Promise.all(
      all.rows.map(({ id }) =>
        world.db.transaction((tx) => tx.update(notifications).set({ status: 'sent' }).where(eq(notifications.id, id))),
      ),
    );
    await expectEveryCountToHold(world.db);
  });

  it('is that of all items for a superuser, also when an owner goes and takes them along', async () => {
    await using test = await openTestWorld(kind);
    const { world } = test;
    const superuser = { id: world.dice.uuid(), isSuperuser: true };
    const owners = await Promise.all(['one', 'other'].map((name) => addUser(world, `${name}@example.com`)));
    for (const owner of [...owners, ...owners]) {
      await insertItem(world.db, world, owner, { title: 'Kept', description: null });
    }
    const counted = async () => (await listItems(world.db, superuser, { skip: 0, limit: 1 })).count;
    expect(await counted()).toBe(4);
    await world.db.delete(users).where(eq(users.id, owners[0] ?? ''));
    expect(await counted()).toBe(2);
    await world.db.execute(sql`truncate items`);
    expect(await counted()).toBe(0);
  });
});
