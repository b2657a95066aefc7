import { and, asc, eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { pricePoints } from '../../history/table.ts';
import { notifications } from '../../notifications/table.ts';
import { openPostgres } from '../../world/database.ts';
import { opportunities } from '../../world/schema.ts';
import { testDatabases } from '../../world/test-world.ts';
import type { World } from '../../world/world.ts';
import type { Desk } from './live-prices.fixture.ts';
import { CHEAP, DEAR, openDeskAt, price, settled } from './trigger.fixture.ts';

function told({ test }: Desk) {
  return test.world.db.select().from(notifications).orderBy(asc(notifications.createdAt), asc(notifications.id));
}

/** What stands of the edges: how often it was placed, told and remembered. */
async function edges(desk: Desk) {
  const rises = and(eq(pricePoints.isEdge, true), eq(pricePoints.triggered, true));
  const remembered = await desk.test.world.db.$count(pricePoints, rises);
  return { placed: desk.placed.length, told: (await told(desk)).length, remembered };
}

const times = (count: number) => ({ placed: count, told: count, remembered: count });

/** Another process's world: the same database through connections of its own. */
async function anotherWorld({ test }: Desk): Promise<World & AsyncDisposable> {
  const url = test.world.queueOptions.connectionString;
  if (url === undefined) throw new Error('only a PostgreSQL server takes several processes');
  const { db, urgentDb, patientDb, notices, queueOptions, close } = await openPostgres(
    url,
    test.time.timers,
    test.world.log,
  );
  return { ...test.world, db, urgentDb, patientDb, notices, queueOptions, [Symbol.asyncDispose]: close };
}

describe.each(testDatabases)('a rising edge on %s', (kind) => {
  it('is told once, with its prices and its batch, and again only after a fall', async () => {
    const { desk, id } = await openDeskAt(kind, DEAR);
    await using _ = desk;
    await desk.start();
    for (const ask of [CHEAP, '0.89', '0.88']) price(desk, ask);
    await vi.waitFor(async () => expect(await edges(desk)).toEqual(times(1)), 60_000);
    expect(await told(desk)).toMatchObject([
      {
        opportunityId: id,
        notificationType: 'opportunity_triggered',
        message: 'The profit has come up to 11.11%: a set costs 0.9000 and pays 1.0000. Orders are being placed',
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
    await settled(desk);
    price(desk, DEAR);
    await desk.untilStored(id, { triggered: false });
    price(desk, CHEAP);
    await vi.waitFor(async () => expect(await edges(desk)).toEqual(times(2)), 60_000);
  });

  it('is told where nothing is placed, and stays told when the opportunity is deleted', async () => {
    const { desk, id } = await openDeskAt(kind, CHEAP);
    await using _ = desk;
    desk.settings.change({ AUTO_PLACE_ORDER_ENABLED: false });
    await desk.start();
    await desk.untilStored(id, { triggered: true });
    await desk.test.world.db.delete(opportunities);
    expect(await told(desk)).toMatchObject([
      { opportunityId: id, message: expect.stringMatching(/pays 1\.0000$/), data: { batch_id: null } },
    ]);
    expect(desk.placed).toEqual([]);
  });

  it('is left to the next process by one that is killed between seeing and recording it', async () => {
    const { desk, id } = await openDeskAt(kind, DEAR);
    await using _ = desk;
    const killed = await desk.start();
    // Its transaction is never committed, and it does nothing more.
    const died = vi.fn(() => Promise.reject(new Error('killed')));
    desk.beforePlacing = died;
    price(desk, CHEAP);
    await vi.waitFor(() => expect(died).toHaveBeenCalled(), 60_000);
    await killed.stop();
    expect(await edges(desk)).toEqual(times(0));
    expect(await desk.stored(id)).toMatchObject({ triggered: false });
    desk.beforePlacing = async () => {};
    const next = await desk.start();
    await vi.waitFor(async () => expect(await edges(desk)).toEqual(times(1)), 60_000);
    await next.stop();
    await desk.start();
    await settled(desk);
    expect(await edges(desk)).toEqual(times(1));
  });
});

describe.runIf(testDatabases.includes('postgres'))('several processes on one PostgreSQL', () => {
  it('act once, tell once and remember once what they all see', async () => {
    const { desk, id } = await openDeskAt('postgres', DEAR);
    await using _ = desk;
    await using second = await anotherWorld(desk);
    await using third = await anotherWorld(desk);
    const processes = [await desk.start(), await desk.start(second), await desk.start(third)];
    for (let round = 1; round <= 4; round += 1) {
      price(desk, CHEAP);
      await vi.waitFor(async () => expect(await edges(desk)).toEqual(times(round)), 60_000);
      await settled(desk);
      price(desk, DEAR);
      await desk.untilStored(id, { triggered: false });
      await settled(desk);
    }
    expect(await edges(desk)).toEqual(times(4));
    for (const { stop } of processes) await stop();
  });
});
