import { describe, expect, it } from 'vitest';
import { END, eventOf, exclusiveOf, memberOf } from './catalogue-event.fixture.ts';
import type { CatalogueEvent, EventMember, Strike } from './catalogue-event.ts';
import { readAcross, readRelations, variableOf } from './read-relations.ts';
import type { Relation } from './relation.ts';

const BRACKETS = ['Will the high be 39°F or below?', 'Will the high be 40-41°F?', 'Will the high be 42°F or higher?'];

function thresholds(...questions: (EventMember | string)[]): CatalogueEvent {
  return eventOf(questions, { id: 'e2' });
}

/** Roles and questions, in order. */
function placed({ members }: Relation): string[] {
  return members.map(({ role, marketId }) => `${role === 'bucket' ? '' : '> '}${marketId}`);
}

describe('ranges in one event and thresholds in another', () => {
  it('are on one variable where their words agree but for the number', () => {
    expect(variableOf(exclusiveOf(BRACKETS))).toBe(variableOf(thresholds('Will the high be above 41°F?')));
    expect(variableOf(thresholds('Will the high be above 41°C?'))).not.toBe(variableOf(exclusiveOf(BRACKETS)));
    expect(variableOf(eventOf(['Will it be above 5?', 'Will that be above 5?']))).toBeNull();
    expect(variableOf(eventOf(['Who wins?']))).toBeNull();
  });

  it('are one relation, each threshold behind the ranges that imply it', () => {
    const [relation, ...others] = readAcross([
      exclusiveOf(BRACKETS),
      thresholds('Will the high be above 41°F?', 'Will the high be 40°F or higher?', 'Will the high be above 40.5°F?'),
    ]);
    expect(others).toEqual([]);
    expect(relation).toMatchObject({
      key: 'buckets:e1:above:Will the high be above 41°F?',
      kind: 'buckets',
      basis: 'parsed',
      isComplete: true,
      isVoidSafe: false,
    });
    expect(relation && placed(relation)).toEqual([
      'Will the high be 42°F or higher?',
      '> Will the high be above 41°F?',
      'Will the high be 40-41°F?',
      '> Will the high be 40°F or higher?',
      'Will the high be 39°F or below?',
    ]);
    expect(relation?.members.map(({ eventId }) => eventId)).toEqual(['e1', 'e2', 'e1', 'e2', 'e1']);
  });

  it('stand the other way round for what lies below', () => {
    const read = readAcross([exclusiveOf(BRACKETS), thresholds('Will the high be below 42°F?')]);
    expect(read.map(placed)).toEqual([
      [
        'Will the high be 39°F or below?',
        'Will the high be 40-41°F?',
        '> Will the high be below 42°F?',
        'Will the high be 42°F or higher?',
      ],
    ]);
  });

  it('are not known to be complete where the ranges are not', () => {
    const event = exclusiveOf(BRACKETS, { augmented: true });
    expect(readAcross([event, thresholds('Will the high be above 41°F?')])).toMatchObject([{ isComplete: false }]);
  });

  const words = [
    'Will he get less than 5 years?',
    'Will he get between 5 and 10 years?',
    'Will he get between 10 and 20 years?',
  ];
  const rules = 'If the value falls exactly between two brackets, it resolves to the higher range bracket.';
  it.each<[string, CatalogueEvent, CatalogueEvent]>([
    ['ranges share the end', exclusiveOf(words), thresholds('Will he get above 10 years?')],
    [
      'the range beside it is misspelled',
      exclusiveOf(['Will it be 5-9?', 'Will it be 10-14- ?', 'Will it be 15-19?']),
      thresholds('Will it be 9 or more?'),
    ],
    [
      'it is not known whether the threshold holds its end',
      exclusiveOf(['Will it be less than 5?', 'Will it be 5-9?']),
      thresholds(memberOf('Will it reach 5?')),
    ],
    [
      'the rules move the end',
      exclusiveOf([memberOf('Is it greater than 150?', { rules }), memberOf('Is it between 120 and 150?', { rules })]),
      thresholds('Is it above 150?'),
    ],
    [
      'the threshold cuts a range',
      exclusiveOf(['Will it be 5-9?', 'Will it be 10-14?']),
      thresholds('Will it be above 7?'),
    ],
    [
      'they end at different times',
      exclusiveOf(BRACKETS),
      thresholds(memberOf('Will the high be above 41°F?', { endDate: null })),
    ],
    [
      'their results are looked up in different places',
      exclusiveOf(BRACKETS),
      thresholds(memberOf('Will the high be above 41°F?', { resolutionSource: 'https://station-b.example' })),
    ],
    [
      'two thresholds have the same end',
      exclusiveOf(BRACKETS),
      thresholds('Will the high be above 41°F?', memberOf('Will the high be above 41°F? ', { marketId: 'again' })),
    ],
    ['one of them is over', exclusiveOf(BRACKETS), { ...thresholds('Will the high be above 41°F?'), closed: true }],
  ])('say nothing of one another where %s', (_why, buckets, others) => {
    expect(readAcross([buckets, others])).toEqual([]);
  });

  it('have a name that no word is part of', () => {
    const ids = (member: EventMember, place: number) => ({ ...member, marketId: `m${place}` });
    const read = (end: string) => {
      const buckets = exclusiveOf(BRACKETS.map((question) => memberOf(`${question}${end}`)));
      const other = thresholds(memberOf(`Will the high be above 41°F?${end}`, { marketId: 't1', endDate: END }));
      return readAcross([{ ...buckets, members: buckets.members.map(ids) }, other])[0]?.key;
    };
    expect(read('')).toBe('buckets:e1:above:t1');
    expect(read(' By the record.')).toBe(read(''));
  });
});

