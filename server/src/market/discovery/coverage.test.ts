import { asc, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../platform/runtime/runtime.ts';
import { cupOf, openDiscoveryDesk } from './discovery.fixture.ts';
import { keepEvents } from './keep-events.ts';
import { followRelations } from './relation-changes.ts';
import { readPass } from './sync.ts';
import { catalogueEvents } from './table.ts';

/** The version of each row: another one wherever a row was written again, with the same values or not. */
async function versions(db: Db): Promise<unknown> {
  const read = await db.execute(sql`
    select 'event' as kind, id, xmin::text from catalogue_events
    union all select 'market', id, xmin::text from catalogue_markets
    union all select 'relation', id::text, xmin::text from relations order by 1, 2`);
  return (read as { rows: unknown[] }).rows;
}

const EVENTS = ['one', 'two', 'three', 'four'].map((id) => cupOf([`${id}a`, `${id}b`], { id, slug: id, title: id }));

describe('a whole venue', () => {
  it('is not written again where nothing has changed, and where one event has, that one alone', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db } = desk.runtime;
    desk.desk.events = [...EVENTS];
    const discovery = await desk.start();
    await desk.pass(3);
    const before = await versions(db);
    const passes = (await readPass(db, 'polymarket'))?.pass ?? 0;
    await desk.pass(14);
    expect((await readPass(db, 'polymarket'))?.pass).toBeGreaterThan(passes + 1);
    expect(await versions(db)).toEqual(before);
    desk.desk.events = EVENTS.map((event) => (event.id === 'two' ? { ...event, title: 'Two' } : event));
    await desk.pass(8);
    const rows = await db.select().from(catalogueEvents).orderBy(asc(catalogueEvents.readAt));
    expect(rows.map(({ title }) => title).at(-1)).toBe('Two');
    expect(new Set(rows.map(({ readAt }) => readAt)).size).toBe(2);
    await discovery.stop();
  });

  it('is handed on at a start while other things have their time between', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const ids = Array.from({ length: 120 }, (_, nth) => `many${nth}`);
    await keepEvents(desk.runtime, [cupOf(ids, { id: 'many', slug: 'many' })], 1);
    let handedOn = 0;
    const between = new Set<number>();
    await followRelations(desk.runtime, () => null).read(() => {
      handedOn += 1;
      setImmediate(() => between.add(handedOn));
    });
    expect(handedOn).toBeGreaterThan(120);
    expect(between.size).toBeGreaterThan(1);
  });

  it('is known once where two read it at the same time', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    await Promise.all([keepEvents(desk.runtime, EVENTS, 1), keepEvents(desk.runtime, [...EVENTS].reverse(), 1)]);
    const titles = (await desk.relations('exactly_one')).map(({ eventTitle }) => eventTitle).sort();
    expect(titles).toEqual(['four', 'one', 'three', 'two']);
  });

  it('stays known where a process goes on with the pass of another over what has not changed', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db } = desk.runtime;
    desk.desk.events = [...EVENTS];
    desk.desk.pageSize = 1;
    const first = await desk.start();
    await desk.pass(3);
    desk.desk.failsAt = 3;
    await desk.pass(5);
    expect(await readPass(db, 'polymarket')).toMatchObject({ pass: 2, finishedAt: null });
    await first.stop();
    desk.desk.failsAt = null;
    const second = await desk.start();
    await desk.pass(4);
    expect((await readPass(db, 'polymarket'))?.finishedAt).not.toBeNull();
    const rows = await db.select().from(catalogueEvents);
    expect(rows.map(({ closed, whyNot }) => ({ closed, whyNot }))).toEqual(
      EVENTS.map(() => ({ closed: false, whyNot: null })),
    );
    await second.stop();
  });

  it('has its newest markets known within a minute, also while pass upon pass breaks off', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db } = desk.runtime;
    desk.desk.events = EVENTS.slice(0, 2);
    const discovery = await desk.start();
    await desk.pass(3);
    desk.desk.failsAt = 0;
    desk.desk.events = [...EVENTS, cupOf(['onea', 'oneb', 'onec'], { id: 'one', title: 'one' })].slice(1);
    await desk.pass(60);
    expect((await readPass(db, 'polymarket'))?.error).toBe('the venue does not answer');
    const rows = await db.select().from(catalogueEvents);
    expect(rows.map(({ id }) => id).sort()).toEqual(['four', 'one', 'three', 'two']);
    expect(rows.find(({ id }) => id === 'one')?.event.members).toHaveLength(3);
    await discovery.stop();
  });

  it('has all of its new events known within a minute where more are listed at once than a page of its newest markets holds', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    desk.desk.events = [...EVENTS];
    const discovery = await desk.start();
    await desk.pass(3);
    desk.desk.failsAt = 0;
    const fresh = Array.from({ length: 12 }, (_, nth) =>
      cupOf([`n${nth}a`, `n${nth}b`], { id: `n${nth}`, slug: `n${nth}` }),
    );
    desk.desk.events = [...EVENTS, ...fresh];
    await desk.pass(60);
    expect(await desk.runtime.db.$count(catalogueEvents)).toBe(EVENTS.length + fresh.length);
    await discovery.stop();
  });
});
