import { listMarkets } from '@dutchbook/contract/markets.ts';
import { createOpportunity, deleteOpportunity } from '@dutchbook/contract/opportunities.ts';
import { expect, type Page } from '@playwright/test';
import type { ThreeWay } from '../product/three-way.ts';
import { activate } from './accessibility.ts';
import { leavePages, test } from './browser.fixture.ts';
import { bothOutcomes } from './csv.ts';
import { cell, figure, rowsOf, toast, watchRefresh } from './screen.ts';
import type { StartedProduct } from './started-product.ts';

const open = (page: Page, { opportunityId }: Pick<ThreeWay, 'opportunityId'>) =>
  page.goto(`/arbitrage/${opportunityId}`);
const placeOrder = (page: Page) => page.getByRole('button', { name: 'Place Order' });
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const ladder = (page: Page, leg: number) =>
  page.getByRole('table', { name: `Order book of leg ${leg}` }).locator('tbody:not([aria-hidden]) tr');
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
  await expect(figure(page, 'Basic Information', 'Status')).toContainText('Triggered');
  await expect(figure(page, 'Basic Information', 'Error Count')).toHaveText('0');
  await expect(figure(page, 'Price Information', 'Target Price')).toContainText('1.0000');
  await expect(figure(page, 'Price Information', 'Current Price')).toHaveText('0.7500');
  await expect(figure(page, 'Price Information', 'Profit %')).toHaveText(/\+\d\d\.\d\d%/);
  await expect(figure(page, 'Price Information', 'Max Profitable Size')).toHaveText('500.00 sh');
  const positions = rowsOf(page, 'Market Combinations');
  await expect(cell(positions, 'Leg')).toHaveText(['1', '2', '3']);
  await expect(cell(positions, 'Market')).toContainText(set.markets.map(({ question }) => question));
  await expect(cell(positions, 'Outcome')).toHaveText(['Yes', 'Yes', 'Yes']);
  await expect(cell(positions, 'Price')).toHaveText(set.tokenIds.map(() => '0.2500'));
  await expect(cell(positions, 'Best Ask')).toHaveText(set.tokenIds.map(() => '0.2500'));
  await expect(cell(positions, 'Best Bid')).toHaveText(set.tokenIds.map(() => '0.2000'));
  await expect(cell(positions, 'Depth')).toHaveText(set.tokenIds.map(() => '$125.00'));
  await expect(cell(positions, 'Fee')).toHaveText(set.tokenIds.map(() => /^0\.0\d{3}$/));
  await expect(cell(positions, 'Book')).toHaveText(set.tokenIds.map(() => /^(Live|Verified).* (s|min|h)$/));
  await expect(panel(page, 'Blockers')).toContainText('more than 20.00% is not believed');
  await expect(page.getByText('Too good to be true')).toBeVisible();
  await expect(panel(page, 'Error Information')).toHaveCount(0);
  await expect(page.locator('canvas')).toHaveCount(2);
});

test('draws the order books and the profit by size, and follows them', async ({ page, product, set }) => {
  await open(page, set);
  await expect(ladder(page, 1)).toHaveText([/0\.2500.*500\.00\$125\.00/, 'Spread 0.0500', /0\.2000500\.00\$100\.00/]);
  await expect(page.getByText('Bought at the largest profitable size, 500.00 sh')).toBeVisible();
  const profit = page.getByRole('img', { name: 'Net profit against size' });
  await expect(profit).toHaveAccessibleDescription(
    /^Profit is largest at 500\.00 shares of each position: \$1\d\d\.\d\d, a return of \d\d\.\d\d% on what those cost\. The default order of \d+\.00 shares would leave \$\d\.\d\d, a return of \d\d\.\d\d%\.$/,
  );
  await activate(page, page.getByLabel('Show as a table: Net profit against size'));
  const points = rowsOf(page, 'Net profit against size');
  await expect(points).toHaveText([/^500\.00\$375\.00\$\d+\.\d\d\$\d+\.\d\d\d\d\.\d\d%$/]);
  const [moved = ''] = set.tokenIds;
  const bids = [{ price: '0.24', size: '100' }];
  const deeper = [
    { price: '0.26', size: '100' },
    { price: '0.9', size: '400' },
  ];
  await product.exchange.setBook(moved, bids, deeper);
  await expect(ladder(page, 1)).toHaveText([
    /0\.9000400\.00\$386\.00/,
    /0\.2600 within the largest profitable size100\.00\$26\.00/,
    'Spread 0.0200',
    /0\.2400100\.00\$24\.00/,
  ]);
  await expect(profit).toHaveAccessibleDescription(/^Profit is largest at 100\.00 shares/);
  await expect(points.locator('td:first-child')).toHaveText(['100.00', '500.00']);
  const positions = rowsOf(page, 'Market Combinations');
  await expect(cell(positions, 'Depth').first()).toHaveText('$386.00');
  await product.exchange.setBook(moved, bids, []);
  await expect(ladder(page, 1)).toHaveText(['No asks', /0\.2400/]);
  await expect(panel(page, 'Profit by Size')).toContainText('There is no profit to draw');
});