describe('ranges and thresholds of one event', () => {
  const counted = (memberIndex: number, strike: Strike) =>
    memberOf(`${strike.kind} ${memberIndex}`, { memberIndex, arity: 3, strike });
  const bucket = (line: number) =>
    counted(line, { kind: 'between', floor: line, cap: line + 1, hasFloor: true, hasCap: false });
  const line = (floor: number) => counted(0x8000 + floor, { kind: 'above', floor, hasFloor: true });
  const voided = counted(3, { kind: 'below', cap: 0, hasCap: false });

  it('are enforced where the contract counts them, and complete with its outcome for a void', () => {
    const event = eventOf([bucket(0), bucket(1), bucket(2), line(1), line(2), voided, 'other'], { nested: 'enforced' });
    const read = readRelations(event).relations.filter(({ kind }) => kind !== 'pair');
    expect(read.map(({ kind, basis, isComplete, isVoidSafe }) => [kind, basis, isComplete, isVoidSafe])).toEqual([
      ['ladder', 'enforced', false, true],
      ['buckets', 'enforced', true, true],
    ]);
    expect(read[1] && placed(read[1])).toEqual([
      'between 2',
      '> above 32770',
      'between 1',
      '> above 32769',
      'between 0',
      'below 3',
    ]);
  });

  it.each([
    ['the outcome for a void', [bucket(0), bucket(1), bucket(2), line(1)]],
    ['a range', [bucket(0), bucket(2), line(1), voided]],
  ])('are not complete without %s', (_what, members) => {
    const { relations } = readRelations(eventOf(members, { nested: 'enforced' }));
    expect(relations.filter(({ kind }) => kind === 'buckets')).toMatchObject([{ isComplete: false }]);
  });

  it('are read from words where no two ranges share a value', () => {
    const event = eventOf(['Will it be 5-9?', 'Will it be 10-14?', 'Will it be above 9?']);
    const [relation] = readRelations(event).relations.filter(({ kind }) => kind === 'buckets');
    expect(relation).toMatchObject({ basis: 'parsed', isComplete: false });
    const overlapping = eventOf(['Will it be 5-9?', 'Will it be 8-14?', 'Will it be above 20?']);
    expect(readRelations(overlapping).relations.filter(({ kind }) => kind === 'buckets')).toEqual([]);
  });
});
