import type { CatalogueEvent, EventMember } from '@dutchbook/engine/relation/catalogue-event.ts';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { eq, isNotNull } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { relations } from '../relations/table.ts';
import { explainWatched } from './census.ts';
import { cupOf, memberOf, openDiscoveryDesk } from './discovery.fixture.ts';
import { catalogueMarkets } from './table.ts';

const QUESTION = { question: 'Will it rain in Oslo?', rules: 'By the record of the institute.' };

function listed(id: string, fields: Partial<EventMember> = {}, event: Partial<CatalogueEvent> = {}): CatalogueEvent {
  const members = [memberOf(`${id}-rain`, { ...QUESTION, ...fields }), memberOf(`${id}-snow`)];
  return cupOf([], { id, title: `Weather ${id}`, exclusive: null, members, ...event });
}

async function openWith(events: CatalogueEvent[]) {
  const desk = await openDiscoveryDesk();
  desk.desk.events = events;
  const discovery = await desk.start();
  await desk.pass();
  const ladders = async () =>
    (await desk.runtime.db.select().from(relations).where(eq(relations.kind, 'ladder')).orderBy(relations.key)).map(
      ({ key, state, endedAt, reason }) => [
        key.replace('ladder:twin:', ''),
        endedAt === null ? state : 'ended',
        reason,
      ],
    );
  return {
    ...desk,
    ladders,
    /** Another reading of the venue. */
    read: async (changed: CatalogueEvent[]) => {
      desk.desk.events = changed;
      await desk.pass();
    },
    [Symbol.asyncDispose]: async () => {
      await discovery.stop();
      await desk[Symbol.asyncDispose]();
    },
  };
}

const PROPOSED = [
  ['a-rain:b-rain', 'proposed', null],
  ['b-rain:a-rain', 'proposed', null],
];

describe('the lines of one game in two events', () => {
  const game = { startsAt: instantFromIso('2027-01-01T00:00:00Z'), gameId: '7' };
  const win = memberOf('win', {
    question: 'Kings vs. Hawks',
    outcomes: ['Kings', 'Hawks'],
    rules: 'If the Kings win, it resolves to "Kings".',
    game: { ...game, type: 'moneyline', line: null },
  });
  const lead = memberOf('lead', {
    question: 'Spread: Kings (-1.5)',
    outcomes: ['Kings', 'Hawks'],
    rules: 'It resolves to "Kings" if the Kings win the game by 2 or more points.',
    strike: { kind: 'above', floor: 1.5, hasFloor: false },
    game: { ...game, type: 'spreads', line: -1.5 },
  });
  const events = (changed: Partial<EventMember> = {}) => [
    cupOf([], { id: 'main', title: 'Kings vs. Hawks', exclusive: null, members: [win] }),
    cupOf([], { id: 'more', title: 'More markets', exclusive: null, members: [{ ...lead, ...changed }] }),
  ];
  const KEY = 'ladder:game:lead:win';

  it('are related by its number, void once it is another, and over with one of the events', async () => {
    await using desk = await openWith(events());
    expect(await desk.ladders()).toEqual([[KEY, 'proposed', null]]);
    const [before] = await desk.relations('ladder');
    await desk.pass(20);
    expect((await desk.relations('ladder'))[0]?.updatedAt).toBe(before?.updatedAt);
    await desk.read(events({ game: { ...game, type: 'spreads', line: -1.5, gameId: '8' } }));
    expect(await desk.ladders()).toEqual([[KEY, 'void', 'Changed after it was read: game']]);
    await desk.read(events().map((event) => ({ ...event, closed: event.id === 'main' })));
    expect(await desk.ladders()).toMatchObject([[KEY, 'ended', expect.anything()]]);
  });
});

