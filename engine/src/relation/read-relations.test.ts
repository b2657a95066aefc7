import { instantFromIso } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, PRICE_ZERO } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { eventOf, exclusiveOf, memberOf } from './catalogue-event.fixture.ts';
import type { CatalogueEvent, EventMember, Strike } from './catalogue-event.ts';
import { readRelations } from './read-relations.ts';
import type { Relation } from './relation.ts';

/** What was read besides the pairs. */
function together(event: CatalogueEvent): Relation[] {
  return readRelations(event).relations.filter(({ kind }) => kind !== 'pair');
}

function said(event: CatalogueEvent): [kind: string, basis: string, members: string[]][] {
  return together(event).map(({ kind, basis, members }) => [kind, basis, members.map(({ marketId }) => marketId)]);
}

describe('the outcomes of a market', () => {
  it('are a pair of each that is open and can be traded here, and of no other', () => {
    const event = eventOf([
      'Will it rain?',
      memberOf('Did it rain?', { closed: true, resolvedValue: PRICE_ONE }),
      memberOf('Who wins?', { outcomes: ['A', 'B', 'C'], tokenIds: ['1', '2', '3'] }),
      memberOf('Will it snow?', { leftOut: 'version v9 is not known' }),
      memberOf('Will it hail?', { tokenIds: [] }),
    ]);
    const { relations } = readRelations(event);
    expect(relations.map(({ key, basis, isComplete, isVoidSafe }) => [key, basis, isComplete, isVoidSafe])).toEqual([
      ['pair:Will it rain?', 'enforced', true, true],
    ]);
  });
});

