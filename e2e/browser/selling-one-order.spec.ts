import { expect, type Page, type Request } from '@playwright/test';
import { activate } from './accessibility.ts';
import { test } from './browser.fixture.ts';
import { bought, soldAt } from './placed-batch.ts';
import { cell, rowsOf, toast } from './screen.ts';

const sellDialog = (page: Page) => page.getByRole('dialog', { name: 'Sell Order' });
const sellShares = (page: Page) => sellDialog(page).getByRole('button', { name: 'Sell Shares' });
const sellButton = (page: Page, question: string | undefined) =>
  page.getByRole('button', { name: `Sell Yes of ${question}`, exact: true });

/** The bids lie a fifth below what was paid. */
test.beforeEach(async ({ page }) => {
  await page.addLocatorHandler(page.getByRole('button', { name: 'Sell at This Loss' }), (sell) => sell.click());
});

test('sells the shares of one order, a part of them or all', async ({ page, product, set }) => {
  const batch = await bought(product, set);
  await page.goto(`/batches/${batch.id}`);
  const sell = sellButton(page, set.markets[0]?.question);
  await activate(page, sell);
  const dialog = sellDialog(page);
  await expect(dialog.getByText(/^The bids take 12\.00 shares now, down to 0\.2000/)).toBeVisible();
  await expect(dialog.getByLabel('Shares to Sell')).toBeFocused();
  await page.keyboard.type('13');
  await expect(dialog.getByText('Only 12.00 shares are held')).toBeVisible();
  await expect(sellShares(page)).toBeDisabled();
  await dialog.getByLabel('Shares to Sell').fill('5');
  await dialog.getByLabel('Sell Price').fill('0.19');
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Order sold successfully')).toContainText('Success!');
  await expect(dialog).toBeHidden();
  await expect(sell).toBeFocused();
  await expect(cell(rowsOf(page, 'Orders'), 'Side')).toHaveCount(4);
  await sell.click();
  await expect(dialog.getByText('7.00 sh', { exact: true })).toBeVisible();
  await sellShares(page).click();
  await expect(sell).toHaveCount(0);
  expect(await soldAt(product, set)).toEqual([['5 at 0.2', '7 at 0.2'], [], []]);
});

