import type { Market } from '@dutchbook/engine/market/market.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import type { VenueCatalogue } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { namesKept } from '../markets/market-names.ts';
import { marketNames } from '../markets/table.ts';
import { openSite, type Site } from './routes.fixture.ts';
import { storeOpportunities } from './stored.fixture.ts';
import { opportunityPrices } from './table.ts';

const MAYOR = 'a1000000-0000-4000-8000-000000000001';
const SNOW = 'a2000000-0000-4000-8000-000000000002';
const COIN = 'b1000000-0000-4000-8000-000000000003';

const market = (id: string, question: string, title: string | null) =>
  ({ id, question, event: title === null ? null : { id: 'e', title, augmented: false, marketIds: [id] } }) as Market;

/** The catalogue of a venue that lists these. */
function listing(...markets: Market[]): VenueCatalogue {
  const never = () => Promise.reject(new Error('not asked for'));
  return {
    searchMarkets: never,
    searchLeftOut: never,
    whyLeftOut: () => null,
    onCompared: () => {},
    readEvents: async function* () {},
    eventsById: async () => [],
    marketsById: async (ids) => new Map(markets.filter(({ id }) => ids.includes(id)).map((each) => [each.id, each])),
  };
}

let site: Site;
beforeAll(async () => {
  site = await openSite();
  const { runtime } = site.desk.test;
  const legs = (...ids: string[]) => ids.map((id, nth) => ({ leg: nth + 1, markets: [{ id, outcome: 'Yes' }] }));
  const at = runtime.clock.now();
  await storeOpportunities(
    runtime.db,
    [
      { id: MAYOR, marketCombinations: legs('0xAbc1', '0xabc2'), source: 'Scanner 100%_a', sourceDetails: null },
      { id: SNOW, marketCombinations: legs('0xdef3'), source: null, sourceDetails: 'Snowiest TOWN of the season' },
      { id: COIN, marketCombinations: legs('0xdef4'), source: 'scanner 100 a', sourceDetails: 'ÉTÉ' },
    ].map((row) => ({
      ...row,
      createdAt: at,
      updatedAt: at,
      targetPrice: priceFromText('1'),
      active: false,
      contentHash: row.id,
    })),
  );
  const prices = [
    [MAYOR, '0.95', 5_000_000],
    [SNOW, '0.98', 2_000_000],
  ] as const;
  for (const [id, price, profitPercentage] of prices) {
    const values = {
      currentPrice: priceFromText(price),
      feesPerSet: 0 as never,
      profitPercentage: profitPercentage as never,
    };
    await runtime.db.update(opportunityPrices).set(values).where(eq(opportunityPrices.opportunityId, id));
  }
  const catalogue = namesKept(
    runtime,
    listing(market('0xAbc1', 'Will Ilse Marrow win?', 'Mayor of Port Meridian'), market('0xdef4', 'Above $550?', null)),
  );
  await catalogue.marketsById(['0xAbc1', '0xdef4', 'unknown']);
  await vi.waitFor(async () => expect(await runtime.db.$count(marketNames)).toBe(2));
});
afterAll(() => site[Symbol.asyncDispose]());

async function found(query: string): Promise<string[]> {
  const { status, json } = await site.call('GET', `/arbitrage/opportunities?sort_by=id&sort_order=asc&${query}`);
  expect(status).toBe(200);
  const { data, count } = json as { data: { id: string }[]; count: number };
  expect(count).toBe(data.length);
  return data.map(({ id }) => id);
}

test.each([
  ['the beginning of an id', 'A1000000', [MAYOR]],
  ['an id', COIN, [COIN]],
  ['a beginning that several ids share', 'a', [MAYOR, SNOW, COIN]],
  ['a question', ' ilse marrow ', [MAYOR]],
  ['an event', 'port MERIDIAN', [MAYOR]],
  ['a market', '0xABC1', [MAYOR]],
  ['a market that the venue does not list', '0xdef3', [SNOW]],
  ['source details', 'town', [SNOW]],
  ['letters that are no ASCII', 'ÉTÉ', [COIN]],
  ['a source, in which no letter stands for another', '100%_', [MAYOR]],
  ['a backslash, which is none', '\\', []],
  ['a question mark', '$550?', [COIN]],
  ['nothing that is there', 'zeppelin', []],
])('finds opportunities by %s: %s', async (_by, q, expected) => {
  expect(await found(`q=${encodeURIComponent(q)}`)).toEqual(expected);
});

test('finds those that pay at least so much a set, in dollars and in percent', async () => {
  expect(await found('min_profit_usd=0.02')).toEqual([MAYOR, SNOW]);
  expect(await found('min_profit_usd=0.020001')).toEqual([MAYOR]);
  expect(await found('min_profit_percentage=2')).toEqual([MAYOR, SNOW]);
  expect(await found('min_profit_percentage=2.1&q=town')).toEqual([]);
  const byProfit = 'sort_by=profit_percentage&min_profit_percentage=2&min_profit_usd=-1&active=false';
  expect(await found(byProfit.replace('sort_by=profit_percentage&', ''))).toEqual([MAYOR, SNOW]);
  const { json } = await site.call('GET', `/arbitrage/opportunities?${byProfit}&sort_order=asc`);
  expect((json as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual([SNOW, MAYOR]);
});

test('exports what is found', async () => {
  const { text } = await site.call('GET', '/arbitrage/export-csv?q=scanner&min_profit_percentage=1');
  expect(text.trim().split('\r\n')).toHaveLength(2);
  expect(text).toContain(MAYOR);
});

test.each([
  ['q=', 'q'],
  [`q=${'x'.repeat(101)}`, 'q'],
  ['q=%00', 'q'],
  ['min_profit_usd=much', 'min_profit_usd'],
])('refuses %s by the name of the field', async (query, field) => {
  const { status, json } = await site.call('GET', `/arbitrage/opportunities?${query}`);
  expect(status).toBe(422);
  expect(json).toMatchObject({ detail: [{ loc: ['query', field] }] });
});

test('a market that is called otherwise by now is found by its new name', async () => {
  const { runtime } = site.desk.test;
  const catalogue = namesKept(
    runtime,
    listing(market('0xAbc1', 'Will Ilse Marrow-Quill win?', 'Mayor of Port Meridian')),
  );
  await catalogue.marketsById(['0xAbc1']);
  await vi.waitFor(async () => expect(await found('q=marrow-quill')).toEqual([MAYOR]));
  expect(await found('q=Will%20Ilse%20Marrow%20win')).toEqual([]);
});
