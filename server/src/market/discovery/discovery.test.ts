import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { auditLog } from '../../platform/audit/table.ts';
import { batches } from '../../trading/orders/table.ts';
import { readDraft } from '../opportunities/draft.ts';
import { insertDrafts } from '../opportunities/store.ts';
import { opportunities } from '../opportunities/table.ts';
import { rejectRelation } from '../relations/decide.ts';
import { presentRelation } from '../relations/present.ts';
import { readDistances } from '../relations/store.ts';
import { explainWatched, readCensus } from './census.ts';
import { BOSS, cupOf, memberOf, openDiscoveryDesk } from './discovery.fixture.ts';
import { readCatalogueEvents } from './relation-changes.ts';
import { readSync } from './sync.ts';

const FAIR = { a: ['0.48', '0.50'], b: ['0.28', '0.30'], c: ['0.20', '0.22'] } as const;
const CHEAP = { a: ['0.48', '0.50'], b: ['0.28', '0.30'], c: ['0.14', '0.15'] } as const;

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
});

describe('a relation', () => {
  it('is void once a rule changes: paused, notified once, shown side by side, and found again after it was approved', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db } = desk.runtime;
    desk.desk.events = [cupOf(['a', 'b', 'c'])];
    const discovery = await desk.start();
    await desk.pass();
    desk.quote(CHEAP);
    await desk.pass(3);
    expect(await desk.found()).toMatchObject([{ active: true }]);

    const members = ['a', 'b', 'c'].map((name, memberIndex) =>
      memberOf(name, { memberIndex, ...(name === 'b' && { rules: 'b wins also by lot.' }) }),
    );
    desk.desk.events = [cupOf([], { members })];
    await desk.pass();
    const [cup] = await desk.relations('exactly_one');
    expect(cup).toMatchObject({ state: 'void', reason: 'Changed after it was read: rules' });
    expect(await desk.found()).toMatchObject([{ active: false }]);
    if (cup === undefined) throw new Error('no relation');
    const events = await readCatalogueEvents(db, [cup]);
    const shown = presentRelation(cup, {
      kindsOn: desk.settings.current(),
      isFollowed: false,
      events,
      quotes: new Map(),
    });
    expect(shown.differences).toEqual([
      {
        market_id: 'b',
        question: 'Will b win?',
        field: 'rules',
        before: 'The market of b resolves by the official result.',
        after: 'b wins also by lot.',
      },
    ]);
    desk.quote(FAIR);
    desk.quote(CHEAP);
    await desk.pass(10);
    expect(await desk.found()).toMatchObject([{ active: false }]);
    const notified = await db.select().from(notifications).where(eq(notifications.notificationType, 'relation_void'));
    expect(notified.map(({ message }) => message)).toEqual([
      'The cup: the venue has changed rules. 2 relations are void until a superuser approves what is said now, and its opportunity is paused',
    ]);

    await expect(desk.approve({ ...cup, fingerprint: 'another' })).rejects.toThrow('has changed since it was read');
    await desk.approve(cup);
    await desk.pass(3);
    desk.quote(FAIR);
    desk.quote(CHEAP);
    await desk.pass(3);
    expect(await desk.found()).toMatchObject([{ active: true }]);
    const actions = await db.select().from(auditLog).where(eq(auditLog.object, cup.id));
    expect(actions.map(({ action, actor }) => [action, actor])).toEqual([
      ['relation.voided', 'system'],
      ['relation.approved', 'boss@example.com'],
    ]);
    await discovery.stop();
  });

  it('that was parsed is found only once it or its series is approved, and what is rejected is not found again', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const ladder = (id: string, prefix: string) => ({
      ...cupOf([], { id, title: `Coin ${id}`, exclusive: null, series: 'coin' }),
      members: ['500', '400'].map((level) =>
        memberOf(`${prefix}${level}`, { question: `Will the coin close above $${level}?` }),
      ),
    });
    desk.desk.events = [ladder('monday', 'm')];
    const discovery = await desk.start();
    await desk.pass();
    const inverted = (prefix: string) =>
      ({ [`${prefix}500`]: ['0.60', '0.61'], [`${prefix}400`]: ['0.50', '0.51'] }) as const;
    desk.quote(inverted('m'));
    await desk.pass(3);
    const [first] = await desk.relations('ladder');
    expect(first).toMatchObject({ basis: 'parsed', state: 'proposed', distance: -90_000 });
    expect(await desk.found()).toEqual([]);
    if (first === undefined) throw new Error('no ladder');

    await desk.approve(first, 'series');
    await desk.pass(3);
    expect(await desk.found()).toMatchObject([{ active: true, relationId: first.id }]);
    desk.desk.events = [ladder('monday', 'm'), ladder('tuesday', 't')];
    await desk.pass();
    expect(await desk.relations('ladder')).toMatchObject([
      { state: 'approved' },
      { state: 'approved', bySeries: true, decidedBy: 'boss@example.com' },
    ]);
    desk.quote(inverted('t'));
    await desk.pass(3);
    expect(await desk.found()).toMatchObject([{ active: true }, { active: true }]);

    await rejectRelation(desk.runtime, { id: first.id, actor: BOSS }, 'the two close at different times');
    await desk.pass(10);
    expect(await desk.found()).toMatchObject([{ active: false }, { active: true }]);

    // After a rejection the next of its series is asked about again.
    desk.desk.events.push(ladder('wednesday', 'w'));
    await desk.pass();
    expect(await desk.relations('ladder')).toMatchObject([
      { state: 'rejected' },
      { state: 'approved', bySeries: true },
      { state: 'proposed', bySeries: false, decidedBy: null },
    ]);
    await discovery.stop();
  });
});

