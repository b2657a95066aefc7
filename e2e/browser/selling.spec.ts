import type { Batch } from '@dutchbook/contract/batches.ts';
import { placeOrder } from '@dutchbook/contract/placing.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { expect, type Locator, type Page, type Request } from '@playwright/test';
import type { ThreeWay } from '../product/three-way.ts';
import { activate, tabTo } from './accessibility.ts';
import { test } from './browser.fixture.ts';
import { bought, soldAt } from './placed-batch.ts';
import { cell, rowsOf, toast } from './screen.ts';

const SELL_ALL = '**/api/v1/arbitrage/batch/*/sell-all*';

const dialogOf = (page: Page, title: string) => page.getByRole('dialog', { name: title });
const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true });
/** The value beside `name` among the figures of a dialog. */
function figureIn(dialog: Locator, name: string): Locator {
  const page = dialog.page();
  return dialog
    .locator('dl > div', { has: page.getByRole('term').and(page.getByText(name, { exact: true })) })
    .getByRole('definition');
}

const planned = (page: Page) => rowsOf(page, 'Planned sales');
const customPrice = (dialog: Locator, { markets }: ThreeWay, index: number) =>
  dialog.getByLabel(`Custom Price of ${markets[index]?.question}, Yes`);
const isExecution = (request: Request) => request.url().includes('/sell-all') && /simulate=false/.test(request.url());

async function openSellAll(page: Page, { id }: Batch): Promise<Locator> {
  await page.goto(`/batches/${id}`);
  await activate(page, button(page, 'Sell All Orders'));
  const dialog = dialogOf(page, 'Sell All Orders');
  // Holding the whole sets pays more.
  await expect(dialog.getByRole('radio', { name: /^Hold/ })).toBeChecked();
  await dialog.getByRole('radio', { name: /^Sell/ }).check();
  return dialog;
}

/** The bids lie a fifth below what was paid. */
test.beforeEach(async ({ page }) => {
  await page.addLocatorHandler(page.getByRole('button', { name: 'Sell at This Loss' }), (sell) => sell.click());
});

test('sells a batch after a simulation, once however often it is pressed, and shows what came of it', {
  tag: '@journey',
}, async ({ page, product, set }) => {
  const batch = await bought(product, set);
  const executions: Request[] = [];
  page.on('request', (request) => void (isExecution(request) && executions.push(request)));
  const simulated = page.waitForRequest(/\/sell-all\?simulate=true$/);
  const dialog = await openSellAll(page, batch);
  await simulated;
  await expect(figureIn(dialog, 'Total Orders')).toHaveText('3');
  await expect(figureIn(dialog, 'Sellable Orders')).toHaveText('3');
  await expect(figureIn(dialog, 'Original Value')).toHaveText('$9.00');
  await expect(figureIn(dialog, 'Estimated Proceeds')).toHaveText('$7.20');
  await expect(figureIn(dialog, 'Estimated Fees')).toHaveText(/^\$\d\.\d\d$/);
  await expect(figureIn(dialog, 'Estimated Profit')).toHaveText(/^↓-\$\d\.\d\d$/);
  await expect(figureIn(dialog, 'Estimated Profit %')).toHaveText(/^↓-\d\d\.\d\d%$/);
  await expect(figureIn(dialog, 'Average Original Price')).toHaveText('0.2500');
  await expect(figureIn(dialog, 'Average Sell Price')).toHaveText('0.2000');
  await expect(cell(planned(page), 'Market')).toHaveText(set.markets.map(({ question }) => question));
  await expect(cell(planned(page), 'Outcome')).toHaveText(['Yes', 'Yes', 'Yes']);
  await expect(cell(planned(page), 'Shares')).toHaveText(['12.00', '12.00', '12.00']);
  await expect(cell(planned(page), 'Sell Price')).toHaveText(['0.2000', '0.2000', '0.2000']);
  await expect(cell(planned(page), 'Average Price')).toHaveText(['0.2000', '0.2000', '0.2000']);
  await expect(cell(planned(page), 'Proceeds')).toHaveText(['$2.40', '$2.40', '$2.40']);
  await expect(cell(planned(page), 'Fee')).toHaveText([/^\$0\.\d\d$/, /^\$0\.\d\d$/, /^\$0\.\d\d$/]);
  await button(dialog, 'Execute Sell Orders').dblclick();
  await expect(figureIn(dialog, 'Successful Sells')).toHaveText('3');
  await expect(dialog.getByRole('status')).toHaveText('3 of 3 orders sold');
  await expect(figureIn(dialog, 'Total Orders')).toHaveText('3');
  await expect(figureIn(dialog, 'Failed Sells')).toHaveText('0');
  await expect(figureIn(dialog, 'Total Proceeds')).toHaveText('$7.20');
  const results = rowsOf(page, 'Sell orders');
  await expect(cell(results, 'Status')).toHaveText(['Filled', 'Filled', 'Filled']);
  await expect(cell(results, 'Sold / Size')).toHaveText(['12.00 / 12.00', '12.00 / 12.00', '12.00 / 12.00']);
  await expect(button(dialog, 'Done')).toBeFocused();
  expect(executions).toHaveLength(1);
  expect(executions[0]?.headers()['idempotency-key']).toMatch(/.{16}/);
  expect(await soldAt(product, set)).toEqual([['12 at 0.2'], ['12 at 0.2'], ['12 at 0.2']]);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(cell(rowsOf(page, 'Orders'), 'Side')).toHaveText([/Buy/, /Buy/, /Buy/, /Sell/, /Sell/, /Sell/]);
  await expect(button(page, 'Sell All Orders')).toHaveCount(0);
});

