import { instantFromMs } from '@dutchbook/units/instant.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJsonApi } from '../transport.ts';
import { type Venue, VenueUnavailable } from '../venue.ts';
import { PolymarketCatalogue } from './catalogue.ts';
import { openPolymarket } from './polymarket.ts';
import { openStandIn, type StandIn, TEST_RUNTIME } from './stand-in.fixture.ts';
import { createTicks } from './ticks.ts';

let standIn: StandIn;
let venue: Venue;
let nowMs = 0;

beforeEach(async () => {
  nowMs = 1_000_000;
  standIn = await openStandIn();
  standIn.answer('GET /gamma/markets/keyset', () => ({ markets: [] }));
  venue = await openPolymarket(standIn.config(), { ...TEST_RUNTIME, now: () => instantFromMs(nowMs) });
});

afterEach(async () => {
  await venue.close();
  await standIn.close();
});

function market(id: string, changes: object = {}) {
  return {
    conditionId: id,
    question: `Question ${id}`,
    outcomes: '["Yes","No"]',
    clobTokenIds: `["${id}-yes","${id}-no"]`,
    version: 'v1',
    closed: false,
    acceptingOrders: true,
    negRisk: true,
    endDate: '2026-12-31T12:00:00Z',
    orderMinSize: 5,
    orderPriceMinTickSize: 0.001,
    feesEnabled: true,
    feeSchedule: { rate: 0.04, exponent: 1, takerOnly: true, rebateRate: 0.25 },
    ...changes,
  };
}

const event = (id: string, ...markets: object[]) => ({
  id,
  title: `Event ${id}`,
  negRisk: true,
  negRiskAugmented: false,
  markets,
});

const catalogueReads = () => standIn.requests.filter((request) => request.includes('/gamma/'));
const listed = async () => (await venue.catalogue.searchMarkets({ skip: 0, limit: 100 })).data;

