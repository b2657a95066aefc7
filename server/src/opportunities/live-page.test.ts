import { expect, it } from 'vitest';
import { openSite } from './routes.fixture.ts';

type Listed = { data: { id: string; profit_percentage: number; triggered: boolean }[]; count: number };

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
  await process.live.notice();
  await desk.test.time.advance(3000);
  const list = async (query: string) => (await site.call('GET', `/arbitrage/opportunities?${query}`)).json as Listed;
  await expect.poll(async () => (await list('triggered=true')).count).toBe(2);

  price(['0.60', '0.92', '0.95', '0.90']);
  for (const order of ['asc', 'desc']) {
    const { data, count } = await list(`sort_by=profit_percentage&sort_order=${order}`);
    const shown = data.map((row) => row.profit_percentage);
    expect(shown).toEqual(shown.toSorted((a, b) => (order === 'asc' ? a - b : b - a)));
    expect(shown.map(Math.round).toSorted((a, b) => a - b)).toEqual([-5, -2, 0, 50]);
    expect(count).toBe(4);
  }
  const triggered = await list('triggered=true');
  expect(triggered.data.map((row) => row.triggered)).toEqual([true]);
  expect(triggered.count).toBe(1);
});
