import { setTimeout as pause } from 'node:timers/promises';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { asc } from 'drizzle-orm';
import type { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { ALL_PARTITIONS } from '../../platform/engines/division.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { checkOpportunities } from '../opportunities/check.ts';
import type { Desk } from './live-prices.fixture.ts';
import { CHEAP, DEAR, openDeskAt, price, writesDone } from './trigger.fixture.ts';

const BUSY = 'The opportunity has an active batch already.';
const GONE = 'The profit has fallen below the trigger again.';

async function messages({ test }: Desk): Promise<string[]> {
  const rows = await test.runtime.db.select().from(notifications).orderBy(asc(notifications.seq));
  return rows.map(({ message }) => message.replace(/^.* after fees/, ''));
}

/** No time passes, so that nothing is written but the rise itself. */
function untilNotified(desk: Desk, count: number): Promise<void> {
  return expect.poll(() => messages(desk)).toHaveLength(count);
}

/** Has the set trigger, and holds its placing up. @returns what lets it go on */
async function heldUp(desk: Desk): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const begun = Promise.withResolvers<void>();
  desk.beforePlacing = () => {
    begun.resolve();
    return promise;
  };
  price(desk, CHEAP);
  await begun.promise;
  return () => resolve(undefined);
}

describe('rises that follow each other within a second', () => {
  it('are notified and judged one by one, though no fall between them was written', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    const running = await desk.start();
    for (let round = 1; round <= 4; round += 1) {
      if (round === 3) desk.beforePlacing = async () => [BUSY];
      price(desk, CHEAP);
      await untilNotified(desk, round);
      await desk.test.idle();
      price(desk, DEAR);
    }
    expect(desk.placed).toEqual([id, id]);
    const placed = '. Orders for 1.00 sets are being placed';
    const refused = `. No order is placed: ${BUSY}`;
    expect(await messages(desk)).toEqual([placed, placed, refused, refused]);
    await desk.untilStored(id, { triggered: false, rises: 4 });
    price(desk, CHEAP);
    await untilNotified(desk, 5);
    await desk.untilStored(id, { refusal: BUSY, triggered: true, rises: 5 });
    const notified = desk.published.filter(({ type }) => type === 'opportunity').at(-1);
    expect(notified?.data).toMatchObject({ triggered: true, blocked: BUSY });
    await running.stop();
    await desk.start();
    await writesDone(desk);
    expect(await messages(desk)).toHaveLength(5);
  });

  it('are all notified while one is still being recorded; what has fallen again by then is not bought', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    await desk.start();
    const resolve = await heldUp(desk);
    for (const ask of [DEAR, CHEAP, DEAR, CHEAP]) price(desk, ask);
    resolve();
    await untilNotified(desk, 3);
    await desk.untilStored(id, { triggered: true, rises: 3 });
    expect(desk.placed).toEqual([id, id]);
    expect((await messages(desk))[1]).toBe(`. No order is placed: ${GONE}`);
    price(desk, DEAR);
    await desk.untilStored(id, { triggered: false, rises: 3 });
  });

  it('are not bought where they have fallen while another hit had its turn', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    desk.venue.list('snow');
    const showSnow = (ask: string) => desk.venue.setBooks({ 'snow:yes': { asks: [[ask, '500']] } });
    showSnow(DEAR);
    const other = await desk.add(['snow Yes']);
    const { live } = await desk.start();
    const priceSeen = async (seen: number) =>
      await expect.poll(() => live.rowsNow([other])[0]?.currentPrice).toBe(setPriceFromNumber(seen));
    const resolve = await heldUp(desk);
    showSnow(CHEAP);
    await priceSeen(0.9);
    showSnow(DEAR);
    await priceSeen(1);
    resolve();
    await untilNotified(desk, 2);
    await desk.untilStored(other.id, { triggered: false, rises: 1 });
    expect(desk.placed).toEqual([id]);
    expect((await messages(desk)).toSorted()[0]).toBe(`. No order is placed: ${GONE}`);
  });

  it('are kept while the database takes none, and a fall that is seen meanwhile stands after them', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    const { runtime } = desk.test;
    let isAway = true;
    const pool: Pool = Reflect.get(runtime.priorityDb, '$client');
    const connect = () => (isAway ? Promise.reject(new Error('the database is away')) : pool.connect());
    const priorityDb = new Proxy(runtime.priorityDb, {
      get: (target, name) => (name === '$client' ? { connect } : Reflect.get(target, name)),
    });
    await desk.start({ ...runtime, priorityDb });
    for (const ask of [CHEAP, DEAR, CHEAP, DEAR]) {
      price(desk, ask);
      await writesDone(desk);
    }
    expect(await messages(desk)).toEqual([]);
    isAway = false;
    await desk.test.time.advance(10_000);
    await expect.poll(() => messages(desk)).toHaveLength(2);
    expect(await messages(desk)).toEqual(Array(2).fill(`. No order is placed: ${GONE}`));
    expect(desk.placed).toEqual([]);
    await desk.untilStored(id, { triggered: false, rises: 2 });
  });

  it('are not forgotten where the partition comes back while one is being recorded', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const gained = Promise.withResolvers<(partitions: readonly number[]) => void>();
    const { partitions } = onlyEngine();
    const onChange = (react: (partitions: readonly number[]) => void) => {
      gained.resolve(react);
      return () => {};
    };
    await desk.start(desk.test.runtime, { ...partitions, held: () => ALL_PARTITIONS, onChange });
    desk.beforePlacing = () => promise;
    price(desk, CHEAP);
    price(desk, DEAR);
    (await gained.promise)(ALL_PARTITIONS);
    // Longer than reading them takes; the transaction of the rise is still open.
    await pause(300);
    resolve(undefined);
    await desk.untilStored(id, { triggered: false, rises: 1, currentPrice: setPriceFromNumber(1) });
  });

  it('count once, seen by the live loop, by a check or by another process', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    const { live, quotes } = await desk.start();
    await desk.start();
    for (let round = 1; round <= 4; round += 1) {
      price(desk, CHEAP);
      const row = await desk.stored(id);
      await Promise.all([1, 2].map(() => checkOpportunities({ quotes, live }, [row], true)));
      await untilNotified(desk, round);
      await writesDone(desk);
      expect(await messages(desk)).toHaveLength(round);
      price(desk, DEAR);
      await writesDone(desk);
    }
    expect(desk.placed).toEqual(Array(4).fill(id));
  });
});