test('is edited: its target price, and whether it is active', async ({ page, set }) => {
  await open(page, set);
  await activate(page, page.getByRole('button', { name: 'Edit' }));
  const dialog = ticket(page, 'Edit Opportunity');
  const target = dialog.getByLabel('Target Price');
  await expect(target).toHaveValue('1.0000');
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await target.fill('nothing');
  await target.blur();
  await expect(page.getByText('Enter a price greater than 0')).toHaveCount(1);
  await target.fill('1.02');
  await dialog.getByLabel('Active').uncheck();
  await activate(page, dialog.getByRole('button', { name: 'Save' }));
  await expect(toast(page, 'Arbitrage opportunity updated successfully')).toContainText('Success!');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Edit' })).toBeFocused();
  await expect(figure(page, 'Price Information', 'Target Price')).toContainText('1.0200');
  await expect(figure(page, 'Basic Information', 'Status')).toHaveText('Inactive');
  await expect(placeOrder(page)).toBeDisabled();
});

test('names the position that cannot be priced, and shows the profit as an error', async ({ page, product, set }) => {
  const [, thin = ''] = set.tokenIds;
  await product.exchange.setBook(thin, [{ price: '0.2', size: '500' }], []);
  await open(page, set);
  await expect(page.getByRole('region', { name: 'Error Information' })).toContainText(/leg 2/i);
  await expect(figure(page, 'Price Information', 'Profit %')).toContainText('Error');
  await expect(figure(page, 'Price Information', 'Current Price')).toContainText('0.7500');
});

test('cannot be placed while it is inactive or has no profit, and the page says why', async ({
  page,
  context,
  product,
}) => {
  for (const { active, reason } of [
    { active: false, reason: /is not active/ },
    { active: true, reason: /the profit is not positive \(-\d+\.\d\d%\)/ },
  ]) {
    const opportunityId = await createUnprofitable(product, active);
    await open(page, { opportunityId });
    await expect(placeOrder(page)).toBeDisabled();
    await expect(placeOrder(page)).toHaveAccessibleDescription(reason);
    await expect(page.getByText(/^Orders cannot be placed: /)).toHaveText(reason);
    await leavePages(context);
    await product.caller.call(deleteOpportunity, { params: { opportunity_id: opportunityId } });
  }
});

test('checks prices on request and reads them again after two seconds, and refuses a size that is not a number without a call', async ({
  page,
  set,
}) => {
  await open(page, set);
  await expect(figure(page, 'Basic Information', 'ID')).toHaveText(set.opportunityId);
  const readAgain = watchRefresh(page, /\/arbitrage\/check\//, `/arbitrage/opportunities/${set.opportunityId}`);
  await page.getByRole('button', { name: 'Check Prices' }).click();
  await expect(toast(page, 'Price check initiated successfully')).toContainText('Success!');
  await page.getByRole('button', { name: 'Simulate Order' }).click();
  const dialog = ticket(page, 'Simulate Order');
  await dialog.getByLabel('Order Size').fill('a dozen');
  await expect(dialog.getByText(/^Enter a number of shares/)).toHaveCount(1);
  await readAgain();
});

test('is deleted only once that is confirmed in the browser’s own dialog', async ({ page, set, mayBeRefused }) => {
  await open(page, set);
  const remove = page.getByRole('button', { name: 'Delete' });
  page.once('dialog', (dialog) => dialog.dismiss());
  await remove.click();
  await expect(figure(page, 'Basic Information', 'ID')).toHaveText(set.opportunityId);
  // What the page was just reading of it, a chart as well, is not found any more.
  mayBeRefused(404);
  page.once('dialog', (dialog) => dialog.accept());
  await remove.click();
  await expect(toast(page, 'Arbitrage opportunity deleted successfully')).toBeVisible();
  await expect(page).toHaveURL('/arbitrage');
  await page.goBack();
  await expect(page.getByText('This opportunity has been deleted.')).toBeVisible();
  await open(page, set);
  await expect(page.getByText(/^Error loading arbitrage opportunity details/)).toBeVisible();
});
