import { listBatches } from '@dutchbook/contract/batches.ts';
import { listMarkets } from '@dutchbook/contract/markets.ts';
import { createOpportunity, deleteOpportunity } from '@dutchbook/contract/opportunities.ts';
import { expect, type Page } from '@playwright/test';
import type { ThreeWay } from '../world/three-way.ts';
import { bothOutcomes } from './csv.ts';
import { test } from './desk-test.ts';
import { cell, figure, rowsOf, toast } from './screen.ts';
import type { StartedProduct } from './started-product.ts';

const open = (page: Page, { opportunityId }: Pick<ThreeWay, 'opportunityId'>) =>
  page.goto(`/arbitrage/${opportunityId}`);
const placeOrder = (page: Page) => page.getByRole('button', { name: 'Place Order' });
const ticket = (page: Page, title: string) => page.getByRole('dialog', { name: title });

/** Both outcomes of a market no other test touches, which together cost more than they pay. */
async function createUnprofitable({ caller }: StartedProduct, active: boolean): Promise<ThreeWay['opportunityId']> {
  const { reply } = await caller.call(listMarkets, { query: { limit: 1000 } });
  const market = reply.data.findLast(({ neg_risk }) => !neg_risk);
  const combinations = market && bothOutcomes(market);
  const body = { market_combinations: combinations, target_price: active ? 1 : 2, active };
  const created = await caller.call(createOpportunity, { body });
  expect(created.detail).toBe('');
  return created.reply.id;
}

test('shows what the opportunity is, what it costs and of what it consists', async ({ page, set }) => {
  await open(page, set);
  await expect(figure(page, 'Basic Information', 'ID')).toHaveText(set.opportunityId);
  await expect(figure(page, 'Basic Information', 'Status')).toContainText('Active');
  await expect(figure(page, 'Basic Information', 'Error Count')).toHaveText('0');
  await expect(figure(page, 'Price Information', 'Target Price')).toHaveText('1.0000');
  await expect(figure(page, 'Price Information', 'Current Price')).toHaveText('0.7500');
  await expect(figure(page, 'Price Information', 'Profit %')).toHaveText(/\+\d\d\.\d\d%/);
  const positions = rowsOf(page, 'Market Combinations');
  await expect(cell(positions, 'Leg')).toHaveText(['1', '2', '3']);
  await expect(cell(positions, 'Market')).toContainText(set.markets.map(({ question }) => question));
  await expect(cell(positions, 'Best Ask')).toHaveText(set.tokenIds.map(() => '0.2500'));
  await expect(cell(positions, 'Best Bid')).toHaveText(set.tokenIds.map(() => '0.2000'));
  await expect(page.getByRole('region', { name: 'Blockers' })).toContainText('is not believed');
  await expect(page.getByRole('region', { name: 'Error Information' })).toHaveCount(0);
});

test('checks prices on request', async ({ page, set }) => {
  await open(page, set);
  await page.getByRole('button', { name: 'Check Prices' }).click();
  await expect(toast(page, 'Price check initiated successfully')).toContainText('Success!');
});

test('names the position that cannot be priced, and shows the profit as an error', async ({ page, product, set }) => {
  const [, thin = ''] = set.tokenIds;
  await product.exchange.setBook(thin, [{ price: '0.2', size: '500' }], []);
  await open(page, set);
  await expect(page.getByRole('region', { name: 'Error Information' })).toContainText(/leg 2/i);
  await expect(figure(page, 'Price Information', 'Profit %')).toHaveText('Error');
  await expect(figure(page, 'Price Information', 'Current Price')).toContainText('0.7500');
});

for (const { what, active, reason } of [
  { what: 'an inactive opportunity', active: false, reason: /is not active/ },
  { what: 'one without profit', active: true, reason: /the profit is not positive \(-\d+\.\d\d%\)/ },
]) {
  test(`cannot be placed: ${what}, and the page says why`, async ({ page, product }) => {
    const opportunityId = await createUnprofitable(product, active);
    await open(page, { opportunityId });
    await expect(placeOrder(page)).toBeDisabled();
    await expect(placeOrder(page)).toHaveAccessibleDescription(reason);
    await expect(page.getByText(/^Orders cannot be placed: /)).toHaveText(reason);
    await product.caller.call(deleteOpportunity, { params: { opportunity_id: opportunityId } });
  });
}

test('refuses a size that is not a number before asking anybody', async ({ page, set }) => {
  await open(page, set);
  await page.getByRole('button', { name: 'Simulate Order' }).click();
  const dialog = ticket(page, 'Simulate Order');
  await dialog.getByLabel('Order Size').fill('a dozen');
  await expect(dialog.getByText(/^Enter a number of shares/)).toHaveCount(1);
});

test('shows in the simulation what would refuse the order, and does not let it be placed', async ({ page, set }) => {
  await open(page, set);
  await placeOrder(page).click();
  const dialog = ticket(page, 'Place Order');
  await dialog.getByLabel('Order Size').fill('600');
  await dialog.getByRole('button', { name: 'Refresh Simulation' }).click();
  await expect(dialog.getByText(/leg 1.*short of 100 shares/i)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Confirm Order' })).toBeDisabled();
});

test('says why the server refused an order, and loses nothing of what was typed', async ({
  page,
  product,
  set,
  mayBeRefused,
}) => {
  mayBeRefused(409);
  await open(page, set);
  await placeOrder(page).click();
  const dialog = ticket(page, 'Place Order');
  await dialog.getByLabel('Order Size').fill('60');
  await dialog.getByRole('button', { name: 'Refresh Simulation' }).click();
  await expect(dialog.getByText('60.00 sh')).toBeVisible();
  const [thin = ''] = set.tokenIds;
  await product.exchange.setBook(thin, [{ price: '0.2', size: '500' }], [{ price: '0.25', size: '50' }]);
  await dialog.getByRole('button', { name: 'Confirm Order' }).click();
  await expect(toast(page, 'Failed to place order')).toContainText(/leg 1.*short of 10 shares/i);
  await expect(dialog.getByLabel('Order Size')).toHaveValue('60');
  await expect(page).toHaveURL(`/arbitrage/${set.opportunityId}`);
  const { reply } = await product.caller.call(listBatches, { query: { opportunity_id: set.opportunityId } });
  expect(reply.count).toBe(0);
});

test('is deleted only once that is confirmed in the browser’s own dialog', async ({ page, set, mayBeRefused }) => {
  mayBeRefused(404);
  await open(page, set);
  const remove = page.getByRole('button', { name: 'Delete' });
  page.once('dialog', (dialog) => dialog.dismiss());
  await remove.click();
  await expect(figure(page, 'Basic Information', 'ID')).toHaveText(set.opportunityId);
  page.once('dialog', (dialog) => dialog.accept());
  await remove.click();
  await expect(toast(page, 'Arbitrage opportunity deleted successfully')).toBeVisible();
  await expect(page).toHaveURL('/arbitrage');
  await open(page, set);
  await expect(page.getByText(/^Error loading arbitrage opportunity details/)).toBeVisible();
});
