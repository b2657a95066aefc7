import { AS_LISTED } from '@dutchbook/engine/relation/snapshot.ts';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { presentRelation } from '../relations/present.ts';
import { relations } from '../relations/table.ts';
import { cupOf, memberOf, openDiscoveryDesk } from './discovery.fixture.ts';
import { readCatalogueEvents } from './relation-changes.ts';

const NAMES = ['a', 'b', 'c'];
const BY_RESULT = 'The market of b resolves by the official result.';
const BY_LOT = 'The market of b resolves by lot.';

function cupWith(ofB: Parameters<typeof memberOf>[1], ofCup: Parameters<typeof cupOf>[1] = {}) {
  const members = NAMES.map((name, memberIndex) => memberOf(name, { memberIndex, ...(name === 'b' && ofB) }));
  return cupOf([], { members, ...ofCup });
}

async function differencesOf(desk: Awaited<ReturnType<typeof openDiscoveryDesk>>) {
  const [cup] = await desk.relations('exactly_one');
  if (cup === undefined) throw new Error('no relation');
  const shown = presentRelation(cup, {
    kindsOn: desk.settings.current(),
    isFollowed: false,
    events: await readCatalogueEvents(desk.runtime.db, [cup]),
    quotes: new Map(),
    now: desk.runtime.clock.now(),
  });
  return { state: shown.state, fields: shown.differences.map(({ field, before, after }) => [field, before, after]) };
}

it('keeps no rules of its own where a relation is within one event, and those that were trusted once they change', async () => {
  const desk = await openDiscoveryDesk();
  await using _ = desk;
  const { db } = desk.runtime;
  desk.desk.events = [cupWith({})];
  const discovery = await desk.start();
  await desk.pass();
  for (const { snapshot, trusted } of await db.select().from(relations))
    expect([snapshot, trusted]).toEqual([AS_LISTED, AS_LISTED]);
  expect(await differencesOf(desk)).toEqual({ state: 'proposed', fields: [] });

  // What the event is called changes no rule, and is shown beside the rule that changes later.
  desk.desk.events = [cupWith({}, { title: 'Cup' })];
  await desk.pass();
  expect((await differencesOf(desk)).state).toBe('proposed');
  desk.desk.events = [cupWith({ rules: BY_LOT }, { title: 'Cup' })];
  await desk.pass();
  expect(await differencesOf(desk)).toEqual({
    state: 'void',
    fields: [
      ['title', 'The cup', 'Cup'],
      ['rules', BY_RESULT, BY_LOT],
    ],
  });

  const [cup] = await desk.relations('exactly_one');
  if (cup === undefined) throw new Error('no relation');
  await desk.approve(cup);
  expect(await differencesOf(desk)).toEqual({ state: 'approved', fields: [] });
  desk.desk.events = [cupWith({}, { title: 'Cup' })];
  await desk.pass();
  expect(await differencesOf(desk)).toEqual({ state: 'void', fields: [['rules', BY_LOT, BY_RESULT]] });
  await discovery.stop();
});

it('is void where its rules have changed while its event was over, or not listed', async () => {
  for (const away of [[], [cupWith({ rules: BY_LOT }, { closed: true })]]) {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    desk.desk.events = [cupWith({})];
    const discovery = await desk.start();
    await desk.pass();
    desk.desk.events = away;
    await desk.pass();
    const [ended] = await desk.runtime.db.select().from(relations).where(sql`kind = 'exactly_one'`);
    expect(ended?.endedAt).not.toBeNull();
    desk.desk.events = [cupWith({ rules: BY_LOT })];
    await desk.pass();
    expect(await differencesOf(desk)).toEqual({
      state: 'void',
      fields: [['rules', BY_RESULT, BY_LOT]],
    });
    await discovery.stop();
  }
});