describe('reading the venue', () => {
  it('goes on after a restart where it was, and says what it could not read', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    desk.desk.events = ['one', 'two', 'three'].map((id) => cupOf([`${id}a`, `${id}b`], { id, title: id }));
    desk.desk.pageSize = 1;
    const first = await desk.start();
    desk.desk.failsAt = 2;
    await desk.pass(1);
    expect(desk.desk.pagesRead.slice(0, 2)).toEqual([0, 1]);
    await first.stop();
    expect(await readSync(desk.runtime.db)).toMatchObject({ error: 'the venue does not answer', finishedAt: null });
    desk.desk.failsAt = null;
    const second = await desk.start();
    await desk.pass(3);
    expect(await readSync(desk.runtime.db)).toMatchObject({ error: null, pass: 1 });
    expect((await desk.relations('exactly_one')).map(({ eventTitle }) => eventTitle).sort()).toEqual([
      'one',
      'three',
      'two',
    ]);
    await second.stop();
  });

  it('goes on behind the last page where the next one could not be read, asks ever more rarely, and begins anew where that does not help', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    desk.desk.events = ['one', 'two', 'three'].map((id) => cupOf([`${id}a`, `${id}b`], { id, title: id }));
    desk.desk.pageSize = 1;
    desk.desk.failsAt = 2;
    const discovery = await desk.start();
    await desk.pass(1);
    expect(desk.desk.pagesRead).toEqual([0, 1]);
    await desk.pass(1);
    expect(desk.desk.pagesRead).toEqual([0, 1]);
    // From the third page once more, then from the first.
    await desk.pass(20);
    expect(desk.desk.pagesRead.slice(0, 6)).toEqual([0, 1, 0, 1, 0, 1]);
    expect(desk.desk.pagesRead.length).toBeLessThan(9);
    const read = desk.desk.pagesRead.length;
    desk.desk.failsAt = null;
    await desk.pass(6);
    expect(desk.desk.pagesRead.slice(read).filter((page) => page === 2)).not.toEqual([]);
    expect(await readSync(desk.runtime.db)).toMatchObject({ error: null });
    await discovery.stop();
  });

  it('goes on once the database answers again', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db } = desk.runtime;
    await db.execute(sql`alter table catalogue_sync rename to away`);
    const discovery = await desk.start();
    desk.desk.events = [cupOf(['a', 'b'])];
    await desk.pass(3);
    await db.execute(sql`alter table away rename to catalogue_sync`);
    await desk.pass(3);
    expect(await desk.relations('exactly_one')).toHaveLength(1);
    await discovery.stop();
  });

  it('finds nothing that is not there: a cut page, an outcome that is not listed, an event that vanishes', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db, clock } = desk.runtime;
    const cut = cupOf(['a', 'b'], { id: 'cut', title: 'Cut' });
    desk.desk.events = [
      { ...cut, members: cut.members.map((member, index) => ({ ...member, memberIndex: index * 2 })) },
      cupOf(['d', 'e'], { id: 'open', title: 'Open', augmented: true }),
      cupOf(['f', 'g'], { id: 'gone', title: 'Gone' }),
      cupOf([], { id: 'empty', title: 'Empty' }),
    ];
    const reversed = [
      ...['h', 'i'].map((name, memberIndex) => memberOf(name, { memberIndex })),
      memberOf('j', { memberIndex: 2, outcomes: ['No', 'Yes'] }),
    ];
    desk.desk.events.push(cupOf([], { id: 'reversed', title: 'Reversed', members: reversed }));
    const discovery = await desk.start();
    await desk.pass();
    desk.quote(
      Object.fromEntries(['a', 'b', 'd', 'e', 'h', 'i', 'j'].map((name) => [name, ['0.20', '0.25']] as const)),
    );
    await desk.pass(3);
    expect(await desk.found()).toEqual([]);
    const left =
      'A member is left out, because its outcomes are listed as No and Yes: which token pays when it comes true is not known';
    expect((await desk.relations('at_most_one')).map(({ completeness }) => completeness).sort()).toEqual([
      left,
      'An outcome that is not listed may come true',
      'The places of its members have a gap: not all of them are listed',
    ]);
    desk.quote({ f: ['0.40', '0.45'], g: ['0.40', '0.45'] });
    await desk.pass(3);
    expect(await desk.found()).toMatchObject([{ active: true }]);
    desk.desk.events = desk.desk.events.filter(({ id }) => id !== 'gone');
    await desk.pass();
    expect(await desk.found()).toMatchObject([{ active: false }]);
    expect((await desk.relations()).some(({ eventId }) => eventId === 'gone')).toBe(false);

    expect(await readCensus(db, clock.now(), true)).toMatchObject({
      events: 4,
      markets: 7,
      unwatched: [
        { reason: left, events: 1 },
        { reason: 'The venue lists no market of it', events: 1 },
      ],
      sync: { running: false, error: null },
    });
    expect(await explainWatched(db, 'https://example.com/event/the-cup/slug-a?tid=7')).toMatchObject([
      { kind: 'market', id: 'a', watched: true },
    ]);
    expect(await explainWatched(db, 'j')).toMatchObject([
      { kind: 'market', watched: false, sentence: expect.stringContaining('its outcomes are listed as No and Yes') },
    ]);
    expect(await explainWatched(db, 'gone')).toMatchObject([
      { kind: 'event', title: 'Gone', watched: false, sentence: 'The venue does not list this event any more' },
    ]);
    expect(await explainWatched(db, 'Empty')).toMatchObject([{ sentence: 'The venue lists no market of it' }]);
    await discovery.stop();
  });

  it('is divided: each engine watches the relations of its partitions, and one reads for all', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    desk.desk.events = [cupOf(['a', 'b', 'c'])];
    const even = (id: string) => Number.parseInt(id.slice(-2), 16) % 2 === 0;
    const half = (isEven: boolean) => ({
      owns: (id: string) => even(id) === isEven,
      held: () => Array.from({ length: 32 }, (_, nth) => nth * 2 + (isEven ? 0 : 1)),
      claimOf: () => null,
      onChange: () => () => {},
    });
    const engines = [await desk.start(half(true)), await desk.start(half(false))];
    await desk.pass();
    desk.quote(CHEAP);
    await desk.pass(3);
    expect(await desk.relations('exactly_one')).toMatchObject([{ hits: 1, profit: 5_000_000 }]);
    expect(await desk.found()).toMatchObject([{ active: true }]);
    for (const engine of engines) await engine.stop();
    const audited = await desk.runtime.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, 'relation.voided')));
    expect(audited).toEqual([]);
  });
});
