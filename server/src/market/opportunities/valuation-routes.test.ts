import { DEPTH_LEVELS_MAX } from '@dutchbook/contract/valuation.ts';
import { eventOf, feeOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import type { PlainLevel } from '../prices/quotes/scripted-markets.fixture.ts';
import { openSite, type Site } from './routes.fixture.ts';
import { opportunities } from './table.ts';

const PREVIEW = '/arbitrage/preview';
const OPPORTUNITIES = '/arbitrage/opportunities';
const leg = (leg: number, id: string, outcome = 'Yes') => ({ leg, markets: [{ id, outcome }] });
const SET = [leg(1, 'rain'), leg(2, 'snow')];

function quote({ desk }: Site, asks: Record<'rain' | 'snow', readonly PlainLevel[]>): void {
  desk.venue.list('rain', { feeSchedule: feeOf(0.05) });
  desk.venue.list('snow');
  desk.venue.setBooks({ 'rain:yes': { asks: asks.rain }, 'snow:yes': { asks: asks.snow, bids: [['0.3', '7']] } });
}

const CHEAP = { rain: [['0.41', '100']], snow: [['0.5', '40']] } as const;
const idOf = (reply: { json: unknown }) => (reply.json as { id: string }).id;

describe('a preview', () => {
  it('values positions by fresh books with the fee of each market, stores nothing and follows nothing', async () => {
    await using site = await openSite();
    quote(site, CHEAP);
    const { db } = site.desk.test.runtime;
    expect(await site.call('POST', PREVIEW, { market_combinations: SET })).toMatchObject({
      status: 200,
      json: {
        target_price: 1,
        current_price: 0.91,
        // 0.05 x 0.41 x 0.59 = 0.012095, to five decimals and up.
        fees_per_set: 0.0121,
        profit_percentage: 8.448107,
        max_profitable_size: 40,
        positions: [
          { leg: 1, question: 'Will rain happen?', token_id: 'rain:yes', price: 0.41, fee: 0.0121, feed: 'polled' },
          { leg: 2, best_bid: 0.3, best_ask: 0.5, depth_usd: 20, fee: 0, book_age_ms: 0 },
        ],
        flags: [],
        error: null,
        duplicate_of: null,
      },
    });
    expect(await db.$count(opportunities)).toBe(0);
    expect(await db.$count(auditLog)).toBe(0);
    site.desk.venue.calls.length = 0;
    await site.desk.test.time.advance(120_000);
    expect(site.desk.venue.subscribed()).toEqual(new Set());
    expect(site.desk.venue.calls).toEqual([]);
    expect(site.desk.published).toEqual([]);
  });

  it('names the opportunity that has these positions already, whatever their spelling and order', async () => {
    await using site = await openSite();
    quote(site, CHEAP);
    const id = idOf(await site.call('POST', OPPORTUNITIES, { market_combinations: SET, target_price: 0.97 }));
    const request = { market_combinations: [leg(7, 'snow', ' yes'), leg(3, 'rain', 'YES')], target_price: 0.95 };
    expect(await site.call('POST', PREVIEW, request)).toMatchObject({
      json: { duplicate_of: id, target_price: 0.95, profit_percentage: 3.025702 },
    });
    expect(await site.desk.stored(id)).toMatchObject({ targetPrice: 970_000 });
  });

  it('says what is wrong instead of failing', async () => {
    await using site = await openSite();
    quote(site, CHEAP);
    const preview = async (market_combinations: unknown) =>
      (await site.call('POST', PREVIEW, { market_combinations })).json;
    expect(await preview([leg(1, 'rain'), leg(2, 'hail')])).toMatchObject({
      current_price: null,
      profit_percentage: null,
      max_profitable_size: null,
      positions: [{ price: 0.41 }, { price: null, question: null }],
      error: 'Leg 2 (Yes, market hail): the venue does not know this market',
    });
    expect(await preview([leg(1, 'rain', 'Maybe')])).toMatchObject({
      error: 'Leg 1 (Maybe, "Will rain happen?"): no such outcome, only "Yes" and "No"',
    });
    expect(await preview([leg(1, 'rain'), leg(2, 'rain', 'yes')])).toMatchObject({
      positions: [],
      error: 'The same market and outcome stands twice',
    });
    site.desk.venue.answers = false;
    expect(await preview(SET)).toMatchObject({
      current_price: null,
      max_profitable_size: null,
      positions: [{ leg: 1 }, { leg: 2 }],
      error: 'The venue does not answer. Try again in a moment.',
    });
    expect(await site.call('POST', PREVIEW, { market_combinations: [] })).toMatchObject({ status: 422 });
  });

  it('flags what is doubtful', async () => {
    await using site = await openSite();
    quote(site, { rain: [['0.3', '100']], snow: [['0.3', '100']] });
    const flags = async (target_price: number) =>
      (await site.call('POST', PREVIEW, { market_combinations: SET, target_price })).json;
    expect(await flags(1)).toMatchObject({ flags: ['too_good_to_be_true'] });
    expect(await flags(0.65)).toMatchObject({ flags: [] });
    const event = eventOf({ augmented: true, marketIds: ['rain', 'snow', 'other'] });
    for (const id of ['rain', 'snow']) site.desk.venue.list(id, { event, negRisk: true });
    await site.desk.test.time.advance(60_000);
    expect(await flags(0.65)).toMatchObject({ flags: ['augmented_event'] });
    expect(await flags(1)).toMatchObject({ flags: ['augmented_event', 'too_good_to_be_true'] });
  });
});

describe('the depth of an opportunity', () => {
  it('shows both sides best first with running totals, and what each size leaves', async () => {
    await using site = await openSite();
    quote(site, {
      rain: [
        ['0.45', '30'],
        ['0.41', '10'],
      ],
      snow: [
        ['0.6', '100'],
        ['0.5', '25'],
      ],
    });
    const id = idOf(await site.call('POST', OPPORTUNITIES, { market_combinations: SET }));
    const depth = await site.call('GET', `${OPPORTUNITIES}/${id}/depth`);
    expect(depth).toMatchObject({ status: 200 });
    // Fees of rain: 10 at 0.41 cost 0.12095; at 0.45 each costs 0.012375; each level is rounded up to five decimals.
    expect(depth.json).toEqual({
      positions: [
        {
          leg: 1,
          market_id: 'rain',
          outcome: 'Yes',
          bids: [],
          asks: [
            { price: 0.41, size: 10, total: 4.1 },
            { price: 0.45, size: 30, total: 17.6 },
          ],
        },
        {
          leg: 2,
          market_id: 'snow',
          outcome: 'Yes',
          bids: [{ price: 0.3, size: 7, total: 2.1 }],
          asks: [
            { price: 0.5, size: 25, total: 12.5 },
            { price: 0.6, size: 100, total: 72.5 },
          ],
        },
      ],
      curve: [
        { size: 10, cost: 9.1, fees: 0.12095, profit: 0.77905, profit_percentage: 8.448695 },
        { size: 25, cost: 23.35, fees: 0.30658, profit: 1.34342, profit_percentage: 5.678842 },
        { size: 40, cost: 39.1, fees: 0.4922, profit: 0.4078, profit_percentage: 1.03 },
      ],
      max_profitable_size: 25,
      survival: { expected_size: null, orders_like_it: 0, orders_needed: 30 },
      order_size: null,
      chosen_size: null,
    });
  });

  it('shows so many levels and no more, and counts all of them in the curve', async () => {
    await using site = await openSite();
    const cents = Array.from({ length: DEPTH_LEVELS_MAX + 10 }, (_, nth) => nth + 1);
    quote(site, { rain: cents.map((cent) => [`${cent / 100}`, '1'] as const), snow: [['0.2', '1000']] });
    const id = idOf(await site.call('POST', OPPORTUNITIES, { market_combinations: SET }));
    const { json } = await site.call('GET', `${OPPORTUNITIES}/${id}/depth`);
    const { positions, curve } = json as { positions: { asks: { total: number }[] }[]; curve: { size: number }[] };
    expect(positions[0]?.asks).toHaveLength(DEPTH_LEVELS_MAX);
    expect(positions[0]?.asks.at(-1)).toEqual({ price: 0.5, size: 1, total: 12.75 });
    expect(curve.map(({ size }) => size)).toEqual(cents);
  });

  it('is empty where nothing is known, and refused where there is no such opportunity', async () => {
    await using site = await openSite();
    const id = idOf(await site.call('POST', OPPORTUNITIES, { market_combinations: SET }));
    const depth = await site.call('GET', `${OPPORTUNITIES}/${id}/depth`);
    expect(depth.json).toMatchObject({
      positions: [{ bids: [], asks: [] }, {}],
      curve: [],
      max_profitable_size: null,
      survival: null,
    });
    expect(await site.call('GET', `${OPPORTUNITIES}/00000000-0000-4000-8000-000000000000/depth`)).toMatchObject({
      status: 404,
    });
  });
});
