import { PRICE_ONE, PRICE_ZERO } from '@dutchbook/units/price.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { auditLog } from '../../platform/audit/table.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { rejectRelation } from '../relations/decide.ts';
import { readRelation } from '../relations/store.ts';
import { explainWatched, readCensus } from './census.ts';
import { BOSS, cupOf, memberOf, openDiscoveryDesk } from './discovery.fixture.ts';
import { addHumanRelation } from './human-relations.ts';

type Desk = Awaited<ReturnType<typeof openDiscoveryDesk>>;
type Fields = Parameters<typeof memberOf>[1];

/** One market of its own event. */
function single(id: string, fields: Fields = {}, event: Parameters<typeof cupOf>[1] = {}) {
  return cupOf([], {
    id,
    slug: id,
    title: `Event of ${id}`,
    exclusive: null,
    members: [memberOf(id, fields)],
    ...event,
  });
}

/** Events of one market each, read once; a user states that `fed` pays while `rates` does. */
async function openTwoEvents(desk: Desk) {
  desk.desk.events = [single('fed'), single('rates')];
  const discovery = await desk.start();
  await desk.pass();
  return discovery;
}

const LADDER = {
  kind: 'ladder',
  market_ids: ['fed', 'rates'],
  title: null,
  note: 'A cut is a change of rates',
} as const;
const INVERTED = { fed: ['0.60', '0.61'], rates: ['0.50', '0.51'] } as const;
const UPRIGHT = { fed: ['0.40', '0.41'], rates: ['0.50', '0.51'] } as const;

async function added(desk: Desk, asked: Parameters<typeof addHumanRelation>[2] = LADDER) {
  return stored(desk.runtime.db, await addHumanRelation(desk.runtime, BOSS, asked));
}

async function stored(db: Db, id: string) {
  const row = await readRelation(db, id);
  if (row === null) throw new Error('no relation');
  return row;
}

async function notified(db: Db): Promise<string[]> {
  const rows = await db.select().from(notifications).where(eq(notifications.notificationType, 'relation_void'));
  return rows.map(({ message }) => message);
}

describe('a relation that a user states', () => {
  it('is watched at once, and traded once a superuser has approved it', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db, clock } = desk.runtime;
    const discovery = await openTwoEvents(desk);
    const ladder = await added(desk);
    expect(ladder).toMatchObject({
      ...{ kind: 'ladder', basis: 'human', state: 'proposed', title: 'Each of 2 steps implies the easier ones' },
      ...{ eventId: 'fed', eventTitle: 'Event of fed', isVoidSafe: false, template: null, endedAt: null },
      readFrom: ['A cut is a change of rates', 'Added by boss@example.com'],
    });
    desk.quote(INVERTED);
    await desk.pass(3);
    expect(await stored(db, ladder.id)).toMatchObject({ quoted: 2, distance: -90_000 });
    expect(await desk.found()).toEqual([]);

    expect(await explainWatched(db, 'rates')).toMatchObject([
      { kind: 'event', watched: true, relation_ids: expect.arrayContaining([ladder.id]) },
      { kind: 'market', watched: true, relation_ids: expect.arrayContaining([ladder.id]) },
    ]);
    expect((await readCensus(db, { now: clock.now(), enabled: true })).bases).toContainEqual(
      expect.objectContaining({ basis: 'human', relations: 1, members: 2 }),
    );

    await expect(desk.approve({ ...ladder, fingerprint: 'another' })).rejects.toMatchObject({ status: 409 });
    await desk.approve(ladder);
    await desk.pass(3);
    expect(await desk.found()).toMatchObject([{ active: true, relationId: ladder.id }]);
    await desk.pass(10);
    expect(await stored(db, ladder.id)).toMatchObject({ state: 'approved', endedAt: null });
    const actions = await db.select().from(auditLog).where(eq(auditLog.object, ladder.id)).orderBy(auditLog.seq);
    expect(actions.map(({ action, after }) => [action, after])).toEqual([
      [
        'relation.added',
        {
          ...{ kind: 'ladder', market_ids: ['fed', 'rates'], note: 'A cut is a change of rates' },
          title: 'Each of 2 steps implies the easier ones',
        },
      ],
      ['relation.approved', expect.anything()],
    ]);

    await rejectRelation(desk.runtime, { id: ladder.id, actor: BOSS }, 'rates may be changed by law');
    await desk.pass(3);
    expect(await desk.found()).toMatchObject([{ active: false }]);
    await discovery.stop();
  });

  it('is not approved beside its reverse, of which one is wrong, also where both are asked for at once', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const discovery = await openTwoEvents(desk);
    const ladder = await added(desk);
    const reverse = await added(desk, { ...LADDER, market_ids: ['rates', 'fed'], title: 'The other way' });
    const approved = await Promise.allSettled([desk.approve(ladder), desk.approve(reverse)]);
    expect(approved.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [won, lost] = approved[0].status === 'fulfilled' ? [ladder, reverse] : [reverse, ladder];
    await expect(desk.approve(lost)).rejects.toMatchObject({
      status: 409,
      detail: `"${won.title}" orders two of its markets the other way round and may be bought: reject one of them.`,
    });
    await rejectRelation(desk.runtime, { id: won.id, actor: BOSS }, 'rates may be changed by law');
    await desk.approve(lost);
    await discovery.stop();
  });

  it('is no reason for the census to call its event unwatched', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db, clock } = desk.runtime;
    const unwatched = async () => (await readCensus(db, { now: clock.now(), enabled: true })).unwatched;
    desk.desk.events = [cupOf(['a', 'b'], { exclusive: null })];
    const discovery = await desk.start();
    await desk.pass();
    expect(await unwatched()).toHaveLength(1);
    await added(desk, { kind: 'exactly_one', market_ids: ['a', 'b'], title: 'One of two', note: 'It is a final' });
    expect(await unwatched()).toEqual([]);
    await discovery.stop();
  });

  it('is void-safe only where one contract holds all of its members together', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    desk.desk.events = [cupOf(['a', 'b', 'c']), cupOf(['d', 'e'], { id: 'declared', exclusive: 'declared' })];
    const discovery = await desk.start();
    await desk.pass();
    const some = { kind: 'at_most_one', title: null, note: 'There is one cup' } as const;
    expect(await added(desk, { ...some, market_ids: ['a', 'c'] })).toMatchObject({
      ...{ isVoidSafe: true, isComplete: false, title: 'At most one of 2 outcomes' },
    });
    expect(await added(desk, { ...some, market_ids: ['d', 'e'] })).toMatchObject({ isVoidSafe: false });
    expect(await added(desk, { ...some, kind: 'exactly_one', market_ids: ['a', 'd'] })).toMatchObject({
      ...{ isVoidSafe: false, isComplete: true, title: 'Exactly one of 2 outcomes' },
    });
    await discovery.stop();
  });

  it('is refused by the name of each market that is unknown or closed, and where it is a relation already', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    desk.desk.events = [
      single('over', { closed: true, resolvedValue: PRICE_ONE }, { closed: false }),
      cupOf(['a', 'b', 'c']),
      single('fed'),
    ];
    const discovery = await desk.start();
    await desk.pass();
    const asked = { ...LADDER, market_ids: ['nowhere', 'fed', 'over'] };
    await expect(addHumanRelation(desk.runtime, BOSS, asked)).rejects.toMatchObject({
      status: 422,
      detail: [
        { loc: ['body', 'market_ids', 0], msg: 'No market with the id nowhere has been read from the venue' },
        { loc: ['body', 'market_ids', 2], msg: '"Will over win?" is closed' },
      ],
    });
    const same = { kind: 'exactly_one', market_ids: ['c', 'a', 'b'], title: null, note: 'One cup' } as const;
    await expect(addHumanRelation(desk.runtime, BOSS, same)).rejects.toMatchObject({
      status: 422,
      detail: [
        {
          loc: ['body', 'market_ids'],
          msg: 'These markets are a relation already: "Exactly one of 3 outcomes", proposed',
        },
      ],
    });
    const ladder = await added(desk, { ...LADDER, market_ids: ['fed', 'a'] });
    const again = addHumanRelation(desk.runtime, BOSS, { ...LADDER, market_ids: ['fed', 'a'] });
    await expect(again).rejects.toMatchObject({ status: 422 });
    expect(await added(desk, { ...LADDER, market_ids: ['a', 'fed'] })).not.toMatchObject({ id: ladder.id });
    await discovery.stop();
  });
});