describe('markets that exclude one another', () => {
  it('are exactly one where the contract’s count of them has no gap', () => {
    const [relation] = together(exclusiveOf(['a', 'b', 'c']));
    expect(relation).toMatchObject({
      key: 'exactly_one:e1',
      kind: 'exactly_one',
      basis: 'enforced',
      title: 'Exactly one of 3 outcomes',
      isComplete: true,
      isVoidSafe: true,
    });
    expect(relation?.members.map(({ role, marketId }) => [role, marketId])).toEqual([
      ['outcome', 'a'],
      ['outcome', 'b'],
      ['outcome', 'c'],
    ]);
  });

  it('are exactly one also where some have been decided already', () => {
    const lost = memberOf('b', { closed: true, resolvedValue: PRICE_ZERO });
    expect(said(exclusiveOf(['a', lost, 'c']))).toEqual([['exactly_one', 'enforced', ['a', 'b', 'c']]]);
  });

  it('are at most one without a member that is listed the other way round, open or decided, and it is said why', () => {
    const why =
      'A member is left out, because its outcomes are listed as No and Yes: which token pays when it comes true is not known';
    const outcomes = ['No', 'Yes'];
    for (const member of [
      memberOf('b', { outcomes }),
      memberOf('b', { outcomes: ['no ', 'YES'], closed: true, resolvedValue: PRICE_ONE }),
    ]) {
      const { relations, whyNot } = readRelations(exclusiveOf(['a', member, 'c']));
      expect(relations.map(({ kind, members }) => [kind, members.map(({ marketId }) => marketId)])).toEqual([
        ['pair', ['a']],
        ['pair', ['c']],
        ['at_most_one', ['a', 'c']],
      ]);
      expect(relations.at(-1)?.completeness).toBe(why);
      expect(whyNot).toBe(member.closed ? null : why);
    }
    expect(readRelations(exclusiveOf(['a', memberOf('b', { outcomes })]))).toMatchObject({
      relations: [{ kind: 'pair' }],
      whyNot: why,
    });
  });

  it.each<[string, CatalogueEvent, string]>([
    [
      'an unlisted outcome may come true',
      exclusiveOf(['a', 'b'], { augmented: true }),
      'An outcome that is not listed may come true',
    ],
    [
      'only a page of markets was read',
      exclusiveOf(['a', 'b'], { isWhole: false }),
      'The event was not read as a whole: members may be missing',
    ],
    [
      'the count has a gap',
      exclusiveOf(['a', memberOf('c', { memberIndex: 2 })]),
      'The places of its members have a gap: not all of them are listed',
    ],
    [
      'two have the same place',
      exclusiveOf(['a', memberOf('b', { memberIndex: 0 })]),
      'Two members have the same place in the contract',
    ],
    [
      'the contract has one more for everything else',
      exclusiveOf([memberOf('a', { arity: 2 }), memberOf('b', { arity: 2 })]),
      'The places of its members have a gap: not all of them are listed',
    ],
    [
      'ids are of two contracts',
      exclusiveOf([memberOf('a', { arity: 2 }), memberOf('b', { arity: 3 })]),
      'Members are of contracts with different numbers of members',
    ],
    [
      'nothing counts them',
      eventOf(['a', 'b'], { exclusive: 'declared' }),
      'The venue does not say which places its members have',
    ],
  ])('are at most one where %s', (_why, event, completeness) => {
    expect(together(event)).toMatchObject([{ kind: 'at_most_one', completeness, isComplete: false }]);
  });

  it('are exactly one with the contract’s outcome for everything else, where that is listed', () => {
    const members = ['a', 'b', 'other'].map((name) => memberOf(name, { arity: 2 }));
    expect(said(exclusiveOf(members))).toEqual([['exactly_one', 'enforced', ['a', 'b', 'other']]]);
  });

  it('are only those that the contract counts', () => {
    const spread = memberOf('Spread: a (-1.5)');
    const event = { ...exclusiveOf(['a', 'b']), id: 'e2' };
    const mixed = { ...event, members: [...event.members, spread] };
    expect(together(mixed)).toMatchObject([
      { kind: 'at_most_one', completeness: 'A market of the event is none of those that the contract counts' },
    ]);
    expect(said(mixed)[0]?.[2]).toEqual(['a', 'b']);
  });

  it('keep those that cannot be had, so that nothing changes where one closes or cannot be read', () => {
    const open = exclusiveOf(['a', 'b', 'c', 'd']);
    const changed = exclusiveOf(['a', 'b', memberOf('c', { closed: true }), memberOf('d', { leftOut: 'no tokens' })]);
    expect(together(changed)[0]?.fingerprintText).toBe(together(open)[0]?.fingerprintText);
  });

  it('are exactly one by their ranges too where a venue declares at most one and no value is left out', () => {
    const brackets = [
      memberOf('39 or below', { strike: { kind: 'below', cap: 39, hasCap: true } }),
      memberOf('40 to 41', { strike: { kind: 'between', floor: 40, cap: 41, hasFloor: true, hasCap: true } }),
      memberOf('42 or above', { strike: { kind: 'above', floor: 42, hasFloor: true } }),
    ].map((member) => ({ ...member, question: 'Will the high in New York be this?' }));
    const declared = (members: readonly EventMember[]) => said(eventOf(members, { exclusive: 'declared' }));
    expect(declared(brackets).map(([kind, basis]) => [kind, basis])).toEqual([
      ['at_most_one', 'declared'],
      ['exactly_one', 'parsed'],
    ]);
    expect(declared(brackets.slice(0, 2)).map(([kind]) => kind)).toEqual(['at_most_one']);
  });

  it('F14: are exactly one where the venue gives the ends in a field and its words put them otherwise for each range', () => {
    const asked = (said: string, strike: Strike) => memberOf(`Will the high in NYC be ${said}`, { strike });
    const named = [
      asked('<40° on Jan 3, 2026? (39° or below)', { kind: 'below', cap: 40, hasCap: false }),
      asked('40-41° on Jan 3, 2026? (40° to 41°)', {
        kind: 'between',
        floor: 40,
        cap: 41,
        hasFloor: true,
        hasCap: true,
      }),
      asked('>41° on Jan 3, 2026? (42° or above)', { kind: 'above', floor: 41, hasFloor: false }),
    ];
    const read = (members: readonly EventMember[]) =>
      together(eventOf(members, { exclusive: 'declared' })).map(({ kind }) => kind);
    expect(read(named)).toEqual(['at_most_one', 'exactly_one']);
    const [below, between, above] = named as [EventMember, EventMember, EventMember];
    for (const [of, by] of [
      ['NYC', 'Chicago'],
      ['Jan 3', 'Jan 4'],
      ['high', 'low'],
    ] as const)
      expect(read([below, { ...between, question: between.question.replace(of, by) }, above])).toEqual(['at_most_one']);
  });

  it('F11: are the relation that was approved where the venue lists its members in another order', () => {
    const listed = [
      memberOf('39 or below', { strike: { kind: 'below', cap: 39, hasCap: true } }),
      memberOf('40 to 41', { strike: { kind: 'between', floor: 40, cap: 41, hasFloor: true, hasCap: true } }),
      memberOf('42 or above', { strike: { kind: 'above', floor: 42, hasFloor: true } }),
    ];
    const prints = (members: readonly EventMember[]) =>
      together(eventOf(members, { exclusive: 'declared' })).map(({ key, fingerprintText }) => [key, fingerprintText]);
    expect(prints(listed)).toHaveLength(2);
    expect(prints(listed.toReversed())).toEqual(prints(listed));
  });

  it('are three hundred as well as two', () => {
    const event = exclusiveOf(Array.from({ length: 300 }, (_, place) => `Member ${place}`));
    expect(together(event)).toMatchObject([{ kind: 'exactly_one', title: 'Exactly one of 300 outcomes' }]);
  });

  it('count once where one is listed twice', () => {
    const twice = exclusiveOf(['a', 'b', memberOf('a again', { marketId: 'a', memberIndex: 0 })]);
    expect(said(twice)).toEqual([['exactly_one', 'enforced', ['a', 'b']]]);
  });
});

