/** The venue redeems for all accounts: of what has lost it takes all, pays nothing, and lists nothing any more. */
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { boughtBatch, type ChainSite, openChainSite } from '../chain-steps/chain.fixture.ts';
import { readBalances } from './balances.ts';
import { compareWithVenue } from './compare.ts';
import { postOlderFills } from './post-fills.ts';

let site: ChainSite;
beforeAll(async () => {
  site = await openChainSite();
});
afterAll(async () => {
  await site.venue.close();
  await site.exchange.stop();
});

it('does not notify of shares that have lost and that the venue has taken away', async () => {
  await using test = await openTestRuntime({ VENUE: 'simulated' });
  const { runtime } = test;
  const { trading, catalogue, chain } = site.venue;
  if (trading === null) throw new Error('the venue has an account');
  const refresh = async () => ({ ...(await trading.cashBalance()), at: instantFromMs(Date.now()) });
  const nextMinute = async () => {
    await test.time.advance(60_000);
    site.venue.forget();
    await trading.refreshHoldings([]);
    return await compareWithVenue({ venue: 'polymarket', runtime, account: { refresh }, trading, catalogue, chain });
  };
  const market = site.markets.find(({ event }) => event?.negRisk !== true);
  const [yes, no] = market?.outcomes.map(({ tokenId }) => tokenId) ?? [];
  if (market === undefined) throw new Error('the exchange has a market that stands alone');
  await site.control.split(market.id, '10');
  await boughtBatch(
    test,
    [0, 1].map((outcome) => ({ market, outcome: outcome as 0 | 1, shares: '10', cost: '5' })),
  );
  await postOlderFills(runtime.db);
  await nextMinute();
  expect(await nextMinute()).toBe(true);
  const held = async () =>
    (await readBalances(runtime.db)).flatMap(({ account, unit }) => (account === 'shares' ? unit : []));
  expect((await held()).sort()).toEqual([yes, no].sort());
  await fetch(`${site.exchange.url}/_control/auto_redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ on: true, delay_ms: 0 }),
  });
  await site.control.resolve(market.id, market.outcomes[0]?.outcome ?? '');
  // Dollars may come for them until then.
  for (let minutes = 0; minutes < 10; minutes += 1) await nextMinute();
  expect(await held()).toEqual([yes]);
  const ofLedger = eq(notifications.notificationType, 'ledger_difference');
  const reported = (await runtime.db.select().from(notifications).where(ofLedger)).map(({ message }) => message).join();
  // What has won is booked with its dollars, which does not happen here.
  expect(reported).toContain(`10.00 shares of Yes of "${market.question}" less`);
  expect(reported).not.toContain(`shares of No`);
});
