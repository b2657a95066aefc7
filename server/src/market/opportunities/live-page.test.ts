import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openSite, type Site } from './routes.fixture.ts';

type Shown = {
  id: string;
  active: boolean;
  current_price: number | null;
  profit_percentage: number | null;
  fees_per_set: number | null;
  error_count: number;
  target_price: number;
  triggered: boolean;
};
type Listed = { data: Shown[]; count: number };

it('lists opportunities by the values that they show, and none that the filter does not want, before any is written', async () => {
  await using site = await openSite();
  const { desk, process } = site;
  const ids = ['rain', 'snow', 'hail', 'fog'];
  const price = (asks: readonly string[]) => {
    for (const [index, ask] of asks.entries()) desk.venue.setBooks({ [`${ids[index]}:yes`]: { asks: [[ask, '500']] } });
  };
  for (const id of ids) desk.venue.list(id);
  price(['0.80', '0.70', '0.92', '0.95']);
  for (const id of ids) await desk.add([`${id} Yes`], { target_price: 0.9 });
  await process.live.readChanges();
  await desk.test.time.advance(3000);
  const list = async (query: string) => (await site.call('GET', `/arbitrage/opportunities?${query}`)).json as Listed;
  await expect.poll(async () => (await list('triggered=true')).count).toBe(2);

  price(['0.60', '0.92', '0.95', '0.90']);
  for (const order of ['asc', 'desc']) {
    const { data, count } = await list(`sort_by=profit_percentage&sort_order=${order}`);
    const shown = data.map((row) => row.profit_percentage ?? Number.NaN);
    expect(shown).toEqual(shown.toSorted((a, b) => (order === 'asc' ? a - b : b - a)));
    expect(shown.map(Math.round).toSorted((a, b) => a - b)).toEqual([-5, -2, 0, 50]);
    expect(count).toBe(4);
  }
  const triggered = await list('triggered=true');
  expect(triggered.data.map((row) => row.triggered)).toEqual([true]);
  expect(triggered.count).toBe(1);
});

const MARKETS = 12;
const STEPS = 60;
/** Also none: then no shares are on offer, and the price is the last one known beside an error. */
const ask = fc.option(fc.integer({ min: 10, max: 99 }).map((cents) => `0.${cents}`));
const moves = fc.dictionary(fc.integer({ min: 0, max: MARKETS - 1 }).map(String), ask, { maxKeys: 6 });
const pages = fc.record({
  sort_by: fc.constantFrom('profit_percentage', 'current_price', 'fees_per_set', 'error_count', 'id'),
  sort_order: fc.constantFrom('asc', 'desc'),
  skip: fc.integer({ min: 0, max: 4 }),
  limit: fc.integer({ min: 1, max: 5 }),
  active: fc.option(fc.boolean(), { nil: undefined }),
  min_profit_percentage: fc.option(fc.integer({ min: -50, max: 50 }), { nil: undefined }),
  min_profit_usd: fc.option(fc.constantFrom(-0.2, 0, 0.1), { nil: undefined }),
});
type Asked = typeof pages extends fc.Arbitrary<infer Page> ? Page : never;

/** What a page has to be, of all that are listed at the same moment. */
function pageOf(all: readonly Shown[], page: Asked): { ids: string[]; count: number } {
  const key = page.sort_by as 'profit_percentage' | 'current_price' | 'fees_per_set' | 'error_count' | 'id';
  const sign = page.sort_order === 'asc' ? 1 : -1;
  const profitUsd = (row: Shown) => row.target_price - (row.current_price ?? Infinity) - (row.fees_per_set ?? Infinity);
  const matching = all.filter(
    (row) =>
      (page.active === undefined || row.active === page.active) &&
      (page.min_profit_percentage === undefined ||
        (row.profit_percentage !== null && row.profit_percentage >= page.min_profit_percentage)) &&
      (page.min_profit_usd === undefined || Math.round(profitUsd(row) * 1e6) >= page.min_profit_usd * 1e6),
  );
  const inOrder = matching.toSorted((a, b) => {
    const [one, other] = [a[key], b[key]];
    if (one === other) return sign * (a.id < b.id ? -1 : 1);
    if (one === null || other === null) return one === null ? 1 : -1;
    return sign * (one < other ? -1 : 1);
  });
  return { ids: inOrder.slice(page.skip, page.skip + page.limit).map(({ id }) => id), count: matching.length };
}

async function openMovingSite(): Promise<Site> {
  const site = await openSite();
  const { desk } = site;
  desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 30 });
  for (let nth = 0; nth < MARKETS; nth += 1) {
    desk.venue.list(`m${nth}`);
    desk.venue.setBooks({ [`m${nth}:yes`]: { asks: [['0.50', '500']] } });
    await desk.add([`m${nth} Yes`], { target_price: 0.6, active: nth % 4 > 0 });
  }
  await site.process.live.readChanges();
  await desk.test.time.advance(3000);
  return site;
}

it('every page is that of the values that are shown at its moment, whatever of them is written', async () => {
  await using site = await openMovingSite();
  const list = async (query: Record<string, unknown>) => {
    const known = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = known.map(([key, value]) => `${key}=${value}`).join('&');
    return (await site.call('GET', `/arbitrage/opportunities?${search}`)).json as Listed;
  };
  const steps = fc.sample(fc.tuple(moves, pages, fc.integer({ min: 0, max: 4000 })), { numRuns: STEPS, seed: 28 });
  for (const [moved, page, pauseMs] of steps) {
    await site.desk.test.time.advance(pauseMs);
    const books = Object.entries(moved).map(([nth, price]) => [
      `m${nth}:yes`,
      { asks: price === null ? [] : [[price, '500'] as [string, string]] },
    ]);
    site.desk.venue.setBooks(Object.fromEntries(books));
    const all = await list({ limit: 1000 });
    const { data, count } = await list(page);
    expect({ page, ids: data.map(({ id }) => id), count }).toEqual({ page, ...pageOf(all.data, page) });
  }
});