describe('markets that only look exclusive', () => {
  it('are watched one by one, and it is said why', () => {
    const event = eventOf([
      'New Rihanna Album before GTA VI?',
      'Trump out as President before GTA VI?',
      'Will bitcoin hit $1m before GTA VI?',
    ]);
    const { relations, whyNot } = readRelations(event);
    expect(relations.map(({ kind }) => kind)).toEqual(['pair', 'pair', 'pair']);
    expect(whyNot).toBe(
      'Several of its 3 markets may come true together, and no order between them was read from their words',
    );
  });
});

describe('a ladder', () => {
  it('is read from numbers above which something has to be, the hardest first', () => {
    const event = eventOf(['Will it close above $400?', 'Will it close above $500?', 'Will it close above $450?']);
    expect(together(event)).toMatchObject([
      { key: 'ladder:e1:Will it close above $400?', kind: 'ladder', basis: 'parsed', isVoidSafe: false },
    ]);
    expect(said(event)[0]?.[2]).toEqual([
      'Will it close above $500?',
      'Will it close above $450?',
      'Will it close above $400?',
    ]);
  });

  it('is read from numbers below which something has to be, the lowest first', () => {
    expect(said(eventOf(['Will it be below 5?', 'Will it be below 3?']))[0]?.[2]).toEqual([
      'Will it be below 3?',
      'Will it be below 5?',
    ]);
  });

  it('is what the venue declares, where its flag stands', () => {
    const event = eventOf(['Will it sell for over $16 million?', 'Will it sell for over $12 million?'], {
      nested: 'declared',
    });
    expect(together(event)).toMatchObject([{ kind: 'ladder', basis: 'declared' }]);
  });

  it('is read from dates until which something happens once, the earliest first', () => {
    const dated = (day: string, end: string) =>
      memberOf(`Will the strike end by ${day}, 2026?`, { endDate: instantFromIso(end) });
    const event = eventOf([
      dated('December 31', '2026-12-31T00:00:00Z'),
      dated('March 31', '2026-03-31T00:00:00Z'),
      dated('June 30', '2026-06-30T00:00:00Z'),
    ]);
    expect(said(event)).toEqual([
      [
        'ladder',
        'parsed',
        [
          'Will the strike end by March 31, 2026?',
          'Will the strike end by June 30, 2026?',
          'Will the strike end by December 31, 2026?',
        ],
      ],
    ]);
  });

  it('keeps its name and its rules where a step has been decided', () => {
    const easy = { question: 'Will it close above $400?', marketId: 'm1' };
    const rungs = (fields: Partial<EventMember>) =>
      together(
        eventOf([
          memberOf(easy.question, { ...easy, ...fields }),
          'Will it close above $450?',
          'Will it close above $500?',
        ]),
      )[0];
    const before = rungs({});
    const after = rungs({ closed: true, resolvedValue: PRICE_ONE });
    expect([after?.key, after?.fingerprintText]).toEqual([before?.key, before?.fingerprintText]);
  });

  const later = { endDate: instantFromIso('2026-06-30T00:00:00Z') };
  it.each<[string, CatalogueEvent]>([
    ['of different ends', eventOf(['FDV above $1B?', memberOf('FDV above $2B?', later)])],
    [
      'of different ends, though the venue declares it',
      eventOf(['FDV above $1B?', memberOf('FDV above $2B?', later)], { nested: 'declared' }),
    ],
    ['of different words', eventOf(['Will the high in Oslo be above 5?', 'Will the high in Rome be above 9?'])],
    [
      'of the largest and the last value',
      eventOf(['Will the highest close be above 5?', 'Will the last close be above 9?']),
    ],
    ['of different units', eventOf(['Will it be above $5?', 'Will it be above 9%?'])],
    [
      'of different sources',
      eventOf(['Is it above 5?', memberOf('Is it above 9?', { resolutionSource: 'https://other.example' })]),
    ],
    [
      'of the same number twice',
      eventOf(['Will it be above 5?', memberOf('Will it be above 5? ', { marketId: 'again' })]),
    ],
    ['one above, one below', eventOf(['Will it be above 5?', 'Will it be below 9?'])],
    ['of ranges', eventOf(['Will it be between 5 and 6?', 'Will it be between 7 and 8?'])],
    [
      'whose later date ends earlier',
      eventOf([memberOf('Will it end by March 31, 2026?'), memberOf('Will it end by June 30, 2026?', later)]),
    ],
    ['of exclusive members', exclusiveOf(['Will it be above 5?', 'Will it be above 9?'], { augmented: true })],
  ])('is not read from markets %s', (_what, event) => {
    expect(together(event).filter(({ kind }) => kind === 'ladder')).toEqual([]);
  });

  it('leaves out the step that is there twice', () => {
    const twice = memberOf('Will it be above 5? ', { marketId: 'again' });
    expect(said(eventOf(['Will it be above 4?', 'Will it be above 5?', twice, 'Will it be above 6?']))[0]?.[2]).toEqual(
      ['Will it be above 6?', 'Will it be above 4?'],
    );
  });

  it('is of each its own where an event asks of several', () => {
    const event = eventOf([
      'Kay: 2+ strikeouts?',
      'Kay: 3+ strikeouts?',
      'Boyd: 2+ strikeouts?',
      'Boyd: 4+ strikeouts?',
    ]);
    expect(said(event).map(([, , members]) => members)).toEqual([
      ['Kay: 3+ strikeouts?', 'Kay: 2+ strikeouts?'],
      ['Boyd: 4+ strikeouts?', 'Boyd: 2+ strikeouts?'],
    ]);
  });
});

