import { instantFromIso } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { eventOf, memberOf } from './catalogue-event.fixture.ts';
import type { CatalogueEvent, EventMember, GameMarket } from './catalogue-event.ts';
import { readAcross, readRelations, variableOf } from './read-relations.ts';
import { differencesBetween, snapshotOf } from './snapshot.ts';

const STARTS = instantFromIso('2026-02-07T23:00:00Z');
const OVERTIME = 'The result will be determined based on the final score including any overtime periods.';
const CANCELED = 'If the game is canceled entirely, with no make-up game, this market will resolve 50-50.';

type Given = { game?: Partial<GameMarket>; rules?: string } & Omit<Partial<EventMember>, 'game' | 'rules'>;

/** A market of a game, with the line that its field gives it. */
function asked(
  type: string,
  question: string,
  over: number | null,
  { game, rules = '', ...fields }: Given,
): EventMember {
  return memberOf(question, {
    strike: over === null ? null : { kind: 'above', floor: over, hasFloor: false },
    rules: `${rules}\n\n${CANCELED}`,
    ...fields,
    game: { type, line: over, gameId: null, startsAt: STARTS, ...game },
  });
}

const total = (over: number, given: Given = {}) =>
  asked('totals', `Kings vs. Hawks: O/U ${over}`, over, {
    outcomes: ['Over', 'Under'],
    rules: `This market will resolve to "Over" if the Kings and Hawks combine to score ${Math.ceil(over)} or more points in this game.`,
    ...given,
  });
const score = (side: string, over: number, given: Given = {}) =>
  asked('team_totals', `${side} Team Total: O/U ${over}`, over, {
    outcomes: ['Over', 'Under'],
    rules: `This market will resolve to "Over" if the ${side} score ${Math.ceil(over)} or more points in this game.`,
    ...given,
  });
const half = (over: number, given: Given = {}) =>
  asked('first_half_totals', `Kings vs. Hawks: 1H O/U ${over}`, over, {
    outcomes: ['Over', 'Under'],
    rules: `It will resolve to "Over" if the Kings and Hawks combine to score ${Math.ceil(over)} or more points in the first half. The result will be determined based on the score at halftime only.`,
    ...given,
  });
const lead = (side: string, over: number, given: Given = {}) =>
  asked('spreads', `Spread: ${side} (-${over})`, over, {
    outcomes: [side, 'the others'],
    rules: `This market will resolve to "${side}" if the ${side} win the game by ${Math.ceil(over)} or more points.`,
    ...given,
  });
const win = (given: Given = {}) =>
  asked('moneyline', 'Kings vs. Hawks', null, {
    outcomes: ['Kings', 'Hawks'],
    rules:
      'If the Kings win, the market will resolve to "Kings". If the Hawks win, the market will resolve to "Hawks".',
    ...given,
  });

const ladders = (event: CatalogueEvent) => readRelations(event).relations.filter(({ kind }) => kind === 'ladder');
const said = (...members: EventMember[]) =>
  ladders(eventOf(members)).map((relation) => relation.members.map((m) => m.marketId));

