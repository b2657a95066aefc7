import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import { readRelations } from '@dutchbook/engine/relation/read-relations.ts';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { readGammaMarket } from '../listed-market.ts';
import { readCatalogueEvent } from './read-event.ts';

const QUESTION_ID = `0x${'7e'.repeat(31)}`;

/** A market of the first generation, the `place`th of its negative-risk event. */
function counted(place: number, changes: object = {}) {
  return {
    conditionId: `0x${'a'.repeat(62)}${(16 + place).toString(16)}`,
    questionID: `${QUESTION_ID}${place.toString(16).padStart(2, '0')}`,
    slug: `market-${place}`,
    question: `Will number ${place} win?`,
    groupItemTitle: `Number ${place}`,
    description: 'It resolves by the record.',
    resolutionSource: 'https://example.com',
    outcomes: '["Yes","No"]',
    outcomePrices: '["0.31","0.69"]',
    clobTokenIds: `["${place}1","${place}2"]`,
    version: 'v1',
    closed: false,
    acceptingOrders: true,
    negRisk: true,
    endDate: '2026-12-31T12:00:00Z',
    orderMinSize: 5,
    orderPriceMinTickSize: 0.001,
    feesEnabled: false,
    ...changes,
  };
}

/** A position of Protocol V2: module, number of members and place are in its id. */
function position(module: number, arity: number, condition: number, changes: object = {}) {
  const event = (BigInt(module) << 248n) | (0xabcdefn << 120n) | (BigInt(arity) << 104n);
  const id = event | (BigInt(condition) << 8n);
  return {
    ...counted(0, { conditionId: `0x${(id >> 8n).toString(16).padStart(62, '0')}00`, questionID: null }),
    question: `Position ${condition}`,
    version: 'v2',
    negRisk: module === 2,
    clobTokenIds: undefined,
    positionIds: [String(id), String(id | 1n)],
    ...changes,
  };
}

function read(markets: unknown, changes: object = {}): CatalogueEvent | null {
  return readCatalogueEvent({ id: 7, title: 'The cup', markets, ...changes }, (raw) => readGammaMarket(raw, 137));
}

const exclusive = { negRisk: true, enableNegRisk: true };
const memberOf = (market: object, changes: object = exclusive) => read([market], changes)?.members[0];
const places = (event: CatalogueEvent | null) => event?.members.map(({ memberIndex }) => memberIndex);

describe('an event of the catalogue', () => {
  it('is read in fields of ours', () => {
    const event = read([counted(3)], {
      ...exclusive,
      slug: 'the-cup',
      endDate: '2026-12-31T12:00:00Z',
      negRiskAugmented: true,
      series: [{ slug: 'cups' }],
    });
    const endDate = instantFromIso('2026-12-31T12:00:00Z');
    const {
      members: [member],
      ...head
    } = event ?? { members: [] };
    expect(head).toEqual({
      id: '7',
      slug: 'the-cup',
      title: 'The cup',
      series: 'cups',
      endDate,
      closed: false,
      exclusive: 'enforced',
      augmented: true,
      nested: null,
      isWhole: true,
    });
    expect(member).toEqual({
      marketId: counted(3).conditionId,
      slug: 'market-3',
      question: 'Will number 3 win?',
      groupTitle: 'Number 3',
      rules: 'It resolves by the record.',
      clarifications: null,
      resolutionSource: 'https://example.com',
      endDate,
      outcomes: ['Yes', 'No'],
      tokenIds: ['31', '32'],
      memberIndex: 3,
      arity: null,
      strike: null,
      game: null,
      feeSchedule: { rate: 0, step: 10 },
      closed: false,
      resolvedValue: null,
      leftOut: null,
    });
  });

  it('is nested where its flag says so', () => {
    expect(read([counted(0)], { cumulativeMarkets: true })?.nested).toBe('declared');
  });

  it('is an event without its markets, or with one that cannot be read, and none without an id', () => {
    expect(read(undefined)).toMatchObject({ isWhole: false, members: [] });
    expect(read('soon')).toMatchObject({ isWhole: false, members: [] });
    expect(read([null, {}, 'market', counted(0)])?.members).toHaveLength(1);
    expect(read([], { id: undefined })).toBeNull();
  });

  it('keeps a market that cannot be traded here, and why', () => {
    expect(memberOf(counted(0, { clobTokenIds: undefined }))).toMatchObject({
      tokenIds: [],
      leftOut: '2 outcomes and 0 tokens, not two of each',
    });
    expect(memberOf(counted(0, { version: 'v9' }))?.leftOut).toBe('version v9 is not known');
    const reversed = {
      outcomes: '["No","Yes"]',
      outcomePrices: '["1","0"]',
      closed: true,
      umaResolutionStatus: 'resolved',
    };
    expect(memberOf(counted(0, reversed))).toMatchObject({
      resolvedValue: null,
      leftOut: 'its outcomes are listed as No and Yes: which token pays when it comes true is not known',
    });
  });
});