describe('an event of which nothing is watched together', () => {
  it.each<[string, CatalogueEvent]>([
    ['The venue lists no market of it', eventOf([])],
    ['The venue did not say which markets it has', eventOf([], { isWhole: false })],
    ['All of its markets are closed', eventOf([memberOf('a', { closed: true })])],
    [
      'None of its markets can be traded here: version v9 is not known',
      eventOf([memberOf('a', { leftOut: 'version v9 is not known' })]),
    ],
    ['None of its markets has two tokens', eventOf([memberOf('a', { tokenIds: [] })])],
    ['Only 1 of its 2 markets is open and can be traded here', eventOf(['a', memberOf('b', { closed: true })])],
    ['Only a page of markets was read of it, with 1 of its markets', exclusiveOf(['a'], { isWhole: false })],
    [
      'It is exclusive, and the venue does not say which of its 2 markets are',
      eventOf(['a', 'b'], { exclusive: 'enforced' }),
    ],
    [
      'The venue says that its 2 markets are nested, and their order could not be read',
      eventOf(['a', 'b'], { nested: 'declared' }),
    ],
  ])('%s', (whyNot, event) => {
    expect(readRelations(event).whyNot).toBe(whyNot);
  });

  it('has no reason to give where it is one market, and a watched one', () => {
    expect(readRelations(eventOf(['a'])).whyNot).toBeNull();
  });
});