test('sells a token at a price of its own, and only what has been simulated at that price', async ({
  page,
  product,
  set,
}) => {
  const batch = await bought(product, set);
  const [first = '', second = ''] = set.tokenIds;
  await product.exchange.setBook(first, [{ price: '0.22', size: '7' }], [{ price: '0.25', size: '500' }]);
  const dialog = await openSellAll(page, batch);
  const [own, zero] = [customPrice(dialog, set, 0), customPrice(dialog, set, 1)];
  for (const [name, value] of [
    ['type', 'number'],
    ['step', '0.0001'],
    ['min', '0'],
  ] as const)
    await expect(own).toHaveAttribute(name, value);
  const execute = button(dialog, 'Execute Sell Orders');
  await expect(execute).toBeEnabled();
  for (const [field, typed] of [
    [own, '0.22'],
    [zero, '0'],
  ] as const) {
    await tabTo(page, field);
    await page.keyboard.type(typed);
  }
  await expect(execute).toBeDisabled();
  await expect(execute).toHaveAccessibleDescription(/Refresh the simulation/);
  const asked = page.waitForRequest(/\/sell-all\?simulate=true$/);
  await page.keyboard.press('Enter');
  expect((await asked).postDataJSON()).toEqual({ [first]: 0.22 });
  await expect(cell(planned(page), 'Shares')).toHaveText(['7.00 of 12.00', '12.00', '12.00']);
  await expect(dialog.getByText('the bids take 7 of 12 shares')).toBeVisible();
  for (const typed of ['-', '1']) {
    await customPrice(dialog, set, 2).pressSequentially(typed);
    await expect(dialog.getByText(/^Enter a price of 0 to 1/)).toBeVisible();
  }
  await expect(execute).toBeDisabled();
  await customPrice(dialog, set, 2).fill('');
  await expect(execute).toBeEnabled();
  const sent = page.waitForRequest(isExecution);
  await activate(page, execute);
  await expect(dialog.getByRole('status')).toHaveText('2 of 3 orders sold, 7 of 12 shares of leg 1');
  expect((await sent).postDataJSON()).toMatchObject({ [first]: 0.22, [second]: 0.2 });
  await expect(figureIn(dialog, 'Failed Sells')).toHaveText('1');
  await expect(cell(rowsOf(page, 'Sell orders'), 'Sold / Size')).toHaveText([
    '7.00 / 12.00',
    '12.00 / 12.00',
    '12.00 / 12.00',
  ]);
  await expect(figureIn(dialog, 'Successful Sells')).toHaveText('2');
  await expect(dialog.getByText(`Yes of ${set.markets[0]?.question}`)).toBeVisible();
  expect(await soldAt(product, set)).toEqual([['7 at 0.22'], ['12 at 0.2'], ['12 at 0.2']]);
});

