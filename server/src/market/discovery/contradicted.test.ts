import { AS_LISTED } from '@dutchbook/engine/relation/snapshot.ts';
import { PRICE_ONE, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { auditLog } from '../../platform/audit/table.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { presentRelation } from '../relations/present.ts';
import { readRelation, type StoredRelation } from '../relations/store.ts';
import { relations } from '../relations/table.ts';
import { BOSS, cupOf, memberOf, openDiscoveryDesk } from './discovery.fixture.ts';
import { readCatalogueEvents } from './relation-changes.ts';
import { catalogueEvents } from './table.ts';

const CHEAP = { a: ['0.48', '0.50'], b: ['0.28', '0.30'], c: ['0.14', '0.15'], d: ['0.01', '0.02'] } as const;
const BOTH = 'a and b both came true';

type Ends = Readonly<Record<string, Price>>;

/** The cup with those members ended. */
function ended(names: readonly string[], ends: Ends, fields: Parameters<typeof cupOf>[1] = {}) {
  const members = names.map((name, memberIndex) => {
    const resolvedValue = ends[name] ?? null;
    return memberOf(name, { memberIndex, resolvedValue, closed: resolvedValue !== null });
  });
  return cupOf([], { members, ...fields });
}

async function notified(db: Db): Promise<string[]> {
  const rows = await db.select().from(notifications).where(eq(notifications.notificationType, 'relation_void'));
  return rows.map(({ message }) => message);
}

async function stored(db: Db, kind: StoredRelation['kind']) {
  const [row] = await db.select().from(relations).where(eq(relations.kind, kind));
  if (row === undefined) throw new Error(`no ${kind}`);
  return row;
}

describe('a relation that what has resolved contradicts', () => {
  it('is void in the sync that reads it: paused, notified once, audited, and not approvable until it is corrected', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db } = desk.runtime;
    const names = ['a', 'b', 'c', 'd'];
    desk.desk.events = [cupOf(names)];
    const discovery = await desk.start();
    await desk.pass();
    desk.quote(CHEAP);
    await desk.pass(3);
    expect(await desk.found()).toMatchObject([{ active: true }]);

    desk.desk.events = [ended(names, { a: PRICE_ONE })];
    await desk.pass();
    expect(await stored(db, 'exactly_one')).toMatchObject({ state: 'proposed', reason: null });

    desk.shown.length = 0;
    desk.desk.events = [ended(names, { a: PRICE_ONE, b: PRICE_ONE })];
    await desk.pass();
    const cup = await stored(db, 'exactly_one');
    expect(cup).toMatchObject({ state: 'void', reason: `Contradicted: ${BOTH}`, endedAt: null });
    expect(desk.shown).toContain(`relation ${cup.id}`);
    expect((await desk.found()).every(({ active }) => !active)).toBe(true);
    expect(await desk.relations('pair')).toMatchObject([{ state: 'proposed' }, { state: 'proposed' }]);
    await desk.pass();
    const [message, ...more] = await notified(db);
    expect(message).toMatch(
      /^The cup: a and b both came true\. This contradicts "Exactly one of 4 outcomes", which is void/,
    );
    expect(more).toEqual([]);

    const row = await readRelation(db, cup.id);
    if (row === null) throw new Error('no row');
    const events = await readCatalogueEvents(db, [row]);
    const shown = {
      kindsOn: desk.settings.current(),
      isFollowed: false,
      events,
      quotes: new Map(),
      now: desk.runtime.clock.now(),
    };
    expect(presentRelation(row, shown)).toMatchObject({ contradiction: BOTH, differences: [] });
    await expect(desk.approve(cup)).rejects.toMatchObject({
      status: 409,
      detail: `The relation is contradicted: ${BOTH}.`,
    });

    desk.desk.events = [ended(names, { a: PRICE_ONE, b: PRICE_ZERO })];
    await desk.pass();
    expect(await stored(db, 'exactly_one')).toMatchObject({ state: 'void' });
    await desk.approve(cup);
    expect(await stored(db, 'exactly_one')).toMatchObject({ state: 'approved', reason: null });
    const actions = await db.select().from(auditLog).where(eq(auditLog.object, cup.id)).orderBy(auditLog.seq);
    expect(actions.map(({ action, actor, after }) => [action, actor, after])).toEqual([
      ['relation.voided', 'system', { contradiction: BOTH }],
      ['relation.approved', BOSS.email, expect.anything()],
    ]);
    await discovery.stop();
  });

  it('is void also where it has ended by then, as the last open member leaves nothing to buy', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db } = desk.runtime;
    desk.desk.events = [cupOf(['a', 'b'])];
    const discovery = await desk.start();
    await desk.pass();
    desk.desk.events = [ended(['a', 'b'], { a: PRICE_ZERO })];
    await desk.pass();
    expect((await stored(db, 'exactly_one')).endedAt).not.toBeNull();
    desk.desk.events = [ended(['a', 'b'], { a: PRICE_ZERO, b: PRICE_ZERO }, { closed: true })];
    await desk.pass();
    expect(await stored(db, 'exactly_one')).toMatchObject({
      state: 'void',
      reason: 'Contradicted: none of its 2 members came true',
    });
    expect(await notified(db)).toEqual([
      'The cup: none of its 2 members came true. This contradicts "Exactly one of 2 outcomes", which is void',
    ]);
    await discovery.stop();
  });

  it('is a ladder whose easier step did not come true, and none where a step of it was voided', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db } = desk.runtime;
    const ladder = (ends: Ends) => ({
      ...cupOf([], { title: 'Coin', exclusive: null }),
      members: ['500', '400', '300', '200'].map((level) =>
        memberOf(level, {
          question: `Will the coin close above $${level}?`,
          groupTitle: `above $${level}`,
          resolvedValue: ends[level] ?? null,
          closed: ends[level] !== undefined,
        }),
      ),
    });
    desk.desk.events = [ladder({})];
    const discovery = await desk.start();
    await desk.pass();
    desk.desk.events = [ladder({ '500': PRICE_ONE, '400': 500_000 as Price })];
    await desk.pass();
    expect(await stored(db, 'ladder')).toMatchObject({ state: 'proposed' });
    desk.desk.events = [ladder({ '500': PRICE_ONE, '400': 500_000 as Price, '300': PRICE_ZERO })];
    await desk.pass();
    expect(await stored(db, 'ladder')).toMatchObject({
      state: 'void',
      reason: 'Contradicted: above $500 came true and above $300, which it implies, did not',
    });
    await discovery.stop();
  });

  it('is void from its first reading, without a notification, and stays rejected where a superuser has said so', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db } = desk.runtime;
    desk.desk.events = [ended(['a', 'b', 'c', 'd'], { a: PRICE_ONE, b: PRICE_ONE })];
    const discovery = await desk.start();
    await desk.pass();
    expect(await stored(db, 'exactly_one')).toMatchObject({ state: 'void', reason: `Contradicted: ${BOTH}` });
    expect(await notified(db)).toEqual([]);
    await db.update(relations).set({ state: 'rejected', reason: 'not one cup but two' });
    desk.desk.events = [ended(['a', 'b', 'c', 'd'], { a: PRICE_ONE, b: PRICE_ONE, c: PRICE_ZERO })];
    await desk.pass();
    expect(await stored(db, 'exactly_one')).toMatchObject({ state: 'rejected', reason: 'not one cup but two' });
    await discovery.stop();
  });
});

describe('an event of many members', () => {
  it('is stored with a relation for each, all in order', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const names = Array.from({ length: 300 }, (_, index) => `m${index + 100}`);
    desk.desk.events = [cupOf(names)];
    const discovery = await desk.start();
    await desk.pass();
    const rows = await desk.runtime.db.select().from(relations);
    expect(rows.filter(({ kind }) => kind === 'pair')).toHaveLength(300);
    const cup = await readRelation(desk.runtime.db, (await stored(desk.runtime.db, 'exactly_one')).id);
    expect(cup).toMatchObject({ quoted: 0, hits: 0, state: 'proposed', template: null, decidedAt: null });
    expect(cup?.members.map(({ marketId }) => marketId)).toEqual(names);
    expect([cup?.snapshot, cup?.trusted]).toEqual([AS_LISTED, AS_LISTED]);
    const [event] = await desk.runtime.db.select().from(catalogueEvents);
    expect(event?.event.members.map(({ marketId }) => marketId)).toEqual(names);
    await discovery.stop();
  });
});