describe('once the venue says something else of its members it', () => {
  it('is void where a rule has changed or a market has vanished, and counts with what has resolved', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db } = desk.runtime;
    const discovery = await openTwoEvents(desk);
    const ladder = await added(desk);
    await desk.approve(ladder);
    await desk.pass(3);
    desk.quote(INVERTED);
    await desk.pass(3);
    expect(await desk.found()).toMatchObject([{ active: true }]);

    desk.desk.events = [single('fed'), single('rates', { rules: 'Also by law.' })];
    await desk.pass();
    const changed = await stored(db, ladder.id);
    expect(changed).toMatchObject({ state: 'void', reason: 'Changed after it was read: rules' });
    expect(changed.fingerprint).not.toBe(ladder.fingerprint);
    expect(await desk.found()).toMatchObject([{ active: false }]);
    expect((await notified(db)).join()).toContain('the venue has changed rules');

    await desk.approve(changed);
    desk.desk.events = [
      single('fed'),
      single('rates', { rules: 'Also by law.', closed: true, resolvedValue: PRICE_ONE }),
    ];
    await desk.pass();
    expect(await stored(db, ladder.id)).toMatchObject({ state: 'approved', endedAt: null });

    desk.desk.events = desk.desk.events.filter(({ id }) => id !== 'fed');
    await desk.pass();
    expect(await stored(db, ladder.id)).toMatchObject({ state: 'void', endedAt: null });
    expect(await notified(db)).toHaveLength(2);
    await discovery.stop();
  });

  it('is void where that contradicts it, and over when all of its events are', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db } = desk.runtime;
    const discovery = await openTwoEvents(desk);
    const ladder = await added(desk);
    await desk.approve(ladder);
    desk.quote(UPRIGHT);
    await desk.pass(3);
    const end = { closed: true };
    desk.desk.events = [single('fed', { ...end, resolvedValue: PRICE_ONE }, end), single('rates')];
    await desk.pass();
    expect(await stored(db, ladder.id)).toMatchObject({ state: 'approved', endedAt: null });
    desk.desk.events = [
      desk.desk.events[0] ?? single('fed'),
      single('rates', { ...end, resolvedValue: PRICE_ZERO }, end),
    ];
    await desk.pass();
    const over = await stored(db, ladder.id);
    expect(over).toMatchObject({
      state: 'void',
      reason: 'Contradicted: fed came true and rates, which it implies, did not',
    });
    expect(over.endedAt).not.toBeNull();
    await expect(desk.approve(over)).rejects.toMatchObject({ status: 409 });
    await discovery.stop();
  });
});