describe('the catalogue', () => {
  it('follows the cursor to the end, whatever the size of the pages', async () => {
    const pages = new Map([
      [null, { events: [event('1', market('a'))], next_cursor: 'two' }],
      ['two', { events: [], next_cursor: 'three' }],
      ['three', { events: [event('2', market('b'), market('c'))], next_cursor: '' }],
    ]);
    standIn.answer('GET /gamma/events/keyset', ({ query }) => pages.get(query.get('after_cursor')));
    standIn.answer('GET /gamma/markets/keyset', () => ({ markets: [market('b'), market('alone')] }));
    expect((await listed()).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'alone']);
  });

  it('does not loop when the cursor does not move', async () => {
    standIn.answer('GET /gamma/events/keyset', () => ({ events: [], next_cursor: 'same' }));
    await expect(listed()).rejects.toThrow('does not move on');
    standIn.answer('GET /gamma/events/keyset', ({ query }) => ({
      events: [],
      next_cursor: query.get('after_cursor') === 'one' ? 'other' : 'one',
    }));
    await expect(listed()).rejects.toThrow('does not move on');
  });

  it('says of a market what the venue says, in our units', async () => {
    standIn.answer('GET /gamma/events/keyset', () => ({ events: [event('1', market('a'), market('b'))] }));
    expect((await listed())[0]).toEqual({
      id: 'a',
      question: 'Question a',
      event: { id: '1', title: 'Event 1', negRisk: true, augmented: false, marketIds: ['a', 'b'] },
      outcomes: [
        { outcome: 'Yes', tokenId: 'a-yes' },
        { outcome: 'No', tokenId: 'a-no' },
      ],
      negRisk: true,
      settledBy: '0xe2222d279d744050d28e00520010520000310F59',
      endDate: Date.parse('2026-12-31T12:00:00Z'),
      closed: false,
      acceptingOrders: true,
      resolution: null,
      tick: 1_000,
      tickBands: [],
      minOrderSize: 5_000_000,
      minImmediateBuy: 1_000_000,
      immediateBuyStep: 10_000,
      sizeStep: 10_000,
      saleAmountStep: 100,
      feeSchedule: { rate: 40_000, step: 10 },
      makerFeeSchedule: { rate: 0, step: 10 },
      feeChange: null,
      pocket: 'cash',
      netsOutcomes: false,
      calledOffPays: 'as_promised',
      // Only what is asked for by its id is compared.
      differences: null,
    });
  });

  it.each([
    ['no fee', { feesEnabled: false, feeSchedule: null }, { rate: 0, step: 10 }],
    ['a schedule that is missing', { feeSchedule: null }, null],
    ['a fee of another form', { feeSchedule: { rate: 0.04, exponent: 2 } }, null],
  ])('reads %s', async (_, changes, schedule) => {
    standIn.answer('GET /gamma/events/keyset', () => ({ events: [event('1', market('a', changes))] }));
    expect((await listed())[0]?.feeSchedule).toEqual(schedule);
  });

  it.each([
    ['proposed', { umaResolutionStatus: 'proposed', umaResolutionStatuses: '["proposed"]' }],
    ['disputed', { umaResolutionStatus: 'disputed', umaResolutionStatuses: '["proposed", "disputed"]' }],
    ['disputed', { umaResolutionStatuses: '["proposed", "disputed"]' }],
    ['proposed', { umaResolutionStatus: 'under review' }],
    ['proposed', { umaResolutionStatus: 'resolved' }],
    [null, { umaResolutionStatus: '', umaResolutionStatuses: '[]' }],
    [null, { umaResolutionStatuses: 'no list' }],
  ])('reads a resolution as %s from %j', async (resolution, changes) => {
    standIn.answer('GET /gamma/events/keyset', () => ({ events: [event('1', market('a', changes))] }));
    expect((await listed())[0]).toMatchObject({ id: 'a', resolution });
  });

  it.each([
    [[500_000, 500_000], { outcomePrices: '["0.5","0.5"]', umaResolutionStatus: 'resolved' }],
    [[0, 1_000_000], { outcomePrices: '["0","1"]' }],
    // What a market shows that has never traded, that was not decided, or that trades.
    [[undefined, undefined], { outcomePrices: '["0.5","0.5"]' }],
    [[undefined, undefined], { outcomePrices: '["0","1"]', umaResolutionStatus: 'proposed' }],
    [[undefined, undefined], { outcomePrices: '["1","0"]', closed: false }],
    [[undefined, undefined], { outcomePrices: 7 }],
  ])('reads what shares of the outcomes pay as %j from %j', async (values, changes) => {
    const reported = market('a', { closed: true, ...changes });
    standIn.answer('GET /gamma/markets/keyset', ({ query }) => ({
      markets: query.get('closed') === String(reported.closed) ? [reported] : [],
    }));
    const read = await venue.catalogue.marketsById(['a'], 'display');
    expect(read.get('a')?.outcomes.map(({ resolvedValue }) => resolvedValue)).toEqual(values);
  });

  it('leaves out what cannot be traded safely, and keeps it among the markets of its event', async () => {
    const odd = [
      market('no version', { version: undefined }),
      market('future', { version: 'v3' }),
      market('three ways', { outcomes: '["A","B","C"]', clobTokenIds: '["1","2","3"]' }),
      market('no tokens', { clobTokenIds: '[]' }),
      market('bad json', { outcomes: '[' }),
      market('bad tick', { orderPriceMinTickSize: 0 }),
      { conditionId: 'nothing else' },
    ];
    standIn.answer('GET /gamma/events/keyset', () => ({ events: [event('1', market('good'), ...odd)] }));
    const markets = await listed();
    expect(markets.map(({ id }) => id)).toEqual(['good']);
    expect(markets[0]?.event?.marketIds).toHaveLength(8);
  });

  it('takes the tokens of a second-generation market from its positions', async () => {
    const positions = market('a', { version: 'v2', clobTokenIds: '["old","older"]', positionIds: ['p1', 'p2'] });
    standIn.answer('GET /gamma/events/keyset', () => ({ events: [event('1', positions)] }));
    expect((await listed())[0]?.outcomes.map(({ tokenId }) => tokenId)).toEqual(['p1', 'p2']);
  });

  it('asks for markets by id in chunks, closed ones too, and keeps an answer for a moment only', async () => {
    const asked: string[][] = [];
    standIn.answer('GET /gamma/markets/keyset', ({ query }) => {
      const ids = query.getAll('condition_ids');
      const closed = query.get('closed') === 'true';
      asked.push([String(closed), String(ids.length)]);
      return { markets: ids.filter((id) => id.startsWith('closed') === closed).map((id) => market(id, { closed })) };
    });
    const ids = [...Array.from({ length: 60 }, (_, index) => `m${index}`), 'closed-1'];
    const first = await venue.catalogue.marketsById(ids);
    expect(first.size).toBe(61);
    expect(first.get('closed-1')?.closed).toBe(true);
    expect(asked).toEqual([
      ['false', '50'],
      ['false', '11'],
      ['true', '1'],
    ]);
    nowMs += 4_000;
    await venue.catalogue.marketsById(ids);
    expect(asked).toHaveLength(3);
    nowMs += 2_000;
    await venue.catalogue.marketsById(['m1']);
    expect(asked).toHaveLength(4);
  });

  it('finds the only market of an event by the page of the event', async () => {
    standIn.answer('GET /gamma/events/keyset', ({ query }) => ({
      events: query.getAll('slug').map((slug) => ({ ...event('1', market('0xab')), slug })),
    }));
    const page = 'https://polymarket.com/event/rain-in-spain';
    const found = await venue.catalogue.references?.find([page], 'display');
    expect(found?.get(page)).toEqual({ kind: 'page', marketId: '0xab', outcome: null });
  });

  it('asks once for a market that many want at the same time', async () => {
    let calls = 0;
    standIn.answer('GET /gamma/markets/keyset', ({ query }) => {
      calls += 1;
      return { markets: query.getAll('condition_ids').map((id) => market(id)) };
    });
    const wanted = Array.from({ length: 12 }, (_, nth) => venue.catalogue.marketsById(['a', `b${nth % 2}`], 'display'));
    expect((await Promise.all(wanted)).map(({ size }) => size)).toEqual(wanted.map(() => 2));
    expect(calls).toBe(2);
  });

  it('knows a market by id that comes on a later page than the first', async () => {
    standIn.answer('GET /gamma/markets/keyset', ({ query }) => {
      if (query.get('closed') === 'true') return { markets: [] };
      const ids = query.getAll('condition_ids');
      const from = Number(query.get('after_cursor') ?? 0);
      return { markets: [market(ids[from] ?? '')], next_cursor: from + 1 < ids.length ? String(from + 1) : null };
    });
    expect([...(await venue.catalogue.marketsById(['a', 'b', 'c'])).keys()]).toEqual(['a', 'b', 'c']);
  });

  it('reads a market without a version as one of the first where its ids prove it, and else says why not', async () => {
    const old = `0x${'a1'.repeat(32)}`;
    const short = `0x${'a1'.repeat(31)}`;
    const filled = `${short}00`;
    const without = (id: string, changes = {}) => market(id, { version: null, ...changes });
    standIn.answer('GET /gamma/markets/keyset', ({ query }) => ({
      markets: query.get('closed') === 'true' ? [] : [without(old), without(short), without(filled)],
    }));
    const { catalogue } = venue;
    expect([...(await catalogue.marketsById([old, short, filled])).keys()]).toEqual([old]);
    expect(catalogue.whyLeftOut(old)).toBeNull();
    for (const id of [short, filled]) expect(catalogue.whyLeftOut(id)).toContain('does not say which version');
  });

  it.each([
    ['tick', { orderPriceMinTickSize: 0 }],
    ['version', { version: 'v3' }],
    ['tokens', { clobTokenIds: '[]' }],
  ])('knows a market no longer, except for its fills, while its %s cannot be read', async (_, odd) => {
    const config = standIn.config();
    const runtime = { ...TEST_RUNTIME, now: () => instantFromMs(nowMs) };
    const gamma = createJsonApi(config.gammaUrl, config.requestTimeoutMs, runtime);
    const catalogue = new PolymarketCatalogue({ gamma, clob: gamma }, config, runtime, createTicks(runtime.now), 137);
    const answer = (changes: object) =>
      standIn.answer('GET /gamma/markets/keyset', () => ({ markets: [market('a', changes), market('b')] }));
    const known = async () => [...(await catalogue.marketsById(['a', 'b'])).keys()];
    standIn.answer('GET /gamma/events/keyset', () => ({ events: [] }));
    answer({});
    const found = async () => (await catalogue.searchMarkets({ skip: 0, limit: 10 })).data.map(({ id }) => id);
    expect([await known(), await found()]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    answer(odd);
    nowMs += 6_000;
    expect([await known(), await found()]).toEqual([['b'], ['b']]);
    expect(await catalogue.knownMarket('a')).toMatchObject({
      id: 'a',
      tick: 1_000,
      feeSchedule: { rate: 40_000, step: 10 },
    });
    answer({});
    nowMs += 1_000;
    expect(await known()).toEqual(['a', 'b']);
  });

  it('goes on with the listing it has when a refresh fails', async () => {
    standIn.answer('GET /gamma/events/keyset', () => ({ events: [event('1', market('a'))] }));
    expect(await listed()).toHaveLength(1);
    standIn.answer('GET /gamma/events/keyset', () => 500);
    nowMs += 120_000;
    expect(await listed()).toHaveLength(1);
  });
});

