import { marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ask } from '../../platform/http/ask.fixture.ts';
import { boughtBatch } from '../../trading/chain-steps/chain.fixture.ts';
import { type ExitSite, openExitSite } from './exits.fixture.ts';

let site: ExitSite;
beforeEach(async () => {
  site = await openExitSite({ alsoAtKalshi: true });
});
afterEach(() => site[Symbol.asyncDispose]());

const NAME_A_VENUE = {
  detail: [{ loc: ['query', 'venue'], msg: expect.stringMatching(/^Name a venue, several are/) }],
};
const AT_KALSHI = '&venue=kalshi';

it('converts a batch, and an event, by the contracts of its venue, and counts the quota there', async () => {
  const batchId = await site.boughtPairs('10', {}, 'kalshi:rain');
  const asked = await site.call('POST', `/arbitrage/batches/${batchId}/cash-now?simulate=false`, { body: {} });
  expect(asked).toMatchObject({ status: 200, body: { submissions: [{ venue: 'kalshi', batch_ids: [batchId] }] } });
  await site.untilIdle();
  expect([site.chain.submitted.length, site.secondChain.submitted.length]).toEqual([0, 1]);
  const other = await site.boughtPairs('10', {}, 'snow');
  await site.call('POST', '/portfolio/events/snow/cash-now?simulate=false');
  await site.untilIdle();
  expect([site.chain.submitted.length, site.secondChain.submitted.length]).toEqual([1, 1]);
  const { body } = await site.call('GET', '/chain-submissions');
  expect(body).toMatchObject({
    count: 2,
    quota: null,
    quotas: [
      { venue: 'polymarket', used: 1 },
      { venue: 'kalshi', used: 1 },
    ],
  });
  const ofKalshi = (await site.call('GET', '/chain-submissions?venue=kalshi')).body;
  expect(ofKalshi).toMatchObject({ count: 1, data: [{ batch_ids: [batchId], status: 'confirmed' }] });
  for (const id of [batchId, other])
    expect((await site.call('GET', `/arbitrage/batches/${id}`)).body).toMatchObject({ status: 'sold' });
});

it('has the venue of a batch over two of them named, and converts what is there', async () => {
  const bought = ['rain', 'kalshi:rain'].flatMap((name) => {
    const market = marketOf(name);
    site.markets.set(name, market);
    const { shares } = name === 'rain' ? site.chain : site.secondChain;
    for (const { tokenId } of market.outcomes) shares.set(tokenId, 10_000_000 as never);
    return ([0, 1] as const).map((outcome) => ({ market, outcome, shares: '10', cost: '4' }));
  });
  const path = `/arbitrage/batches/${await boughtBatch(site.test, bought)}/cash-now?simulate=true`;
  expect(await site.call('POST', path)).toMatchObject({ status: 422, body: NAME_A_VENUE });
  const { body } = await site.call('POST', `${path}${AT_KALSHI}`);
  expect((body.orders as { market_id: string }[]).map(({ market_id }) => market_id)).toEqual([
    'kalshi:rain',
    'kalshi:rain',
  ]);
});

it('redeems at the venue of the markets that are named, and otherwise at the one that is', async () => {
  const redeem = async (query: string, body: unknown = null) =>
    await site.call('POST', `/portfolio/redeem?simulate=true${query}`, { body });
  expect(await redeem('')).toMatchObject({ status: 422, body: NAME_A_VENUE });
  expect((await redeem(AT_KALSHI)).status).toBe(200);
  expect((await redeem('', { market_ids: ['kalshi:rain'] })).status).toBe(200);
});

it('lists the approvals of every account, and changes that of the one that is named', async () => {
  const { body } = await site.call('GET', '/approvals');
  const approvals = body.data as { venue: string; contract: string; holder: string }[];
  expect(new Set(approvals.map(({ venue }) => venue))).toEqual(new Set(['polymarket', 'kalshi']));
  const only = (await site.call('GET', '/approvals?venue=kalshi')).body;
  expect(only.count).toBe(approvals.length / 2);
  const [{ contract = '', holder = '' } = {}] = approvals;
  const change = (venue: object) =>
    ask(site, site.superuser, 'POST', '/approvals', { contract, holder, is_allowed: false, ...venue });
  expect(await change({})).toMatchObject([422, { detail: [{ loc: ['body', 'venue'] }] }]);
  expect(await change({ venue: 'kalshi' })).toMatchObject([200, { venue: 'kalshi' }]);
  await site.untilIdle();
  expect([site.chain.submitted.length, site.secondChain.submitted.length]).toEqual([0, 1]);
});

it('converts by itself at the venue where that is switched on, and at no other', async () => {
  const settings = (query: string, method: 'GET' | 'PUT' = 'GET', form?: Record<string, unknown>) =>
    ask(site, site.superuser, method, `/system-settings/exits${query}`, form);
  const isOn = { auto_cash_now: true, auto_cash_now_min_usd: 1 };
  expect(await settings('', 'PUT', isOn)).toMatchObject([422, NAME_A_VENUE]);
  expect(await settings('?venue=kalshi', 'PUT', isOn)).toMatchObject([200, isOn]);
  expect(await settings('?venue=polymarket')).toMatchObject([
    200,
    { auto_cash_now: false, changed_at: null, pays_by_itself: false, is_read_only: false },
  ]);
  const batchIds = [await site.boughtPairs('10', {}, 'rain'), await site.boughtPairs('10', {}, 'kalshi:rain')];
  await site.untilIdle();
  const { body } = await site.call('GET', '/chain-submissions');
  expect(body).toMatchObject({ count: 1, data: [{ venue: 'kalshi', automatic: true, batch_ids: [batchIds[1]] }] });
});

it('offers nothing at a venue that pays by itself, or takes no orders, and refuses to switch on what it would never do', async () => {
  const settingsAt = (there: ExitSite, method: 'GET' | 'PUT' = 'GET', form?: Record<string, unknown>) =>
    ask(there, there.superuser, method, '/system-settings/exits?venue=kalshi', form);
  await using paying = await openExitSite({ alsoAtKalshi: true, kalshiTrading: { payouts: async () => [] } });
  expect(await settingsAt(paying)).toMatchObject([200, { pays_by_itself: true, is_read_only: false }]);
  for (const name of ['auto_cash_now', 'auto_redeem'])
    expect(await settingsAt(paying, 'PUT', { [name]: true })).toMatchObject([
      422,
      {
        detail: [{ loc: ['body', name], msg: 'Kalshi pays by itself: there is nothing to convert or redeem' }],
      },
    ]);
  expect(await settingsAt(paying, 'PUT', { auto_redeem: false })).toMatchObject([200, { auto_redeem: false }]);
  await using reading = await openExitSite({ alsoAtKalshi: true, kalshiTrading: null });
  expect(await settingsAt(reading)).toMatchObject([200, { pays_by_itself: false, is_read_only: true }]);
});