describe('a question that two events list', () => {
  it('is found among all markets, and becomes an opportunity once it is approved', async () => {
    const others = Array.from({ length: 30 }, (_, place) =>
      listed(`o${place}`, { question: `Will it rain ${place}?` }),
    );
    await using desk = await openWith([listed('a'), ...others, listed('b')]);
    expect(await desk.ladders()).toEqual(PROPOSED);
    const marked = await desk.runtime.db.select().from(catalogueMarkets).where(isNotNull(catalogueMarkets.twin));
    expect(marked).toHaveLength(64);
    desk.quote({ 'a-rain': ['0.48', '0.50'], 'b-rain': ['0.60', '0.62'] });
    await desk.pass(3);
    expect(await desk.found()).toEqual([]);
    for (const relation of await desk.relations('ladder')) await desk.approve(relation);
    await desk.pass(3);
    desk.quote({ 'a-rain': ['0.47', '0.49'], 'b-rain': ['0.60', '0.62'] });
    await desk.pass(3);
    const [found, ...more] = await desk.found();
    expect(more).toEqual([]);
    expect(found).toMatchObject({ active: true, targetPrice: 1_000_000 });
    expect(found?.marketCombinations.map(({ markets }) => markets)).toEqual([
      [{ id: 'b-rain', outcome: 'No' }],
      [{ id: 'a-rain', outcome: 'Yes' }],
    ]);
  });

  it('names, where a user asks why, what no field says', async () => {
    await using desk = await openWith([listed('a'), listed('b'), listed('c', { rules: 'By lot.' })]);
    const why = async (id: string) => (await explainWatched(desk.runtime.db, id)).map(({ sentence }) => sentence);
    const alone =
      'What follows from it for another event (a nomination from a win, a ladder over several events) no field of the venue says: a superuser may add such a relation';
    const apart =
      'Several of its 2 markets may come true together, and no order between them was read from their words';
    expect(await why('c')).toEqual([
      expect.stringMatching(/^Watched by 2 relations, among them: Both outcomes of "[^"]+"\. /),
    ]);
    expect((await why('c'))[0]?.endsWith(`. ${apart}. ${alone}`)).toBe(true);
    expect(await why('a-rain')).toEqual([expect.stringMatching(/^Watched by 3 relations, among them: .*words$/)]);
  });

  it('is left as it is while nothing changes, and void both ways once the rules of one do', async () => {
    await using desk = await openWith([listed('a'), listed('b'), listed('c', { rules: 'By lot.' })]);
    const before = await desk.relations('ladder');
    await desk.pass(20);
    expect((await desk.relations('ladder')).map(({ updatedAt }) => updatedAt)).toEqual(
      before.map(({ updatedAt }) => updatedAt),
    );
    await desk.read([listed('a'), listed('b', { rules: 'By lot.' }), listed('c', { rules: 'By lot.' })]);
    const reason = 'Changed after it was read: rules';
    expect(await desk.ladders()).toEqual([
      ['a-rain:b-rain', 'void', reason],
      ['b-rain:a-rain', 'void', reason],
      ['b-rain:c-rain', 'proposed', null],
      ['c-rain:b-rain', 'proposed', null],
    ]);
    await desk.pass(20);
    const notified = await desk.runtime.db
      .select()
      .from(notifications)
      .where(eq(notifications.notificationType, 'relation_void'));
    // One for the relations within the event, one for those with another.
    expect(notified).toHaveLength(2);
  });

  it('is over where one of them closes, is decided or vanishes', async () => {
    await using desk = await openWith([listed('a'), listed('b')]);
    const over = PROPOSED.map(([key]) => [key, 'ended', null]);
    await desk.read([listed('a'), listed('b', { closed: true })]);
    expect(await desk.ladders()).toEqual(over);
    await desk.read([listed('a'), listed('b')]);
    expect(await desk.ladders()).toEqual(PROPOSED);
    await desk.read([listed('a'), listed('b', {}, { closed: true })]);
    expect(await desk.ladders()).toEqual(over);
    await desk.read([listed('a'), listed('b')]);
    expect(await desk.ladders()).toEqual(PROPOSED);
    await desk.read([listed('a')]);
    expect(await desk.ladders()).toEqual(over);
  });

  it('stands beside what is read of two events on one variable', async () => {
    const range = (question: string, strike: EventMember['strike']) =>
      memberOf(question, { question: 'Will the high be this?', strike, rules: `By ${question}.` });
    const buckets = [
      range('low', { kind: 'below', cap: 39, hasCap: true }),
      range('high', { kind: 'above', floor: 40, hasFloor: true }),
    ].map((member, memberIndex) => ({ ...member, memberIndex }));
    const threshold = range('over', { kind: 'above', floor: 40, hasFloor: true });
    const copy = { ...threshold, marketId: 'copy', tokenIds: ['copy:yes', 'copy:no'] };
    await using desk = await openWith([
      cupOf([], { id: 'ranges', members: buckets }),
      cupOf([], { id: 'lines', exclusive: null, members: [threshold] }),
      cupOf([], { id: 'other', exclusive: null, members: [copy, memberOf('else', { question: 'Is it over 5?' })] }),
    ]);
    await desk.pass(20);
    expect((await desk.ladders()).map(([key, state]) => [key, state])).toEqual([
      ['copy:over', 'proposed'],
      ['over:copy', 'proposed'],
    ]);
    expect((await desk.relations('buckets')).map(({ state }) => state)).toEqual(['proposed']);
  });
});
