import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ExitSite, openExitSite } from '../../books/exits/exits.fixture.ts';
import { registerLedgerExports } from './export-routes.ts';

let site: ExitSite;
beforeEach(async () => {
  site = await openExitSite();
  registerLedgerExports(site.app, site.test.runtime);
});
afterEach(() => site[Symbol.asyncDispose]());

/** What came of pairs for nine dollars: 4 for Yes, and 5 for No. */
async function taxFile() {
  const { body } = await site.http.inject({ url: '/api/v1/ledger/tax-csv', headers: site.superuser });
  const rows = parse(body, { columns: true }) as Record<string, string>[];
  const totals = rows.filter(({ row }) => row === 'total');
  return {
    disposals: rows
      .filter(({ row }) => row === 'disposal')
      .map(
        ({ disposed_by, quantity, outcome, cost_usd, proceeds_usd }) =>
          `${disposed_by} ${quantity} ${outcome}: ${cost_usd} -> ${proceeds_usd}`,
      ),
    gains: totals.filter(({ gain_usd }) => gain_usd !== '0').map(({ note, gain_usd }) => `${note}: ${gain_usd}`),
  };
}

it('says what pairs that were merged had cost, and brought', async () => {
  const batchId = await site.boughtPairs('10');
  await site.call('POST', `/arbitrage/batches/${batchId}/cash-now?simulate=false`, { body: {} });
  await site.untilIdle();
  expect(await taxFile()).toEqual({
    disposals: ['merge 10 Yes: 4 -> 4.444444', 'merge 10 No: 5 -> 5.555556'],
    gains: ['All disposals in this file: 1', 'Profit of the ledger: the sum of these: 1'],
  });
});

it('says what was redeemed, and that what lost beside it had cost what it had', async () => {
  await site.boughtPairs('10');
  const { trading } = site.trading.venue;
  if (trading === null) throw new Error('the scripted venue trades');
  const position = (side: string, value: string) => ({
    ...{ marketId: 'rain', tokenId: `rain-${side}`, outcome: side, shares: sharesFromText('10') },
    ...{ redeemable: true, resolvedValue: priceFromText(value) },
  });
  trading.positions = async () => [position('yes', '1'), position('no', '0')];
  await site.call('POST', '/portfolio/redeem?simulate=false');
  await site.untilIdle();
  expect(await taxFile()).toEqual({
    disposals: ['redeem 10 Yes: 4 -> 10', 'lost 10 No: 5 -> 0'],
    gains: ['All disposals in this file: 1', 'Profit of the ledger: the sum of these: 1'],
  });
});
