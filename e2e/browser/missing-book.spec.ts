/** A market that the venue lists and has no books of yet: that is said of its positions, and of nothing else. */
import { listMarkets } from '@dutchbook/contract/markets.ts';
import { createOpportunity, deleteOpportunity } from '@dutchbook/contract/opportunities.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { venueOf } from '@dutchbook/units/ids.ts';
import { expect } from '@playwright/test';
import { leavePages, test } from './browser.fixture.ts';
import { bothOutcomes } from './csv.ts';

test('a market without a book is marked where it is shown, and the desk stays live', async ({
  page,
  context,
  product,
}) => {
  const { caller, exchange } = product;
  const { reply: listed } = await caller.call(listMarkets, { query: { limit: 1000 } });
  const market = listed.data.findLast(({ neg_risk, id }) => !neg_risk && venueOf(id) === 'polymarket');
  if (market === undefined) throw new Error('the exchange lists markets');
  await exchange.serveBooks(market.id, false);
  const body = { market_combinations: bothOutcomes(market), target_price: 1 };
  const { reply: created, detail } = await caller.call(createOpportunity, { body });
  expect(detail).toBe('');
  try {
    await page.goto(`/arbitrage/${created.id}`);
    await expect(page.getByText('No book').first()).toBeVisible();
    const error = page.getByRole('region', { name: 'Error Information' });
    await expect(error).toContainText('there is no order book', { timeout: 20_000 });
    await expect(page.getByRole('banner').getByText('Polymarket: Live', { exact: true })).toBeVisible();
    expect((await caller.call(readSystemStatus, {})).reply.feed).toBe('live');
    await exchange.serveBooks(market.id, true);
    await expect(error).toHaveCount(0, { timeout: 45_000 });
    await expect(page.getByText('No book')).toHaveCount(0);
  } finally {
    await exchange.serveBooks(market.id, true);
    await leavePages(context);
    await caller.call(deleteOpportunity, { params: { opportunity_id: created.id } });
  }
});
