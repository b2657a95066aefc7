import { expect, it } from 'vitest';
import { openSite } from './routes.fixture.ts';

const OPPORTUNITIES = '/arbitrage/opportunities';
const MARKET_COMBINATIONS = [{ leg: 1, markets: [{ id: 'rain', outcome: 'Yes' }] }];

it('a target price beyond what any set pays is refused by every call', async () => {
  await using site = await openSite();
  site.desk.venue.list('rain');
  site.desk.venue.setBooks({ 'rain:yes': { asks: [['0.001', '5000000']] } });
  const body = { market_combinations: MARKET_COMBINATIONS };
  for (const target_price of [50.000001, 20_000, 1_000_000_000]) {
    expect(await site.call('POST', '/arbitrage/preview', { ...body, target_price })).toMatchObject({ status: 422 });
    expect(await site.call('POST', OPPORTUNITIES, { ...body, target_price })).toMatchObject({ status: 422 });
    const byQuery = `${OPPORTUNITIES}?target_price=${target_price}`;
    expect(await site.call('POST', byQuery, body)).toMatchObject({ status: 422 });
  }
  const file = `market_combinations,target_price\r\n"${JSON.stringify(MARKET_COMBINATIONS).replaceAll('"', '""')}",20000\r\n`;
  expect(await site.upload('hostile.csv', file)).toMatchObject({
    json: { opportunity_ids: [], errors: [{ row: 1, message: 'target_price: target_price is at most 50' }] },
  });
  expect(await site.call('GET', OPPORTUNITIES)).toMatchObject({ json: { count: 0 } });
});

it('a profit of a set that costs next to nothing can be served', async () => {
  await using site = await openSite();
  site.desk.venue.list('rain');
  site.desk.venue.setBooks({ 'rain:yes': { asks: [['0.000001', '5000000']] } });
  const body = { market_combinations: MARKET_COMBINATIONS, target_price: 50 };
  const shown = { profit_percentage: 100_000_000, flags: ['too_good_to_be_true'] };
  expect(await site.call('POST', '/arbitrage/preview', body)).toMatchObject({ status: 200, json: shown });
  const created = await site.call('POST', OPPORTUNITIES, body);
  expect(created).toMatchObject({ status: 200, json: shown });
  const { id } = created.json as { id: string };
  expect(await site.call('GET', OPPORTUNITIES)).toMatchObject({ json: { data: [shown] } });
  expect(await site.call('GET', `${OPPORTUNITIES}/${id}/depth`)).toMatchObject({ status: 200 });
  expect(await site.call('PUT', `${OPPORTUNITIES}/${id}?target_price=49`)).toMatchObject({ status: 200 });
});