describe('lines of one game', () => {
  it('of one type are a ladder, the highest total or lead first', () => {
    expect(said(total(210.5), total(220.5), total(215.5))).toEqual([
      ['Kings vs. Hawks: O/U 220.5', 'Kings vs. Hawks: O/U 215.5', 'Kings vs. Hawks: O/U 210.5'],
    ]);
    expect(said(lead('Kings', 1.5), lead('Kings', 6.5), lead('Hawks', 2.5))).toEqual([
      ['Spread: Kings (-6.5)', 'Spread: Kings (-1.5)'],
    ]);
  });

  it('say of the nearest total what one side or the first half has scored', () => {
    expect(said(score('Kings', 110.5), total(100.5), total(105.5), total(120.5)).at(-1)).toEqual([
      'Kings Team Total: O/U 110.5',
      'Kings vs. Hawks: O/U 105.5',
    ]);
    const both = said(score('Kings', 110.5), score('Kings', 112.5), score('Hawks', 108.5), total(108.5));
    expect(both).toContainEqual(['Kings Team Total: O/U 110.5', 'Kings vs. Hawks: O/U 108.5']);
    expect(both).toContainEqual(['Hawks Team Total: O/U 108.5', 'Kings vs. Hawks: O/U 108.5']);
    expect(both).toHaveLength(3);
    expect(said(half(108.5), total(105.5, { rules: `${total(105.5).rules} ${OVERTIME}` }))).toEqual([
      ['Kings vs. Hawks: 1H O/U 108.5', 'Kings vs. Hawks: O/U 105.5'],
    ]);
  });

  it('say of a win what a win by some says, and who says so', () => {
    const event = eventOf([lead('Kings', 3.5), win(), lead('Kings', 1.5), lead('Hawks', 1.5)]);
    const relation = ladders(event).at(-1);
    expect(relation).toMatchObject({
      key: 'ladder:game:Spread: Kings (-1.5):Kings vs. Hawks',
      basis: 'parsed',
      title: 'A win by more than 1.5 implies a win',
      readFrom: [
        'sportsMarketType = spreads, moneyline',
        'line = 1.5, none',
        'gameStartTime = 2026-02-07T23:00:00.000Z',
      ],
      isVoidSafe: false,
      template: null,
    });
    expect(ladders(event)).toHaveLength(2);
    expect(ladders(event).map(({ title }) => title)).toContain('Each of 2 steps implies the easier ones');
  });

  it('say the same where the win is a question of three', () => {
    const asks = (side: string, groupTitle = side) =>
      win({
        marketId: `win of ${side}`,
        question: `Will ${side} win on 2026-02-07?`,
        groupTitle,
        outcomes: ['Yes', 'No'],
        rules: `If ${side} wins, this market will resolve to "Yes".`,
      });
    const draw = win({
      marketId: 'draw',
      question: 'Will Kings vs. Hawks end in a draw?',
      groupTitle: 'Draw (Kings vs. Hawks)',
      outcomes: ['Yes', 'No'],
      rules: 'If the game ends in a draw, this market will resolve to "Yes".',
    });
    expect(said(lead('Kings', 1.5), asks('Kings'), asks('Hawks'), draw)).toEqual([
      ['Spread: Kings (-1.5)', 'win of Kings'],
    ]);
    expect(said(lead('Kings', 1.5), asks('Kings', 'Hawks'), draw)).toEqual([]);
  });

  it.each<[string, EventMember[]]>([
    ['a whole line may be met exactly', [total(210), total(220)]],
    [
      'a whole line may be met exactly, whatever the words',
      [
        total(7, { question: 'Goals over 7?', outcomes: ['Yes', 'No'], strike: null }),
        total(9, { question: 'Goals over 9?', outcomes: ['Yes', 'No'], strike: null }),
      ],
    ],
    ['the side of a whole line may be met exactly', [score('Kings', 110), total(105.5)]],
    ['the halves are other periods', [half(105.5), score('Kings', 110.5)]],
    ['a total is higher than what the side scores', [score('Kings', 100.5), total(105.5)]],
    ['the win is the other side’s', [lead('Hawks', 1.5), win()]],
    ['the first half is won', [lead('Kings', 1.5), win({ game: { type: 'first_half_moneyline' } })]],
    [
      'overtime counts for one of them',
      [lead('Kings', 1.5, { rules: `${lead('Kings', 1.5).rules} ${OVERTIME}` }), win()],
    ],
    [
      'the win is one of the first quarter by its rules',
      [lead('Kings', 1.5), win({ rules: 'If the Kings win the first quarter, it resolves to "Kings".' })],
    ],
    ['overtime counts by a clarification', [score('Kings', 110.5, { clarifications: OVERTIME }), total(105.5)]],
    ['it is a player’s', [asked('points', 'Fox: Points O/U 30.5', 30.5, { outcomes: ['Over', 'Under'] }), total(20.5)]],
    [
      'other things are counted',
      [score('Kings', 2.5), total(1.5, { rules: 'Over if they combine to score 2 or more goals in this game.' })],
    ],
    [
      'maps are counted',
      [score('Kings', 2.5), total(1.5, { rules: 'Over if they play 2 or more games in this series.' })],
    ],
    [
      'the rules have another number',
      [score('Kings', 110.5), total(105.5, { rules: 'If they combine to score 105 or more points in this game.' })],
    ],
    ['the handicap helps the side', [lead('Kings', -1.5), win()]],
    ['there are two that look the same', [score('Kings', 110.5), total(105.5), total(105.5, { marketId: 'again' })]],
    ['they begin at different times', [score('Kings', 110.5), total(105.5, { game: { startsAt: null } })]],
    [
      'the venue gives them different numbers',
      [score('Kings', 110.5, { game: { gameId: '1' } }), total(105.5, { game: { gameId: '2' } })],
    ],
    [
      'it is not known when they begin',
      [score('Kings', 110.5, { game: { startsAt: null } }), total(105.5, { game: { startsAt: null } })],
    ],
  ])('say nothing of one another where %s', (_why, members) => {
    expect(said(...members)).toEqual([]);
  });

  it('that cannot be compared are answered for by their types', () => {
    const { whyNot } = readRelations(
      eventOf([half(100.5), win(), asked('rebounds', 'Fox: Rebounds O/U 7.5', 7.5, {})]),
    );
    expect(whyNot).toBe(
      'Of its 3 markets of a game none is known to follow from another, by their types: first_half_totals, moneyline, rebounds',
    );
  });

  it('are too many to be compared beyond a thousand', () => {
    const many = Array.from({ length: 1_001 }, (_, place) => total(1_000.5 + place));
    expect(said(score('Kings', 2_000.5), ...many)).toHaveLength(1);
  });
});