test('a sale whose answer is lost is not called failed, and is not made twice', async ({
  page,
  product,
  set,
  mayBeRefused,
}) => {
  mayBeRefused('without an answer');
  const batch = await bought(product, set);
  const dialog = await openSellAll(page, batch);
  await expect(button(dialog, 'Execute Sell Orders')).toBeEnabled();
  await page.route(SELL_ALL, async (route) => {
    // Simulations go on: without them nothing could be sold.
    if (!isExecution(route.request())) return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await button(dialog, 'Execute Sell Orders').click();
  await expect(toast(page, 'it is not known what was sold')).toBeVisible();
  await expect(dialog.getByText(/^The answer was lost/)).toBeVisible();
  await page.unroute(SELL_ALL);
  await button(dialog, 'Execute Sell Orders').click();
  await expect(figureIn(dialog, 'Successful Sells')).toHaveText('3');
  expect(await soldAt(product, set)).toEqual([['12 at 0.2'], ['12 at 0.2'], ['12 at 0.2']]);
});

test('unwinds what no whole set needs, after a look at what that loses', async ({ page, product, set }) => {
  const [, , short = ''] = set.tokenIds;
  await product.exchange.fault({ name: 'partial_fill', token_id: short });
  const { caller } = product;
  const params = { opportunity_id: set.opportunityId };
  const { reply: batch, detail } = await caller.call(placeOrder, {
    params,
    query: { order_size: sharesFromNumber(400) },
  });
  expect(detail).toBe('');
  await page.goto(`/batches/${batch.id}`);
  const unhedged = page.getByRole('region', { name: 'Unhedged Exposure' });
  await expect(unhedged).toBeVisible();
  await button(unhedged, 'Unwind').click();
  const dialog = dialogOf(page, 'Unwind');
  await expect(dialog.getByText(/it must end or be canceled first/)).toBeVisible();
  await expect(button(dialog, 'Confirm Unwind')).toBeDisabled();
  await page.goto('/');
  const exposure = page.getByRole('region', { name: 'Unhedged exposure' });
  await expect(exposure).toContainText(/\$1\d\d\.\d\dlost at worst by \d batch/);
  await page.goto(`/batches/${batch.id}`);
  await button(page, 'Cancel Batch').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Batch' }).click();
  await expect(page.getByText('Canceled', { exact: true }).first()).toBeVisible();
  await button(unhedged, 'Unwind').click();
  // 400 shares bought at 0.25 bring 0.20 each now; how much is taken as fees depends on the market.
  await expect(figureIn(dialog, 'If you unwind now')).toHaveText(/^↓-\$2\d\.\d\d$/);
  await expect(figureIn(dialog, 'If the rest never fills')).toHaveText(/^↓-\$10\d\.\d\d$/);
  await expect(cell(planned(page), 'Shares')).toHaveText(['200.00', '200.00']);
  await expect(cell(planned(page), 'Gain or Loss')).toHaveText([/^↓-\$1\d\.\d\d$/, /^↓-\$1\d\.\d\d$/]);
  await button(dialog, 'Confirm Unwind').click();
  await expect(figureIn(dialog, 'Successful Sells')).toHaveText('2');
  await button(dialog, 'Done').click();
  await expect(unhedged).toBeHidden();
  expect(await soldAt(product, set)).toEqual([['200 at 0.2'], ['200 at 0.2'], []]);
});

test('says before an order is placed what is lost at worst if only some positions fill', async ({ page, set }) => {
  await page.goto(`/arbitrage/${set.opportunityId}`);
  await button(page, 'Place Order').click();
  await expect(dialogOf(page, 'Place Order').getByText(/^Should only some positions fill/)).toHaveText(
    /at worst \$\d+\.\d\d is lost\.$/,
  );
});
