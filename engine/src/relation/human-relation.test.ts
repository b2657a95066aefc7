import { PRICE_ONE } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { eventOf, exclusiveOf, memberOf } from './catalogue-event.fixture.ts';
import { humanFingerprint, humanRelation, problemsOf, type Statement, withoutLost } from './human-relation.ts';

const EVENTS = [exclusiveOf(['a', 'b', 'c']), eventOf(['x', 'y'], { id: 'e2' })];

function statement(marketIds: string[], kind: Statement['kind'] = 'ladder'): Statement {
  return { kind, marketIds, title: null, note: 'It cannot be otherwise', by: 'boss@example.com' };
}

describe('a statement', () => {
  it('becomes a relation with its members in the order that was given, whichever events they are of', () => {
    expect(humanRelation(statement(['y', 'a', 'x']), EVENTS)).toMatchObject({
      ...{ kind: 'ladder', basis: 'human', title: 'Each of 3 steps implies the easier ones', template: null },
      members: [
        { eventId: 'e2', marketId: 'y', role: 'threshold' },
        { eventId: 'e1', marketId: 'a', role: 'threshold' },
        { eventId: 'e2', marketId: 'x', role: 'threshold' },
      ],
      readFrom: ['It cannot be otherwise', 'Added by boss@example.com'],
      ...{ isComplete: false, isVoidSafe: false },
    });
    expect(humanRelation({ ...statement(['a', 'b'], 'at_most_one'), title: 'One cup' }, EVENTS)).toMatchObject({
      ...{ title: 'One cup', isComplete: false, isVoidSafe: true },
      members: [{ role: 'outcome' }, { role: 'outcome' }],
    });
  });

  it('is void-safe only within one contract that counts all of its members', () => {
    const isSafe = (marketIds: string[], events = EVENTS) =>
      humanRelation(statement(marketIds, 'exactly_one'), events).isVoidSafe;
    expect([isSafe(['a', 'b']), isSafe(['a', 'x']), isSafe(['x', 'y'])]).toEqual([true, false, false]);
    expect(isSafe(['a', 'b'], [exclusiveOf(['a', 'b'], { exclusive: 'declared' })])).toBe(false);
    expect(isSafe(['a', 'b'], [eventOf(['a', 'b'], { exclusive: 'enforced' })])).toBe(false);
  });

  it('is the same in any order, but for a ladder', () => {
    const key = (marketIds: string[], kind: Statement['kind']) => humanRelation(statement(marketIds, kind), EVENTS).key;
    expect(key(['a', 'b'], 'at_most_one')).toBe(key(['b', 'a'], 'at_most_one'));
    expect(key(['a', 'b'], 'ladder')).not.toBe(key(['b', 'a'], 'ladder'));
    expect(key(['a', 'b'], 'exactly_one')).not.toBe(key(['a', 'b'], 'at_most_one'));
  });

  it('has a problem at each market that is unknown or has ended', () => {
    const ended = eventOf([memberOf('x', { closed: true }), memberOf('y', { resolvedValue: PRICE_ONE })], { id: 'e2' });
    const over = eventOf(['z'], { id: 'e3', closed: true });
    const reversed = eventOf([memberOf('w', { outcomes: ['No', 'Yes'] })], { id: 'e4' });
    expect(problemsOf(statement(['q', 'a', 'x', 'y', 'z', 'w']), [exclusiveOf(['a']), ended, over, reversed])).toEqual([
      { place: 0, reason: 'No market with the id q has been read from the venue' },
      { place: 2, reason: '"x" is closed' },
      { place: 3, reason: '"y" is closed' },
      { place: 4, reason: '"z" is closed' },
      {
        place: 5,
        reason: '"w": its outcomes are listed as No and Yes: which token pays when it comes true is not known',
      },
    ]);
    expect(problemsOf(statement(['a', 'y']), EVENTS)).toEqual([]);
  });
});

describe('what a statement depends on', () => {
  const { members, fingerprintText } = humanRelation(statement(['a', 'x']), EVENTS);
  const now = (...events: typeof EVENTS) => humanFingerprint('ladder', members, events);

  it('is the same whatever order its events are read in and however its members end', () => {
    const [cup = eventOf([]), other = eventOf([], { id: 'e2' })] = EVENTS;
    expect(now(other, cup)).toBe(fingerprintText);
    const ends = other.members.map((member) => ({ ...member, closed: true, resolvedValue: PRICE_ONE }));
    expect(now(cup, withoutLost({ ...other, closed: true, members: ends }))).toBe(fingerprintText);
  });

  it('is another once a rule is, or an event has gone and left a member open', () => {
    const [cup = eventOf([]), other = eventOf([], { id: 'e2' })] = EVENTS;
    const ruled = other.members.map((member) => ({ ...member, rules: 'By lot.' }));
    expect(now(cup, { ...other, members: ruled })).not.toBe(fingerprintText);
    expect(now(cup, withoutLost({ ...other, closed: true }))).not.toBe(fingerprintText);
    expect(now(cup)).not.toBe(fingerprintText);
  });
});
