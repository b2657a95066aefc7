import type { listMarkets } from '@dutchbook/contract/markets.ts';
import { openPolymarket } from '@dutchbook/venues/polymarket/polymarket.ts';
import { openStandIn, TEST_RUNTIME } from '@dutchbook/venues/polymarket/stand-in.fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { openTestApp } from '../../platform/http/app.fixture.ts';
import { openApp } from '../../platform/http/open-app.ts';
import { registerMarkets } from './routes.ts';

type Listed = z.input<(typeof listMarkets)['reply']>;

function gammaMarket(id: string, question: string) {
  return {
    conditionId: id,
    question,
    outcomes: '["Yes","No"]',
    clobTokenIds: `["${id}-yes","${id}-no"]`,
    version: 'v1',
    closed: false,
    acceptingOrders: true,
    settledBy: 'exchange',
    negRisk: true,
    endDate: '2026-12-31T12:00:00Z',
    orderMinSize: 5,
    orderPriceMinTickSize: 0.001,
    feesEnabled: true,
    feeSchedule: { rate: 0.04, exponent: 1 },
  };
}

const CITIES = ['Oslo', 'Łódź', 'Zürich'];
const MARKETS_OF_CROWD = 600;
const CROWD_EVENTS = 6;

/** A few events to look for among thousands of markets. */
const EVENTS = [
  {
    id: '1',
    title: 'Where will it snow first?',
    negRisk: true,
    negRiskAugmented: true,
    markets: CITIES.map((city, at) => gammaMarket(`snow-${at + 1}`, `Snow in ${city}?`)),
  },
  {
    id: '2',
    title: 'Who takes the cup?',
    negRisk: true,
    markets: [
      gammaMarket('cup-a', 'Will the Snowmen win?'),
      { ...gammaMarket('cup-b', 'Will the Others win?'), version: 'unheard of' },
      { ...gammaMarket('cup-c', ''), question: null },
      { ...gammaMarket('cup-d', 'Did others win?'), version: 'unheard of', closed: true },
    ],
  },
  ...Array.from({ length: CROWD_EVENTS }, (_, event) => ({
    id: `crowd-${event}`,
    title: `Crowd ${event}`,
    negRisk: true,
    markets: Array.from({ length: MARKETS_OF_CROWD }, (_, nth) => gammaMarket(`c${event}-${nth}`, `Number ${nth}?`)),
  })),
];

describe('the markets call', () => {
  let served: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served.close());

  async function serve() {
    const site = await openTestApp();
    const standIn = await openStandIn();
    standIn.answer('GET /gamma/events/keyset', () => ({ events: EVENTS }));
    standIn.answer('GET /gamma/markets/keyset', () => ({ markets: [] }));
    const venue = await openPolymarket(standIn.config(), TEST_RUNTIME);
    const { runtime } = site.test;
    const app = await openApp(runtime, site.sessions, { webFolder: runtime.config.dataDir, onAnswer: () => {} });
    registerMarkets(app, runtime, { names: venue.names, catalogue: venue.catalogue, isKept: () => false });
    const { headers } = await site.signedIn();
    return {
      list: async (query: Record<string, string>) => {
        const reply = await app.http.inject({ url: `/api/v1/markets?${new URLSearchParams(query)}`, headers });
        expect(reply.statusCode).toBe(200);
        return reply.json<Listed>();
      },
      close: async () => {
        await app.http.close();
        await venue.close();
        await standIn.close();
        await site[Symbol.asyncDispose]();
      },
    };
  }

  it('finds by part of a question or of an event’s title, in any case, and among thousands', async () => {
    const found = async (search: string) => (await served.list({ search })).data.map(({ id }) => id);
    expect(await found('SNOW')).toEqual(['snow-1', 'snow-2', 'snow-3', 'cup-a']);
    expect(await found('  will it snow FIRST ')).toEqual(['snow-1', 'snow-2', 'snow-3']);
    expect(await found('in łódź?')).toEqual(['snow-2']);
    expect(await found('100%_')).toEqual([]);
    expect(await served.list({ search: 'crowd 5', skip: '599', limit: '7' })).toMatchObject({
      data: [{ id: 'c5-599', question: 'Number 599?' }],
      count: MARKETS_OF_CROWD,
    });
    expect((await served.list({})).count).toBe(CITIES.length + 1 + CROWD_EVENTS * MARKETS_OF_CROWD);
  });

  it('says which markets cannot be traded here, and why, by the same words as of the others', async () => {
    const others = {
      id: 'cup-b',
      question: 'Will the Others win?',
      event: { id: '2', title: 'Who takes the cup?', augmented: false, market_count: 4 },
      reason: 'version unheard of is not known',
    };
    const nameless = { ...others, id: 'cup-c', question: '', reason: 'field question is not as documented' };
    const listed = async (query: Record<string, string>) => (await served.list(query)).left_out;
    expect(await listed({ search: 'others' })).toEqual({ data: [others], count: 1 });
    expect(await listed({ event: '2' })).toEqual({ data: [others, nameless], count: 2 });
    expect(await listed({ event: '2', skip: '5', limit: '1' })).toEqual({ data: [others], count: 2 });
    expect((await listed({})).count).toBe(2);
    expect(await listed({ search: 'snow' })).toEqual({ data: [], count: 0 });
  });

  it('hands over a whole event in one answer, and tells it from one of which something is missing', async () => {
    const whole = await served.list({ event: '1', limit: '1000' });
    const event = { id: '1', title: 'Where will it snow first?', augmented: true, market_count: 3 };
    expect(whole.count).toBe(3);
    expect(whole.data.map((market) => market.event)).toEqual([event, event, event]);
    expect(whole.data[0]).toMatchObject({
      outcomes: [
        { outcome: 'Yes', token_id: 'snow-1-yes' },
        { outcome: 'No', token_id: 'snow-1-no' },
      ],
      neg_risk: true,
      end_date: '2026-12-31T12:00:00.000Z',
      accepting_orders: true,
      tick_size: 0.001,
      min_order_size: 5,
      fee_rate: 0.04,
    });
    expect(await served.list({ event: '2' })).toMatchObject({ count: 1, data: [{ event: { market_count: 4 } }] });
    expect(await served.list({ event: '1', search: 'oslo' })).toMatchObject({ count: 1 });
    expect(await served.list({ event: 'no-such' })).toEqual({
      data: [],
      count: 0,
      left_out: { data: [], count: 0 },
      still_reading: false,
    });
    expect((await served.list({ event: 'crowd-0', limit: '1000' })).data).toHaveLength(MARKETS_OF_CROWD);
  });
});