describe('lines of one game in two events', () => {
  const game = { gameId: '1337' };
  const events = (other: Partial<GameMarket> = game) => [
    eventOf([win({ game }), 'Will it rain?']),
    eventOf([lead('Kings', 1.5, { game: other }), total(210.5, { game: other })], { id: 'e2' }),
  ];

  it('are related where the venue gives both the same number', () => {
    const [one, other] = events();
    expect(one && variableOf(one)).toBe('game 1337');
    expect(other && variableOf(other)).toBe('game 1337');
    expect(readAcross(events())).toMatchObject([
      {
        key: 'ladder:game:Spread: Kings (-1.5):Kings vs. Hawks',
        members: [{ eventId: 'e2' }, { eventId: 'e1' }],
        readFrom: [expect.anything(), expect.anything(), 'gameId = 1337'],
      },
    ]);
  });

  it('are not by the time at which they begin alone, nor where it differs', () => {
    expect(readAcross(events({ gameId: null }))).toEqual([]);
    expect(readAcross(events({ ...game, startsAt: instantFromIso('2026-02-08T23:00:00Z') }))).toEqual([]);
  });

  it('have no number in common where an event has several', () => {
    expect(variableOf(eventOf([win({ game }), win({ marketId: 'again', game: { gameId: '7' } })]))).toBeNull();
  });
});

describe('what a relation of a game depends on', () => {
  const read = (given: Given) => ladders(eventOf([lead('Kings', 1.5, given), win()]))[0];
  const members = [{ eventId: 'e1', marketId: 'Spread: Kings (-1.5)', role: 'threshold' as const }];
  const snapshot = (given: Given) => snapshotOf(members, [eventOf([lead('Kings', 1.5, given)])]);

  it('is also its line and number, and of no other relation', () => {
    expect(read({ game: { gameId: '8' } })?.fingerprintText).not.toBe(read({})?.fingerprintText);
    const pair = (given: Given) => readRelations(eventOf([lead('Kings', 1.5, given), win()])).relations[0];
    expect(pair({ game: { gameId: '8' } })?.fingerprintText).toBe(pair({})?.fingerprintText);
  });

  it('is shown where it changes, and not where it was not kept before', () => {
    expect(differencesBetween(snapshot({}), snapshot({ game: { gameId: '8' } }))).toEqual([
      { marketId: 'Spread: Kings (-1.5)', field: 'game', before: 'spreads / 1.5', after: 'spreads / 1.5 / 8' },
    ]);
    const { game: _, ...kept } = snapshot({}).members['Spread: Kings (-1.5)'] ?? {};
    expect(differencesBetween({ ...snapshot({}), members: { 'Spread: Kings (-1.5)': kept } }, snapshot({}))).toEqual(
      [],
    );
  });
});
