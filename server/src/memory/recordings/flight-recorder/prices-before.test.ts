import type { Instant } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { expect, it } from 'vitest';
import { storeOpportunities } from '../../../market/opportunities/stored.fixture.ts';
import { type FlightRecorderSite, marketWithBooks, openFlightRecorderSite } from './flight-recorder.fixture.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const URL = `/arbitrage/opportunities/${ID}/history/before`;

async function siteWithBooks(): Promise<FlightRecorderSite> {
  const site = await openFlightRecorderSite();
  for (const id of ['a', 'b']) {
    site.know(marketWithBooks(id));
    site.set(`${id}:yes`, 'buy', '0.10', '100');
  }
  return site;
}

/** Yes on both, for a dollar together. */
async function storeNow({ test: { runtime }, now }: FlightRecorderSite): Promise<Instant> {
  const at = now();
  const legs = ['a', 'b'].map((id, index) => ({ leg: index + 1, markets: [{ id, outcome: 'Yes' }] }));
  await storeOpportunities(runtime.db, [
    {
      ...{ id: ID, marketCombinations: legs, targetPrice: priceFromText('1'), active: true, contentHash: ID },
      ...{ createdAt: at, updatedAt: at },
    },
  ]);
  return at;
}

async function recorded(site: FlightRecorderSite): Promise<void> {
  await site.test.time.advance(4000);
  await site.until(async () => site.recordings.recorder()?.waitingBytes === 0);
}

it('are those of the recorded books, one every ten seconds and none for a change that is over by then', async () => {
  await using site = await siteWithBooks();
  await site.test.time.advance(1000);
  for (const price of ['0.40', '0.41', '0.42', '0.42', '0.45']) {
    for (const id of ['a', 'b']) site.set(`${id}:yes`, 'sell', price, '100');
    await site.test.time.advance(500);
    site.set('a:yes', 'sell', '0.30', '100');
    await site.test.time.advance(2000);
    site.set('a:yes', 'sell', '0.30', '0');
    await site.test.time.advance(12_500);
    for (const id of ['a', 'b']) site.set(`${id}:yes`, 'sell', price, '0');
  }
  const storedAt = await storeNow(site);
  site.set('a:yes', 'sell', '0.20', '100');
  await recorded(site);
  const [status, body] = await site.read(URL);
  expect(status).toBe(200);
  const { since, data } = body as unknown as { since: string; data: { at: string; current_price: number | null }[] };
  expect(Date.parse(since)).toBe(storedAt - 3_600_000);
  const priced = data.filter(({ current_price }) => current_price !== null);
  // A change within ten seconds of the point before it counts at their end, any other at once.
  expect(priced.map(({ at, current_price }) => [at.slice(17, 19), current_price])).toEqual([
    ['10', 0.8],
    ['20', 0.82],
    ['31', 0.84],
    ['01', 0.9],
  ]);
  expect(priced.every(({ at }) => Date.parse(at) < storedAt)).toBe(true);
});

it('are none where nothing was recorded, and of no opportunity that is not there', async () => {
  await using site = await siteWithBooks();
  expect((await site.read(URL))[0]).toBe(404);
  await storeNow(site);
  const [status, { data }] = await site.read(URL);
  expect([status, data]).toEqual([200, []]);
});