describe('the place of a market in its contract', () => {
  it('is the last byte of its question, among questions that begin alike', () => {
    const other = { questionID: `0x${'1f'.repeat(31)}02` };
    expect(places(read([counted(0), counted(1), counted(2, other)], exclusive))).toEqual([0, 1, null]);
  });

  it('is unknown of one that is no part of the negative-risk event, whatever its event says', () => {
    expect(places(read([counted(0), counted(1), counted(2, { negRisk: false })], exclusive))).toEqual([0, 1, null]);
  });

  it('is in the ids of Protocol V2, with the number of members', () => {
    const event = read([position(2, 2, 0), position(2, 2, 1), position(2, 2, 2)], {});
    expect(event?.exclusive).toBe('enforced');
    expect(event?.members.map(({ memberIndex, arity }) => [memberIndex, arity])).toEqual([
      [0, 2],
      [1, 2],
      [2, 2],
    ]);
  });

  it('is taken from no token that is none of its condition', () => {
    const { conditionId } = position(2, 2, 1);
    expect(places(read([position(2, 2, 0, { conditionId })], exclusive))).toEqual([null]);
  });

  it('is chosen by the version, not by which ids are there', () => {
    const both = { clobTokenIds: '["1","2"]' };
    expect(memberOf(position(2, 2, 1, both))).toMatchObject({ memberIndex: 1, arity: 2 });
    const first = counted(4, { positionIds: position(2, 2, 1).positionIds });
    expect(memberOf(first)).toMatchObject({ memberIndex: 4, arity: null, tokenIds: ['41', '42'] });
  });

  it('makes ranges and thresholds of the directional module one relation, with its outcome for a void, listed or not', () => {
    const listed = [0, 1, 2, 0x8001, 0x8002].map((condition) => position(4, 3, condition));
    const behind = position(4, 3, 3);
    for (const event of [read(listed), read([...listed, behind])]) {
      expect([event?.nested, event?.exclusive]).toEqual(['enforced', null]);
      expect(event?.members.map(({ strike }) => strike?.kind)).toEqual([
        'between',
        'between',
        'between',
        'above',
        'above',
        'below',
      ]);
      expect(event?.members.at(-1)).toMatchObject({ marketId: behind.conditionId, memberIndex: 3, arity: 3 });
      const relations = event === null ? [] : readRelations(event).relations;
      const together = relations.filter(({ kind }) => kind !== 'pair');
      expect(together.map(({ kind, basis, isComplete }) => [kind, basis, isComplete])).toEqual([
        ['ladder', 'enforced', false],
        ['buckets', 'enforced', true],
      ]);
    }
    expect(read(listed)?.members.at(-1)?.leftOut).not.toBeNull();
  });
});

describe('what a closed market is worth', () => {
  it.each<[string, object, number | null]>([
    ['won', { outcomePrices: '["1","0"]', umaResolutionStatus: 'resolved' }, 1_000_000],
    ['lost', { outcomePrices: '["0", "1"]', umaResolutionStatus: 'resolved' }, 0],
    ['lost, by the venue itself', { outcomePrices: '["0","1"]' }, 0],
    ['voided', { outcomePrices: '["0.5","0.5"]', umaResolutionStatus: 'resolved' }, 500_000],
    ['never traded', { outcomePrices: '["0.5","0.5"]' }, null],
    ['not decided yet', { outcomePrices: '["0","1"]', umaResolutionStatus: 'proposed' }, null],
    ['still at its last price', { outcomePrices: '["0.25","0.75"]' }, null],
    ['of a decided market that was not paid out', { outcomePrices: '["0.00000078","0.99999922"]' }, null],
    ['unreadable', { outcomePrices: '[]' }, null],
    ['not said', { outcomePrices: undefined }, null],
  ])('is read where it is %s', (_what, changes, value) => {
    expect(memberOf(counted(0, { closed: true, ...changes }))?.resolvedValue).toBe(value);
  });

  it('is nothing of an open one, whatever its prices', () => {
    expect(memberOf(counted(0, { outcomePrices: '["1","0"]' }))?.resolvedValue).toBeNull();
  });
});

