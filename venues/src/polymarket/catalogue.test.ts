import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJsonApi } from '../transport.ts';
import { VenueUnavailable } from '../venue.ts';
import { event, type ListingSite, market, openListingSite } from './catalogue.fixture.ts';
import { PolymarketCatalogue } from './catalogue.ts';
import { createTicks } from './ticks.ts';

let site: ListingSite;
let standIn: ListingSite['standIn'];
let venue: ListingSite['venue'];

beforeEach(async () => {
  site = await openListingSite();
  ({ standIn, venue } = site);
});

afterEach(() => site.close());

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
    site.clock.nowMs += 4_000;
    await venue.catalogue.marketsById(ids);
    expect(asked).toHaveLength(3);
    site.clock.nowMs += 2_000;
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
    const { runtime } = site;
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
    site.clock.nowMs += 6_000;
    expect([await known(), await found()]).toEqual([['b'], ['b']]);
    expect(await catalogue.knownMarket('a')).toMatchObject({
      id: 'a',
      tick: 1_000,
      feeSchedule: { rate: 40_000, step: 10 },
    });
    answer({});
    site.clock.nowMs += 1_000;
    expect(await known()).toEqual(['a', 'b']);
  });

  it('goes on with the listing it has when a refresh fails', async () => {
    standIn.answer('GET /gamma/events/keyset', () => ({ events: [event('1', market('a'))] }));
    expect(await listed()).toHaveLength(1);
    standIn.answer('GET /gamma/events/keyset', () => 500);
    site.clock.nowMs += 120_000;
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
    expect(site.catalogueReads().at(-1)).toContain('order=id&ascending=false&offset=200');
    standIn.answer('GET /gamma/markets', () => ({ markets: [] }));
    await expect(venue.catalogue.newestMarkets?.(0)).rejects.toThrow(VenueUnavailable);
  });
});
