import type { MarketReply } from '@dutchbook/contract/markets.ts';
import { describe, expect, it } from 'vitest';
import { type Draft, EMPTY_DRAFT, legsOf, movedTo, nextLeg, onAll, toggled } from './draft.ts';
import { draftFromText, judge, textOf, wireOf } from './draft-json.ts';
import { isWhole, targetWarning, wholeEventOf } from './whole-event.ts';

const yes = (id: string) => ({ id, outcome: 'Yes' });
const withLegs = (...legs: [string, number][]): Draft =>
  legs.reduce((draft, [id, leg]) => toggled(draft, yes(id), leg), EMPTY_DRAFT);

describe('picking', () => {
  it('puts outcomes into legs, moves them between legs, and drops a leg with its last position', () => {
    const draft = withLegs(['a', 1], ['b', 2], ['c', 2]);
    expect(legsOf(draft.positions)).toEqual([
      { leg: 1, markets: [yes('a')] },
      { leg: 2, markets: [yes('b'), yes('c')] },
    ]);
    const moved = movedTo(draft, yes('c'), nextLeg(draft.positions));
    expect(legsOf(moved.positions).map(({ leg }) => leg)).toEqual([1, 2, 3]);
    expect(legsOf(toggled(moved, yes('a'), 9).positions).map(({ leg }) => leg)).toEqual([2, 3]);
  });

  it('takes a whole event with what the set is worth', () => {
    const market = (id: string) => ({ id, outcomes: [{ outcome: 'Yes' }, { outcome: 'No' }] }) as MarketReply;
    const event = ['a', 'b', 'c', 'd'].map(market);
    expect(onAll(EMPTY_DRAFT, event, 'YES')).toMatchObject({ targetPrice: '1' });
    const no = onAll(withLegs(['z', 7]), event, 'NO');
    expect(no.targetPrice).toBe('3');
    expect(no.positions.map(({ leg, id, outcome }) => `${leg} ${id} ${outcome}`)).toEqual([
      '1 a No',
      '2 b No',
      '3 c No',
      '4 d No',
    ]);
  });
});

describe('the target price of a whole event', () => {
  const listed = (id: string, market_count: number) =>
    ({ id, outcomes: [{ outcome: 'Yes' }, { outcome: 'No' }], event: { title: 'Cup', market_count } }) as MarketReply;
  const markets = (market_count: number) => ['a', 'b', 'c'].map((id) => listed(id, market_count));
  const taken = (side: 'YES' | 'NO', market_count = 3) => {
    const event = wholeEventOf(EMPTY_DRAFT, markets(market_count), side);
    return { event, draft: { ...EMPTY_DRAFT, ...event.set } };
  };

  it.each(['YES', 'NO'] as const)('of %s holds for all of it in whatever legs, and for no other set', (side) => {
    const { event, draft } = taken(side);
    const [first = yes('none'), second = yes('none')] = draft.positions;
    const moved = movedTo(draft, first, 2);
    expect([isWhole(moved, event), targetWarning(moved, event)]).toEqual([true, undefined]);
    const without = toggled(draft, first, 1);
    const exchanged = toggled(without, yes('z'), 1);
    expect([without, exchanged].map((other) => isWhole(other, event))).toEqual([false, false]);
    for (const other of [without, exchanged]) expect(targetWarning(other, event)).toMatch(/all 3 outcomes of “Cup”/);
    expect(targetWarning({ ...without, targetPrice: '0.5' }, event)).toBeUndefined();
    expect(targetWarning(toggled(toggled(taken(side).draft, first, 1), second, 1), event)).toBeDefined();
  });

  it('is doubtful for YES while something of the event is not listed, and stays the least that NO pays', () => {
    expect(targetWarning(taken('YES', 5).draft, taken('YES', 5).event)).toMatch(/^2 markets of “Cup” cannot be bought/);
    expect(taken('NO', 5).event.set.targetPrice).toBe('2');
    expect(targetWarning(taken('NO', 5).draft, taken('NO', 5).event)).toBeUndefined();
  });
});

describe('the JSON text', () => {
  it('says the draft, and is read back to the same', () => {
    const draft: Draft = { ...withLegs(['a', 1], ['b', 2]), targetPrice: '1.25', active: false, source: 'desk' };
    expect(draftFromText(textOf(draft))).toEqual({ draft });
    expect(draftFromText('{"market_combinations":[{"leg":4,"markets":[{"id":"a","outcome":"Yes"}]}]}')).toEqual({
      draft: withLegs(['a', 4]),
    });
  });

  it.each([
    ['{"market_combinations": [', /^The end: Not JSON/],
    ['{\n  "market_combinations" []}', /^Line 2, column \d+: Not JSON/],
    ['[]', /^The whole: Invalid input: expected object/],
    [
      '{"market_combinations":[{"leg":1,"markets":[{"id":"a"}]}]}',
      /^market_combinations\[0\]\.markets\[0\]\.outcome: Invalid input: expected string/,
    ],
    ['{"market_combinations":[],"target_price":1}', /^market_combinations: At least one leg is needed/],
    [textOf({ ...withLegs(['a', 1]), targetPrice: '0' }), /^target_price: target_price must be greater than 0/],
  ])('names what is wrong with %s and where', (text, said) => {
    const read = draftFromText(text);
    expect('problems' in read ? read.problems.map(({ place, message }) => `${place}: ${message}`)[0] : '').toMatch(
      said,
    );
  });

  it.each(['', 'one', '1e3', '-1', '0', '.'])('refuses %j as a target price', (targetPrice) => {
    const judged = judge(wireOf({ ...withLegs(['a', 1]), targetPrice }));
    expect('problems' in judged && judged.problems.map(({ place }) => place)).toEqual(['target_price']);
  });
});
