import { cancelBatch, reconcileBatch } from '@dutchbook/contract/batches.ts';
import type { Endpoint } from '@dutchbook/contract/endpoint.ts';
import { checkAllOpportunities, updatePrices } from '@dutchbook/contract/jobs.ts';
import { checkOpportunity } from '@dutchbook/contract/opportunities.ts';
import { updateOrderStatuses } from '@dutchbook/contract/orders.ts';
import { placeOrder, simulateOrders } from '@dutchbook/contract/placing.ts';
import { sellAll, sellHeld, unwind } from '@dutchbook/contract/selling.ts';
import { readDepth } from '@dutchbook/contract/valuation.ts';
import { expect, it } from 'vitest';
import { openTestApp } from './app.fixture.ts';
import { NotFound } from './errors.ts';
import { route } from './route.ts';

const CALLS: readonly Endpoint[] = [
  cancelBatch,
  checkAllOpportunities,
  checkOpportunity,
  placeOrder,
  readDepth,
  reconcileBatch,
  sellAll,
  sellHeld,
  simulateOrders,
  unwind,
  updateOrderStatuses,
  updatePrices,
];

const QUESTIONS_PER_MINUTE = 240;
const NOBODY = '00000000-0000-4000-8000-000000000000';

it('one user who has the venue asked without end has to wait, no other user does, and trading is never refused', async () => {
  await using site = await openTestApp({ variables: { RATE_LIMIT: 'on' } });
  for (const endpoint of CALLS) {
    route(site.app, endpoint, () => {
      throw new NotFound('Nothing by that id');
    });
  }
  const [one, other] = [await site.signedIn({ isSuperuser: true }), await site.signedIn()];
  const ask = ({ headers }: typeof one, method: 'POST' | 'GET', path: string) =>
    site.http.inject({ method, url: `/api/v1${path}`, headers });
  const simulation = `/arbitrage/simulate-orders/${NOBODY}`;
  const answers = await Promise.all(Array.from({ length: QUESTIONS_PER_MINUTE }, () => ask(one, 'GET', simulation)));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([404]));
  const refused = await ask(one, 'GET', simulation);
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toBe('60');
  expect(refused.json()).toEqual({ detail: 'You have asked the venue too often. Try again in 60 s.' });
  for (const [method, path] of [
    ['POST', `/arbitrage/check/${NOBODY}`],
    ['POST', '/arbitrage/check-all'],
    ['POST', '/arbitrage/update-prices'],
    ['POST', '/arbitrage/orders/update-status'],
    ['POST', `/arbitrage/batches/${NOBODY}/reconcile`],
    ['GET', '/markets?search=rain'],
    ['GET', `/arbitrage/opportunities/${NOBODY}/depth`],
    ['POST', `/arbitrage/batch/${NOBODY}/sell-all`],
    ['POST', `/arbitrage/batches/${NOBODY}/unwind?simulate=true`],
  ] as const) {
    expect([path, (await ask(one, method, path)).statusCode]).toEqual([path, 429]);
  }
  for (const path of [
    `/arbitrage/place-order/${NOBODY}`,
    `/arbitrage/batch/${NOBODY}/sell-all?simulate=false`,
    `/arbitrage/batches/${NOBODY}/unwind?simulate=false`,
    `/arbitrage/batches/${NOBODY}/cancel`,
  ]) {
    expect([path, (await ask(one, 'POST', path)).statusCode]).toEqual([path, 404]);
  }
  expect((await ask(one, 'POST', '/system/disarm')).statusCode).toBe(200);
  expect((await ask(other, 'GET', simulation)).statusCode).toBe(404);
  await site.test.time.leap(60_000);
  expect((await ask(one, 'GET', simulation)).statusCode).toBe(404);
});
