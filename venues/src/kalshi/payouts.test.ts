import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import type { ReadingContext } from './account-lists.ts';
import { payouts } from './payouts.ts';

const DAY_MS = 86_400_000;
const PAID_AT = '2026-01-05T12:00:00Z';
const TICKER = 'KXHIGHNY-26JAN05-B40.5';

/** Ten YES that were paid 37 cents each, and what the venue says of their market. */
function account(market: object | null, sinceMs = 60_000): ReadingContext {
  const settlement = {
    ...{ ticker: TICKER, market_result: 'scalar', yes_count_fp: '10.00', no_count_fp: '0.00', revenue: 370, value: 37 },
    ...{ fee_cost: '0.02', settled_time: PAID_AT },
  };
  const get = async (path: string) =>
    path === '/portfolio/settlements'
      ? { settlements: [settlement], cursor: '' }
      : { markets: market === null ? [] : [market], cursor: '' };
  const runtime = { now: () => instantFromMs(Date.parse(PAID_AT) + sinceMs) };
  return { api: { get }, runtime, subaccount: null } as unknown as ReadingContext;
}

const saying = (status: string, pays = '0.3725') => ({
  ...{ ticker: TICKER, event_ticker: 'KXHIGHNY-26JAN05', status, result: 'scalar', settlement_value_dollars: pays },
  price_ranges: [{ start: '0.00', end: '1.00', step: '0.01' }],
});

it.each([
  ['determined', true],
  ['disputed', true],
  ['amended', true],
  ['finalized', false],
])('F16: what was paid for a market that is %s may still be taken back: %s', async (status, isProvisional) => {
  const [paid] = await payouts(account(saying(status)), null);
  expect(paid).toMatchObject({ isProvisional, dollars: usdFromText('3.7'), fee: usdFromText('0.02') });
});

it('F15: the market says a fraction exactly, and the settlement in cents where the market is listed no more, or is not asked', async () => {
  const pays = async (context: ReadingContext) => (await payouts(context, null))[0]?.outcomes[0]?.pays;
  expect(await pays(account(saying('finalized')))).toBe(priceFromText('0.3725'));
  expect(await pays(account(null))).toBe(priceFromText('0.37'));
  const old = account(saying('determined'), 8 * DAY_MS);
  expect([await pays(old), (await payouts(old, null))[0]?.isProvisional]).toEqual([priceFromText('0.37'), false]);
});
