import { instantFromIso } from '@dutchbook/units/instant.ts';
import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { auditLog } from '../../platform/audit/table.ts';
import { rejectRelation } from '../relations/decide.ts';
import { presentRelation } from '../relations/present.ts';
import { relations } from '../relations/table.ts';
import { explainWatched, readCensus } from './census.ts';
import { BOSS, CHEAP, cupOf, FAIR, memberOf, openDiscoveryDesk } from './discovery.fixture.ts';
import { readCatalogueEvents } from './relation-changes.ts';
import { readPass } from './sync.ts';

describe('a relation', () => {
  it('says what its best basket earns as if all year, by when its markets end', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db, clock } = desk.runtime;
    desk.desk.events = [cupOf(['a', 'b', 'c'])];
    const discovery = await desk.start();
    await desk.pass();
    desk.quote(CHEAP);
    await desk.pass(3);
    const [cup] = await desk.relations('exactly_one');
    if (cup === undefined) throw new Error('no relation');
    const events = await readCatalogueEvents(db, [cup]);
    const shown = { kindsOn: desk.settings.current(), isFollowed: false, events, quotes: new Map() };
    const { worlds } = presentRelation(cup, { ...shown, now: clock.now() });
    if (worlds === null) throw new Error('it has a basket');
    const days = (instantFromIso('2027-01-01T00:00:00Z') - clock.now()) / 86_400_000;
    const profit = (100 * (worlds.payout - worlds.cost)) / worlds.cost;
    expect(profit).toBeGreaterThan(1);
    const least = Math.min(...worlds.rows.map(({ total }) => total));
    const hasWorse = worlds.rows.some(({ total }) => total > least);
    for (const { total, is_worst } of worlds.rows) expect(is_worst).toBe(hasWorse && total === least);
    expect(hasWorse || worlds.rows.every(({ is_worst }) => !is_worst), 'worlds that pay alike').toBe(true);
    expect((worlds.annualised_return ?? 0) / 1e6).toBeCloseTo((profit * 365) / days, 4);
    const later = presentRelation(cup, { ...shown, now: instantFromIso('2027-01-01T00:00:00Z') });
    expect(later.worlds?.annualised_return).toBeNull();
    await discovery.stop();
  });

  it('stays approved where an earlier release put the same rules into another fingerprint', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    desk.desk.events = [cupOf(['a', 'b', 'c'])];
    await desk.start();
    await desk.pass();
    const [cup] = await desk.relations('exactly_one');
    if (cup === undefined) throw new Error('no relation');
    await desk.approve(cup);
    const { db } = desk.runtime;
    await db.update(relations).set({ fingerprint: 'of an earlier release' }).where(eq(relations.id, cup.id));
    const members = ['a', 'b', 'c'].map((name, memberIndex) => memberOf(name, { memberIndex }));
    desk.desk.events = [cupOf([], { members: members.toReversed() })];
    await desk.pass();
    expect(await desk.relations('exactly_one')).toMatchObject([{ state: 'approved', fingerprint: cup.fingerprint }]);
    expect(await db.select().from(notifications)).toEqual([]);
  });

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
      now: desk.runtime.clock.now(),
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
    const actions = await db.select().from(auditLog).where(eq(auditLog.object, cup.id)).orderBy(auditLog.seq);
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
    expect(await readPass(desk.runtime.db, 'polymarket')).toMatchObject({
      error: 'the venue does not answer',
      finishedAt: null,
    });
    desk.desk.failsAt = null;
    const second = await desk.start();
    await desk.pass(3);
    expect(await readPass(desk.runtime.db, 'polymarket')).toMatchObject({ error: null, pass: 1 });
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
    expect(await readPass(desk.runtime.db, 'polymarket')).toMatchObject({ error: null });
    await discovery.stop();
  });

  it('reads one venue pass after pass while the other does not answer, and drops nothing of that one', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db } = desk.runtime;
    const titles = async () => (await desk.relations('exactly_one')).map(({ eventTitle }) => eventTitle).sort();
    const other = (id: string) =>
      cupOf([`kalshi:${id}a`, `kalshi:${id}b`], { id: `kalshi:${id}`, title: `${id} there` });
    desk.desk.events = [cupOf(['a', 'b'], { id: 'one', title: 'one' })];
    desk.desk.other = { venue: 'kalshi', events: [other('two')] };
    const discovery = await desk.start();
    await desk.pass(3);
    expect(await titles()).toEqual(['one', 'two there']);
    desk.desk.failsAt = 0;
    desk.desk.other.events = [other('three')];
    await desk.pass(20);
    expect(await titles()).toEqual(['one', 'three there']);
    expect(await readPass(db, 'polymarket')).toMatchObject({ error: 'the venue does not answer' });
    expect(await readPass(db, 'kalshi')).toMatchObject({ error: null });
    expect((await readPass(db, 'kalshi'))?.pass).toBeGreaterThan(2);
    await discovery.stop();
  });

  it('goes on once the database answers again', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db } = desk.runtime;
    await db.execute(sql`alter table catalogue_passes rename to away`);
    const discovery = await desk.start();
    desk.desk.events = [cupOf(['a', 'b'])];
    await desk.pass(3);
    await db.execute(sql`alter table away rename to catalogue_passes`);
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

    expect(await readCensus(db, { now: clock.now(), enabled: true })).toMatchObject({
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