describe('the strike of a market', () => {
  const line = (question: string, value: number, outcomes: string[], type = 'totals') =>
    memberOf(counted(0, { question, line: value, sportsMarketType: type, outcomes: JSON.stringify(outcomes) }), {})
      ?.strike;

  it('is the line of a game', () => {
    const above = (floor: number) => ({ kind: 'above', floor, hasFloor: false });
    expect(line('Kings vs. Blazers: O/U 239.5', 239.5, ['Over', 'Under'])).toEqual(above(239.5));
    expect(line('Joel Embiid: Rebounds Over 7.5', 7.5, ['Yes', 'No'], 'rebounds')).toEqual(above(7.5));
    expect(line('Spread: Kings (-1.5)', -1.5, ['Kings', 'Capitals'], 'spreads')).toEqual(above(1.5));
    expect(line('Spread: Knicks (-4.5)', 4.5, ['Knicks', 'Celtics'], 'spreads')).toEqual(above(4.5));
    expect(line('Spread: Knicks (+4.5)', 4.5, ['Knicks', 'Celtics'], 'spreads')).toEqual(above(-4.5));
  });

  it('is nothing where a result may fall on the line, or its side is not known', () => {
    expect(line('Kings vs. Blazers: O/U 239', 239, ['Over', 'Under'])).toBeNull();
    expect(line('Kings vs. Blazers: O/U 239.5', 239.5, ['Under', 'Over'])).toBeNull();
    expect(line('Spread: Kings (-1.5)', -1.5, ['Capitals', 'Kings'], 'spreads')).toBeNull();
    expect(line('Match winner', 0.5, ['Kings', 'Capitals'], 'moneyline')).toBeNull();
  });

  it('stands beside the game that it is of, with what is known of that', () => {
    const game = (fields: object) => memberOf(counted(0, fields), {})?.game;
    const startsAt = instantFromIso('2026-02-07T23:00:00Z');
    const fields = { sportsMarketType: 'spreads', line: -1.5, gameStartTime: '2026-02-07 23:00:00+00' };
    expect(game({ ...fields, gameId: '1337039' })).toEqual({
      type: 'spreads',
      line: -1.5,
      gameId: '1337039',
      startsAt,
    });
    expect(game({ ...fields, gameId: 1337039 })).toMatchObject({ gameId: '1337039' });
    expect(game({ ...fields, gameId: '', line: 'x', gameStartTime: 'soon' })).toEqual({
      type: 'spreads',
      line: null,
      gameId: null,
      startsAt: null,
    });
    expect(game({ line: 2.5, gameId: '1' })).toBeNull();
  });

  it('is never the order in which a group is shown, nor the two numbers that a field has even for "over"', () => {
    const shown = { groupItemThreshold: '1', groupItemRange: '[16000000,17000000]' };
    expect(memberOf(counted(0, { question: 'Will it sell for over $16 million?', ...shown }))?.strike).toBeNull();
  });
});

describe('texts of any kind', () => {
  it('are kept as they are, and break nothing', () => {
    const description = '<img src=x onerror=alert(1)>\u0000'.repeat(4_000);
    expect(memberOf(counted(0, { description }))?.rules).toBe(description);
    const odd = memberOf(counted(0, { question: 5, endDate: 'soon', outcomes: '{"a":1}', questionID: 'q', line: 'x' }));
    expect(odd).toMatchObject({ question: '', endDate: null, outcomes: [], memberIndex: null, strike: null });
  });

  it('of 250 markets, each listed twice, are one set of 250', () => {
    const markets = Array.from({ length: 250 }, (_, place) =>
      counted(place, { conditionId: `0x${String(1000 + place).padStart(64, 'a')}` }),
    );
    const event = read([...markets, ...markets], exclusive);
    const relations = event === null ? [] : readRelations(event).relations;
    expect(relations.filter(({ kind }) => kind !== 'pair')).toMatchObject([
      { kind: 'exactly_one', title: 'Exactly one of 250 outcomes' },
    ]);
  });
});
