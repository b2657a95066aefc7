import { percentFromNumber, percentToNumber } from '@dutchbook/units/percent.ts';
import { asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { insertUser } from '../../people/users/store.ts';
import { users } from '../../people/users/table.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { addAlert } from '../opportunities/alerts/store.ts';
import { opportunityAlerts } from '../opportunities/alerts/table.ts';
import type { Desk } from './live-prices.fixture.ts';
import { openDeskAt, price, writesDone } from './trigger.fixture.ts';

const ADA = { email: 'ada@example.com', fullName: null, isSuperuser: false, isViewer: true, isActive: true };

/** A viewer waits for the profit of an opportunity whose set costs `ask` now and pays a dollar. */
async function openWaiting(ask: string, at: number, { byMail = false } = {}) {
  const { desk, id } = await openDeskAt(ask);
  const { db } = desk.test.runtime;
  const { id: userId } = await insertUser(db, desk.test.runtime, { ...ADA, passwordHash: '' });
  const asked = { userId, opportunityId: id, atPercentage: percentFromNumber(at), byMail };
  const add = () => db.transaction((tx) => addAlert(tx, desk.test.runtime, asked));
  return { desk, id, userId, add };
}

async function told({ test }: Desk): Promise<string[]> {
  const rows = await test.runtime.db
    .select()
    .from(notifications)
    .where(eq(notifications.notificationType, 'opportunity_alert'))
    .orderBy(asc(notifications.seq));
  return rows.map(({ data }) => `${data.for} ${data.at_percentage} ${data.profit_percentage}`);
}

const armed = async ({ test }: Desk) =>
  (await test.runtime.db.select().from(opportunityAlerts)).map((row) => row.armed);

describe('an alert', () => {
  it('is told once each time its profit is reached, and armed again below', async () => {
    const { desk, add } = await openWaiting('0.96', 9.95);
    await using _ = desk;
    await add();
    await desk.start();
    await writesDone(desk);
    expect(await told(desk)).toEqual([]);
    for (const ask of ['0.90', '0.91', '0.90']) {
      price(desk, ask);
      await writesDone(desk);
    }
    const first = `ada@example.com 9.95 ${percentToNumber(percentFromNumber(11.111111))}`;
    expect(await told(desk)).toEqual([first]);
    expect(await armed(desk)).toEqual([false]);
    price(desk, '0.96');
    await writesDone(desk);
    expect(await armed(desk)).toEqual([true]);
    price(desk, '0.90');
    await writesDone(desk);
    expect(await told(desk)).toEqual([first, first]);
  });

  it('that is added while the profit is reached is told at once, although no book moves', async () => {
    const { desk, add } = await openWaiting('0.90', 10);
    await using _ = desk;
    await desk.start();
    await writesDone(desk);
    await add();
    await desk.test.time.advance(11_000);
    expect(await told(desk)).toHaveLength(1);
  });

  it('is told once by two processes that follow the opportunity, and by one that starts again', async () => {
    const { desk, add } = await openWaiting('0.96', 10);
    await using _ = desk;
    await add();
    const first = await desk.start();
    await desk.start();
    price(desk, '0.90');
    await writesDone(desk);
    await first.stop();
    await desk.start();
    await desk.test.time.advance(11_000);
    expect(await told(desk)).toHaveLength(1);
    expect(await armed(desk)).toEqual([false]);
  });

  it('is not told by a process that does not have the opportunity, nor to an account that is inactive', async () => {
    const { desk, add, userId } = await openWaiting('0.90', 10);
    await using _ = desk;
    await add();
    const foreign = await desk.start(desk.test.runtime, {
      ...onlyEngine().partitions,
      owns: () => false,
      held: () => [],
    });
    await desk.test.time.advance(11_000);
    expect(await armed(desk)).toEqual([true]);
    await foreign.stop();
    await desk.test.runtime.db.update(users).set({ isActive: false }).where(eq(users.id, userId));
    await desk.start();
    await desk.test.time.advance(11_000);
    expect(await told(desk)).toEqual([]);
  });

  it('that was deleted is not told', async () => {
    const { desk, add } = await openWaiting('0.96', 10);
    await using _ = desk;
    await add();
    await desk.start();
    await desk.test.runtime.db.delete(opportunityAlerts);
    await desk.test.time.advance(11_000);
    price(desk, '0.90');
    await writesDone(desk);
    expect(await told(desk)).toEqual([]);
  });

  it('is mailed to its owner where that was asked for', async () => {
    const { desk, add } = await openWaiting('0.90', 10, { byMail: true });
    await using _ = desk;
    await add();
    await desk.start();
    await desk.test.time.advance(11_000);
    const [row] = await desk.test.runtime.db.select().from(opportunityAlerts);
    const [notification] = await desk.test.runtime.db
      .select()
      .from(notifications)
      .where(eq(notifications.notificationType, 'opportunity_alert'));
    expect(row?.mailDue).toBe(notification?.id);
  });
});