test('sells no share of an order below what is shown, and shows by itself what the bids take now', async ({
  page,
  product,
  set,
  mayBeRefused,
}) => {
  mayBeRefused(409);
  const batch = await bought(product, set);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/api/v1/arbitrage/batch/*/sell-all*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`/batches/${batch.id}`);
  await sellButton(page, set.markets[0]?.question).click();
  const dialog = sellDialog(page);
  const sell = sellShares(page);
  await expect(sell).toHaveAccessibleDescription(/^Simulating/);
  await expect(sell).toBeDisabled();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Sell Price').fill('0.3');
  await expect(sell).toHaveAccessibleDescription('Sells at 0.3000 or better. What finds no bid is kept.');
  await expect(sell).toBeEnabled();
  await dialog.getByLabel('Sell Price').fill('');
  letGo();
  await expect(sell).toHaveAccessibleDescription(/^The bids take 12\.00 shares now, down to 0\.2000/);
  await dialog.getByLabel('Shares to Sell').fill('5');
  await expect(sell).toHaveAccessibleDescription(/^Sells at 0\.2000 or better, where the bids take 12\.00 shares now/);

  const [token = ''] = set.tokenIds;
  await product.exchange.setBook(token, [{ price: '0.01', size: '500' }], [{ price: '0.25', size: '500' }]);
  const sent = page.waitForRequest(/\/sell-order\//);
  await sell.click();
  await expect(toast(page, 'Failed to sell order')).toBeVisible();
  expect(Object.fromEntries(new URL((await sent).url()).searchParams)).toEqual({ sell_size: '5', sell_price: '0.2' });
  expect(await soldAt(product, set)).toEqual([[], [], []]);

  await dialog.getByLabel('Shares to Sell').fill('');
  await expect(sell).toHaveAccessibleDescription(/down to 0\.0100/);
  await product.exchange.setBook(token, [{ price: '0.19', size: '7' }], [{ price: '0.25', size: '500' }]);
  await expect(sell).toHaveAccessibleDescription(/^The bids take 7\.00 shares now, down to 0\.1900/);
});

test('the sale of an order whose answer is lost stays as it was sent, and is the same one when it is asked for again', async ({
  page,
  product,
  set,
  mayBeRefused,
}) => {
  mayBeRefused('without an answer');
  const batch = await bought(product, set);
  const sales: Request[] = [];
  page.on('request', (request) => void (request.url().includes('/sell-order/') && sales.push(request)));
  await page.clock.install();
  await page.goto(`/batches/${batch.id}`);
  await sellButton(page, set.markets[0]?.question).click();
  const dialog = sellDialog(page);
  const sell = sellShares(page);
  await dialog.getByLabel('Shares to Sell').fill('5');
  await expect(sell).toHaveAccessibleDescription(/^Sells at 0\.2000 or better/);
  await page.route('**/sell-order/**', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await sell.click();
  await expect(sell).toHaveAccessibleDescription(/the server knows that it is the same sale/);
  await page.unroute('**/sell-order/**');
  await expect(dialog.getByText('7.00 sh', { exact: true })).toBeVisible();

  const [token = ''] = set.tokenIds;
  await product.exchange.setBook(token, [{ price: '0.19', size: '500' }], [{ price: '0.25', size: '500' }]);
  await page.clock.fastForward(30_000);
  await dialog.getByLabel('Shares to Sell').fill('6');
  await expect(sell).toHaveAccessibleDescription(/look at the batch\. This would be another sale\./);
  await dialog.getByLabel('Shares to Sell').fill('5');
  await expect(sell).toHaveAccessibleDescription(/the server knows that it is the same sale/);
  await sell.click();
  await expect(toast(page, 'Order sold successfully')).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(sales.map((sale) => sale.url())).toEqual([sales[0]?.url(), sales[0]?.url()]);
  expect(new Set(sales.map((sale) => sale.headers()['idempotency-key'])).size).toBe(1);
  expect(await soldAt(product, set)).toEqual([['5 at 0.2'], [], []]);
});

test('keeps what the bids take where the server wants fewer questions, says that it waits, and asks again by itself', async ({
  page,
  product,
  set,
  mayBeRefused,
}) => {
  mayBeRefused(429);
  const batch = await bought(product, set);
  await page.clock.install();
  await page.goto(`/batches/${batch.id}`);
  await sellButton(page, set.markets[0]?.question).click();
  const sell = sellShares(page);
  await expect(sell).toHaveAccessibleDescription(/^The bids take 12\.00 shares now, down to 0\.2000/);
  let asked = 0;
  await page.route('**/api/v1/arbitrage/batch/*/sell-all*', async (route) => {
    asked += 1;
    if (asked > 1) return await route.continue();
    const detail = 'You have asked the venue too often. Try again in 600 s.';
    await route.fulfill({ status: 429, headers: { 'retry-after': '600' }, json: { detail } });
  });
  await page.clock.fastForward(5_000);
  await expect(sell).toHaveAccessibleDescription(/^The bids take 12\.00 shares now.*Try again in 600 s\./);
  await expect(sell).toBeEnabled();
  const [token = ''] = set.tokenIds;
  await product.exchange.setBook(token, [{ price: '0.19', size: '7' }], [{ price: '0.25', size: '500' }]);
  await page.clock.fastForward(20_000);
  expect(asked).toBe(1);
  await page.clock.fastForward(600_000);
  await expect(sell).toHaveAccessibleDescription(/^The bids take 7\.00 shares now, down to 0\.1900.*less\.$/);
});