describe('what was listed last', () => {
  it('is read in one call, each market with its event, and without those that have none or a foreign id', async () => {
    standIn.answer('GET /gamma/markets', () => [
      { conditionId: 'c', events: [{ id: 7 }] },
      { conditionId: 'b', events: [] },
      { conditionId: 'kalshi:x', events: [{ id: '8' }] },
      { conditionId: 'a', events: [{ id: '8' }] },
    ]);
    expect(await venue.catalogue.newestMarkets?.(200)).toEqual([
      { marketId: 'c', eventId: '7' },
      { marketId: 'a', eventId: '8' },
    ]);
    expect(catalogueReads().at(-1)).toContain('order=id&ascending=false&offset=200');
    standIn.answer('GET /gamma/markets', () => ({ markets: [] }));
    await expect(venue.catalogue.newestMarkets?.(0)).rejects.toThrow(VenueUnavailable);
  });
});

describe('reading events as wholes', () => {
  const read = async (cursor: string | null = null) => {
    const pages = [];
    for await (const page of venue.catalogue.readEvents(cursor)) pages.push(page);
    return pages.map(({ events, cursor: next }) => [events.map(({ id }) => id), next]);
  };

  it('follows the cursor, also over a page with nothing on it, and goes on behind any page', async () => {
    const pages = new Map([
      [null, { events: [event('1', market('a')), event('2', market('b'))], next_cursor: 'two' }],
      ['two', { events: [], next_cursor: 'three' }],
      ['three', { events: [event('3', market('c'))] }],
    ]);
    standIn.answer('GET /gamma/events/keyset', ({ query }) => pages.get(query.get('after_cursor')));
    expect(await read()).toEqual([
      [['1', '2'], 'two'],
      [[], 'three'],
      [['3'], null],
    ]);
    expect(await read('two')).toEqual([
      [[], 'three'],
      [['3'], null],
    ]);
  });

  it('leaves out what is no event, and nothing else of its page', async () => {
    standIn.answer('GET /gamma/events/keyset', () => ({
      events: [null, { title: 'No id' }, 5, event('1', market('a'))],
    }));
    expect(await read()).toEqual([[['1'], null]]);
  });

  it.each([
    ['does not answer', 500],
    ['does not take the cursor', 422],
    ['answers with half a page', { next_cursor: 'two' }],
    ['sends the same cursor again', { events: [], next_cursor: 'kept' }],
  ])('says so where the venue %s', async (_what, answer) => {
    standIn.answer('GET /gamma/events/keyset', () => answer);
    await expect(read('kept')).rejects.toThrow(VenueUnavailable);
    standIn.answer('GET /gamma/events/keyset', () => (typeof answer === 'number' ? answer : {}));
    await expect(venue.catalogue.eventsById(['1'], 'following')).rejects.toThrow(VenueUnavailable);
  });

  it('finds events by their ids, in questions that the venue takes', async () => {
    const asked: number[] = [];
    standIn.answer('GET /gamma/events/keyset', ({ query }) => {
      const ids = query.getAll('id');
      asked.push(ids.length);
      return { events: ids.filter((id) => id !== '7').map((id) => event(id, market(`m${id}`))) };
    });
    const ids = Array.from({ length: 120 }, (_, id) => String(id));
    const found = await venue.catalogue.eventsById(ids, 'following');
    expect(asked).toEqual([50, 50, 20]);
    expect(found.map(({ id }) => id)).toEqual(ids.filter((id) => id !== '7'));
  });

  it('reads an event once for all who ask within five seconds, and anew after that, after an error and for trading', async () => {
    let answer: unknown = 500;
    const calls = () => catalogueReads().filter((request) => request.includes('/gamma/events/')).length;
    const asked = () => venue.catalogue.eventsById(['1', 'unknown'], 'display');
    standIn.answer('GET /gamma/events/keyset', () => answer);
    await expect(asked()).rejects.toThrow(VenueUnavailable);
    answer = { events: [event('1', market('a'))] };
    const before = calls();
    const found = await Promise.all(Array.from({ length: 40 }, asked));
    expect(found.map((events) => events.map(({ id }) => id))).toEqual(found.map(() => ['1']));
    nowMs += 4_000;
    await asked();
    expect(calls() - before).toBe(1);
    await venue.catalogue.eventsById(['1'], 'trading');
    expect(calls() - before).toBe(2);
    nowMs += 2_000;
    await asked();
    expect(calls() - before).toBe(3);
    venue.forget();
    await asked();
    expect(calls() - before).toBe(4);
  });

  it('knows the markets that it has read, and why others cannot be traded', async () => {
    const odd = market('odd', { version: 'v9' });
    standIn.answer('GET /gamma/events/keyset', () => ({ events: [event('1', market('a'), odd)] }));
    await read();
    const before = catalogueReads();
    const known = await venue.catalogue.marketsById(['a']);
    expect(known.get('a')?.event).toMatchObject({ id: '1', marketIds: ['a', 'odd'] });
    expect(venue.catalogue.whyLeftOut('odd')).toBe('version v9 is not known');
    expect(catalogueReads()).toEqual(before);
  });

  it('leaves out what would pass for a market or a token of another venue', async () => {
    const strayTokens = JSON.stringify(['1', 'kalshi:X:no']);
    const strays = [market('kalshi:X'), market('b', { clobTokenIds: strayTokens })];
    standIn.answer('GET /gamma/events/keyset', () => ({ events: [event('1', market('a'), ...strays)] }));
    await read();
    expect(venue.catalogue.whyLeftOut('b')).toBe('its tokens are not called as tokens of this venue are');
    const known = await venue.catalogue.marketsById(['a', 'b', 'kalshi:X']);
    expect([...known.keys()]).toEqual(['a']);
  });
});
