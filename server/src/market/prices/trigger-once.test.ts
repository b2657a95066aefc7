import { and, asc, eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { openPostgres } from '../../platform/database/database.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { pricePoints } from '../opportunities/history/table.ts';
import { opportunities } from '../opportunities/table.ts';
import type { Desk } from './live-prices.fixture.ts';
import { CHEAP, DEAR, openDeskAt, price, writesDone } from './trigger.fixture.ts';

function notified({ test }: Desk) {
  return test.runtime.db.select().from(notifications).orderBy(asc(notifications.createdAt), asc(notifications.id));
}

/** What stands of the edges: how often it was placed, notified and remembered. */
async function edges(desk: Desk) {
  const rises = and(eq(pricePoints.isEdge, true), eq(pricePoints.triggered, true));
  const remembered = await desk.test.runtime.db.$count(pricePoints, rises);
  return { placed: desk.placed.length, notified: (await notified(desk)).length, remembered };
}

const times = (count: number) => ({ placed: count, notified: count, remembered: count });

/** Another process's runtime: the same database through connections of its own. */
async function anotherRuntime({ test }: Desk): Promise<Runtime & AsyncDisposable> {
  const url = test.runtime.queueOptions.connectionString;
  if (url === undefined) throw new Error('only a PostgreSQL server takes several processes');
  const { db, priorityDb, pubsub, queueOptions, close } = await openPostgres(url, test.time.timers, test.runtime.log);
  return { ...test.runtime, db, priorityDb, pubsub, queueOptions, [Symbol.asyncDispose]: close };
}

describe('a rising edge', () => {
  it('is notified once, with its prices and its batch, and again only after a fall', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    await desk.start();
    for (const ask of [CHEAP, '0.89', '0.88']) price(desk, ask);
    await expect.poll(() => edges(desk)).toEqual(times(1));
    expect(await notified(desk)).toMatchObject([
      {
        opportunityId: id,
        notificationType: 'opportunity_triggered',
        message:
          'Will rain happen? · Yes: the profit has come up to 11.11%. Now a set costs 0.9000 and pays 1.0000, which leaves $0.1000 after fees. Orders for 1.00 sets are being placed',
        status: 'pending',
        attempts: 0,
        sentAt: null,
        data: {
          profit_percentage: 11.111111,
          current_price: 0.9,
          target_price: 1,
          fees_per_set: 0,
          batch_id: `batch of ${id}`,
        },
      },
    ]);
    await writesDone(desk);
    price(desk, DEAR);
    await desk.untilStored(id, { triggered: false });
    price(desk, CHEAP);
    await expect.poll(() => edges(desk)).toEqual(times(2));
  });

  it('is notified where nothing is placed, and stays so when the opportunity is deleted', async () => {
    const { desk, id } = await openDeskAt(CHEAP);
    await using _ = desk;
    desk.settings.change({ AUTO_PLACE_ORDER_ENABLED: false });
    await desk.start();
    await desk.untilStored(id, { triggered: true });
    await desk.test.runtime.db.delete(opportunities);
    expect(await notified(desk)).toMatchObject([
      {
        opportunityId: id,
        message: expect.stringMatching(/pays 1\.0000, which leaves \$0\.1000 after fees$/),
        data: { batch_id: null },
      },
    ]);
    expect(desk.placed).toEqual([]);
  });

  it('is left to the next process by one that is killed between seeing and recording it', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    const killed = await desk.start();
    // Its transaction is never committed, and it does nothing more.
    const died = vi.fn(() => Promise.reject(new Error('killed')));
    desk.beforePlacing = died;
    price(desk, CHEAP);
    await expect.poll(() => died).toHaveBeenCalled();
    await killed.stop();
    expect(await edges(desk)).toEqual(times(0));
    expect(await desk.stored(id)).toMatchObject({ triggered: false });
    desk.beforePlacing = async () => {};
    const next = await desk.start();
    await expect.poll(() => edges(desk)).toEqual(times(1));
    await next.stop();
    await desk.start();
    await writesDone(desk);
    expect(await edges(desk)).toEqual(times(1));
  });
});

describe('several processes on one PostgreSQL', () => {
  it('act once, notify once and remember once what they all see', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    await using second = await anotherRuntime(desk);
    await using third = await anotherRuntime(desk);
    const processes = [await desk.start(), await desk.start(second), await desk.start(third)];
    for (let round = 1; round <= 4; round += 1) {
      price(desk, CHEAP);
      await expect.poll(() => edges(desk)).toEqual(times(round));
      await writesDone(desk);
      price(desk, DEAR);
      await desk.untilStored(id, { triggered: false });
      await writesDone(desk);
    }
    expect(await edges(desk)).toEqual(times(4));
    for (const { stop } of processes) await stop();
  });
});
