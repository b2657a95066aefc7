import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { partitionOf } from '../../platform/engines/division.ts';
import { batches } from '../../trading/orders/table.ts';
import { readDraft } from '../opportunities/draft.ts';
import { insertDrafts } from '../opportunities/insert-drafts.ts';
import { opportunities } from '../opportunities/table.ts';
import { readDistances } from '../relations/store.ts';
import { CHEAP, cupOf, FAIR, openDiscoveryDesk } from './discovery.fixture.ts';

describe('a set that is cheaper than it pays', () => {
  it('becomes an opportunity, is paused once the edge is gone, and comes back as the same row', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    desk.desk.events = [cupOf(['a', 'b', 'c'])];
    const discovery = await desk.start();
    await desk.pass();
    desk.quote(FAIR);
    await desk.pass(3);
    expect(await desk.found()).toEqual([]);
    const [cup] = await desk.relations('exactly_one');
    expect(cup).toMatchObject({ state: 'proposed', basis: 'enforced', isComplete: true, quoted: 3, distance: 20_000 });

    desk.quote(CHEAP);
    await desk.pass(3);
    const [found] = await desk.found();
    expect(found).toMatchObject({ active: true, targetPrice: 1_000_000, relationId: cup?.id, direction: 'yes' });
    expect(found?.marketCombinations).toHaveLength(3);
    // One engine follows the books of an event for its relations, what was found in it, and what a user adds.
    const own = readDraft({ market_combinations: [{ leg: 1, markets: [{ id: 'b', outcome: 'Yes' }] }] });
    if (own.kind === 'refused') throw new Error(own.reason);
    const [added = ''] = (await insertDrafts(desk.runtime, [own.draft])).created.values();
    expect([found?.id ?? '', added].map(partitionOf)).toEqual(Array(2).fill(partitionOf(cup?.id ?? '')));
    const [paying] = await desk.relations('exactly_one');
    // 100 sets for 95 cents each pay a dollar each.
    expect(paying).toMatchObject({
      distance: -50_000,
      profit: 5_000_000,
      size: 100_000_000,
      hits: 1,
      opportunityId: found?.id,
    });

    desk.quote(FAIR);
    await desk.pass(4);
    expect(await desk.found()).toMatchObject([{ active: true }]);
    await desk.pass(6);
    expect(await desk.found()).toMatchObject([{ id: found?.id, active: false }]);

    desk.quote(CHEAP);
    await desk.pass(3);
    expect(await desk.found()).toMatchObject([{ id: found?.id, active: true }]);
    expect((await readDistances(desk.runtime.db, cup?.id ?? '', 10)).map(({ distance }) => distance)).toContain(
      -50_000,
    );
    await discovery.stop();
  });

  it('is paused in the direction in which it is gone, and not in the other that pays by then', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    desk.desk.events = [cupOf(['a', 'b', 'c'])];
    const discovery = await desk.start();
    await desk.pass();
    desk.quote(CHEAP);
    await desk.pass(3);
    expect(await desk.found()).toMatchObject([{ direction: 'yes', active: true }]);

    desk.quote({ a: ['0.50', '0.52'], b: ['0.32', '0.34'], c: ['0.24', '0.26'] });
    await desk.pass(10);
    expect(await desk.found()).toMatchObject([
      { direction: 'yes', active: false },
      { direction: 'no', active: true },
    ]);
    await discovery.stop();
  });

  it('is looked for in both directions, of many members the fifty that bring most', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const names = Array.from({ length: 60 }, (_, index) => `n${index + 10}`);
    desk.desk.events = [cupOf(names)];
    const discovery = await desk.start();
    await desk.pass();
    desk.quote(
      Object.fromEntries(names.map((name, index) => [name, [index < 55 ? '0.022' : '0.021', '0.05']] as const)),
    );
    await desk.pass(3);
    const [found] = await desk.found();
    expect(found).toMatchObject({ active: true, direction: 'no', targetPrice: 49_000_000 });
    expect(found?.marketCombinations).toHaveLength(50);
    await discovery.stop();
  });

  it('is not seen on a stale book, nor where discovery is switched off or it makes too little', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    desk.desk.events = [cupOf(['a', 'b', 'c'])];
    const discovery = await desk.start();
    await desk.pass();
    desk.quote(FAIR);
    await desk.pass(1);
    desk.markets.trust('c:yes', 'stale');
    desk.quote(CHEAP);
    await desk.pass(3);
    expect(await desk.found()).toEqual([]);
    expect(await desk.relations('exactly_one')).toMatchObject([{ quoted: 2 }]);

    await desk.change({ min_profit_usd: 6_000_000 as never });
    desk.markets.trust('c:yes', 'live');
    await desk.pass(3);
    expect(await desk.relations('exactly_one')).toMatchObject([{ profit: 5_000_000 }]);
    expect(await desk.found()).toEqual([]);

    await desk.change({ min_profit_usd: 0 as never, exactly_one: false });
    desk.quote(FAIR);
    desk.quote(CHEAP);
    await desk.pass(3);
    expect(await desk.found()).toEqual([]);
    await desk.change({ exactly_one: true });
    desk.quote(FAIR);
    desk.quote(CHEAP);
    await desk.pass(3);
    expect(await desk.found()).toMatchObject([{ active: true }]);
    await desk.change({ exactly_one: false });
    await desk.pass(10);
    expect(await desk.found()).toMatchObject([{ active: false }]);
    await discovery.stop();
  });

  it('that cannot be bought any more gives way to the one that can, as the same row', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    desk.desk.events = [cupOf(['a', 'b', 'c'])];
    const discovery = await desk.start();
    await desk.pass();
    desk.quote({ a: ['0.55', '0.60'], b: ['0.55', '0.60'], c: ['0.30', '0.60'] });
    await desk.pass(3);
    const [all] = await desk.found();
    expect(all).toMatchObject({ active: true, direction: 'no', targetPrice: 2_000_000 });
    expect(all?.marketCombinations).toHaveLength(3);

    desk.markets.setBooks({ 'c:yes': { bids: [], asks: [['0.60', '100']] } });
    await desk.pass(3);
    expect(await desk.found()).toMatchObject([{ id: all?.id, active: true, targetPrice: 1_000_000 }]);
    const [two] = await desk.found();
    expect(two?.marketCombinations.map(({ markets }) => markets)).toEqual([
      [{ id: 'a', outcome: 'No' }],
      [{ id: 'b', outcome: 'No' }],
    ]);
    expect(await desk.relations('exactly_one')).toMatchObject([{ opportunityId: all?.id, profit: 10_000_000 }]);
    await discovery.stop();
  });

  it('gives way to one that makes more, as the same row, once no batch is buying it', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db } = desk.runtime;
    desk.desk.events = [cupOf(['a', 'b', 'c'])];
    const discovery = await desk.start();
    await desk.pass();
    desk.quote({ a: ['0.53', '0.60', '1'], b: ['0.50', '0.60', '1'], c: ['0', '0.60'] });
    desk.markets.setBooks({ 'c:yes': { bids: [], asks: [['0.60', '100']] } });
    await desk.pass(3);
    const [cents3] = await desk.found();
    expect(cents3).toMatchObject({ active: true, direction: 'no', targetPrice: 1_000_000 });
    const batchId = await desk.batchOf(cents3?.id ?? '', 'processing');
    desk.quote({ c: ['0.49', '0.60', '1'] });
    await desk.pass(6);
    expect(await desk.found()).toEqual([cents3]);

    await db.update(batches).set({ status: 'partial_completed' }).where(eq(batches.id, batchId));
    await desk.pass(4);
    expect(await desk.found()).toMatchObject([{ id: cents3?.id, active: true, targetPrice: 2_000_000 }]);
    expect((await desk.found())[0]?.marketCombinations).toHaveLength(3);
    expect(await db.select().from(batches)).toMatchObject([{ id: batchId, opportunityId: cents3?.id }]);
    await discovery.stop();
  });

  it('is stored once the database takes it', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    desk.desk.events = [cupOf(['a', 'b', 'c'])];
    const discovery = await desk.start();
    await desk.pass();
    await desk.runtime.db.execute(sql`alter table opportunities add constraint none check (active is null)`);
    desk.quote(CHEAP);
    await desk.pass(3);
    await desk.runtime.db.execute(sql`alter table opportunities drop constraint none`);
    await desk.pass(4);
    expect(await desk.found()).toMatchObject([{ active: true }]);
    await discovery.stop();
  });

  it('leaves an opportunity of the same positions alone that a user has added', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const own = readDraft({
      market_combinations: ['a', 'b', 'c'].map((id, index) => ({ leg: index + 1, markets: [{ id, outcome: 'Yes' }] })),
      active: false,
      source: 'mine',
    });
    if (own.kind === 'refused') throw new Error(own.reason);
    await insertDrafts(desk.runtime, [own.draft], async () => {});
    desk.desk.events = [cupOf(['a', 'b', 'c'])];
    const discovery = await desk.start();
    await desk.pass();
    desk.quote(CHEAP);
    await desk.pass(3);
    expect(await desk.runtime.db.select().from(opportunities)).toMatchObject([
      { source: 'mine', active: false, relationId: null },
    ]);
    await discovery.stop();
  });

  it('that only come nearer by a tick are stored in seconds, of pairs in minutes or once their page is open, and a pair is plotted while it pays', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    desk.pages.areOpen = false;
    desk.desk.events = [cupOf(['a', 'b', 'c'])];
    const discovery = await desk.start();
    desk.quote(FAIR);
    await desk.pass(15);
    const pairOfA = async () => (await desk.relations('pair')).find(({ members }) => members[0]?.marketId === 'a');
    const before = { pair: (await pairOfA())?.distance, cup: (await desk.relations('exactly_one'))[0]?.distance };
    expect(before).toEqual({ pair: 20_000, cup: 20_000 });

    desk.quote({ ...FAIR, a: ['0.43', '0.53'] });
    await desk.pass(15);
    expect((await desk.relations('exactly_one'))[0]?.distance).toBe(50_000);
    expect((await pairOfA())?.distance).toBe(20_000);
    for (const [ask, stored] of [
      ['0.5304', 50_000],
      ['0.5312', 51_200],
    ] as const) {
      desk.quote({ ...FAIR, a: ['0.43', ask] });
      await desk.pass(15);
      expect((await desk.relations('exactly_one'))[0]?.distance).toBe(stored);
    }
    desk.pages.areOpen = true;
    await desk.pass(5);
    expect((await pairOfA())?.distance).toBe(101_200);

    desk.pages.areOpen = false;
    desk.quote({ ...FAIR, a: ['0.50', '0.47'] });
    await desk.pass(5);
    expect((await pairOfA())?.distance).toBe(-30_000);
    const points = await readDistances(desk.runtime.db, (await pairOfA())?.id ?? '', 10);
    expect(points.map(({ distance }) => distance)).toEqual([-30_000]);
    await discovery.stop();
  });
});
