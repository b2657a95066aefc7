import { instantFromIso, instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { expect, it } from 'vitest';
import { openTestApp } from '../../../platform/http/app.fixture.ts';
import { ask } from '../../../platform/http/ask.fixture.ts';
import { readDraft } from '../draft.ts';
import { insertDrafts } from '../insert-drafts.ts';
import { pricePoints } from './table.ts';

const HOUR_MS = 3_600_000;
/** When a test runtime begins. */
const NOW = instantFromIso('2026-01-01T00:00:00Z');
const hoursAgo = (hours: number) => instantFromMs(NOW - hours * HOUR_MS);

it('the history is served oldest first, led by the point that stood before it', async () => {
  await using app = await openTestApp();
  const { headers } = await app.signedIn();
  const { runtime } = app.test;
  const read = readDraft({ market_combinations: [{ leg: 1, markets: [{ id: 'rain', outcome: 'Yes' }] }] });
  if (read.kind === 'refused') throw new Error(read.reason);
  const [opportunityId = ''] = (await insertDrafts(runtime, [read.draft])).created.values();
  const priced = {
    currentPrice: priceFromText('0.9'),
    profitPercentage: percentFromNumber(11.111111),
    triggered: true,
  };
  const unpriced = { currentPrice: null, profitPercentage: null, triggered: false };
  const point = { opportunityId, targetPrice: priceFromText('1'), isEdge: false };
  await runtime.db.insert(pricePoints).values([
    { ...point, ...unpriced, at: hoursAgo(2) },
    { ...point, ...priced, at: hoursAgo(30) },
    { ...point, ...priced, at: hoursAgo(29) },
    { ...point, ...priced, at: hoursAgo(3) },
  ]);

  const path = `/arbitrage/opportunities/${opportunityId}/history`;
  const served = (hours: number, isPriced: boolean) => ({
    at: instantToIso(hoursAgo(hours)),
    current_price: isPriced ? 0.9 : null,
    target_price: 1,
    profit_percentage: isPriced ? 11.111111 : null,
    triggered: isPriced,
  });
  const lastDay = [served(29, true), served(3, true), served(2, false)];
  expect(await ask(app, headers, 'GET', path)).toEqual([200, { data: lastDay }]);
  const since = (hours: number) => `${path}?since=${instantToIso(hoursAgo(hours))}`;
  expect(await ask(app, headers, 'GET', since(2.5))).toEqual([200, { data: lastDay.slice(1) }]);
  expect(await ask(app, headers, 'GET', since(100))).toEqual([200, { data: [served(30, true), ...lastDay] }]);
  for (const since of [
    'yesterday',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00%2B01:00',
    '9999-12-31T23:00:00-02:00',
  ]) {
    expect([since, (await ask(app, headers, 'GET', `${path}?since=${since}`))[0]]).toEqual([since, 422]);
  }
  expect((await ask(app, headers, 'GET', `${path}?since=0001-01-01`))[0]).toBe(200);
  const nowhere = path.replace(opportunityId, runtime.random.uuid());
  expect(await ask(app, headers, 'GET', nowhere)).toEqual([404, { detail: 'Opportunity not found' }]);
});

it('the last hour of some opportunities is served as their profit stood, moment by moment', async () => {
  await using app = await openTestApp();
  const { headers } = await app.signedIn();
  const { runtime } = app.test;
  const ids: string[] = [];
  for (const market of ['rain', 'snow']) {
    const read = readDraft({ market_combinations: [{ leg: 1, markets: [{ id: market, outcome: 'Yes' }] }] });
    if (read.kind === 'refused') throw new Error(read.reason);
    ids.push(...(await insertDrafts(runtime, [read.draft])).created.values());
  }
  const [rain = '', snow = ''] = ids;
  const point = {
    opportunityId: rain,
    targetPrice: priceFromText('1'),
    currentPrice: null,
    triggered: false,
    isEdge: false,
  };
  const pays = (percent: number) => ({ ...point, profitPercentage: percentFromNumber(percent) });
  await runtime.db.insert(pricePoints).values([
    { ...pays(1.5), at: hoursAgo(0.5) },
    { ...pays(-2), at: hoursAgo(0.1) },
    { ...pays(3), at: hoursAgo(0) },
  ]);
  const missing = runtime.random.uuid();
  const [status, { data }] = await ask(app, headers, 'GET', `/arbitrage/histories?ids=${rain},${snow},${missing}`);
  expect(status).toBe(200);
  const recent = new Map(
    (data as { opportunity_id: string; profit_percentages: number[] }[]).map((each) => [
      each.opportunity_id,
      each.profit_percentages,
    ]),
  );
  const repeated = (value: number | null, times: number) => Array.from({ length: times }, () => value);
  // Half an hour is fifteen instants, six minutes are three.
  expect(recent.get(rain)).toEqual([...repeated(null, 14), ...repeated(1.5, 12), ...repeated(-2, 3), 3]);
  expect(recent.get(snow)).toEqual(repeated(null, 30));
  expect(recent.size).toBe(2);
  for (const wrong of ['', '?ids=', '?ids=7', `?ids=${Array.from({ length: 101 }, () => rain).join()}`]) {
    expect((await ask(app, headers, 'GET', `/arbitrage/histories${wrong}`))[0]).toBe(422);
  }
});
