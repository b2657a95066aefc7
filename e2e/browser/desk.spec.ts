/**
 * The product's main job, from the README's command to the last micro-dollar: sign in, watch prices move, import an
 * opportunity, simulate and place it, see its batch complete, and find the same orders and the same money at the exchange.
 */

import { readBatch, readBatchOrders } from '@dutchbook/contract/batches.ts';
import { listOpportunities } from '@dutchbook/contract/opportunities.ts';
import type { Order } from '@dutchbook/contract/orders.ts';
import { type Price, priceFromText } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromNumber, sharesFromText } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { expect, type Page } from '@playwright/test';
import type { ExchangeState } from '../product/exchange.ts';
import { type QuotedSet, quoteThreeWay } from '../product/three-way.ts';
import { watchedTest as test } from './browser.fixture.ts';
import { cell, figure, rowsOf, toast } from './screen.ts';
import { signIn } from './sign-in.ts';
import { type StartedProduct, startByReadme } from './started-product.ts';

const SIZE_SHARES = 12;

let product: StartedProduct;
test.beforeAll(async () => {
  product = await startByReadme();
});
test.afterAll(() => product.stop());

test('an operator signs in, imports an opportunity, watches it, simulates it, places it and sees it complete', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page, product);
  await expect(page.getByText('Welcome back, nice to see you again!')).toBeVisible();
  await expectPricesToMove(page);
  const set = await quoteThreeWay(product.exchange, product.caller);
  await importAndOpen(page, set);
  await expectBookToShow(page, set);
  await simulate(page);
  const before = await product.exchange.state();
  const batchId = await place(page);
  await expectCompleted(page, set);
  await expectSameAsExchange(page, batchId, set, before);
});

/** What the venue holds is watched, and one of the ten distances in sight changes while the page is not touched. */
async function expectPricesToMove(page: Page) {
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Discover' }).click();
  const rows = rowsOf(page, 'Relations');
  await expect(rows).toHaveCount(10, { timeout: 30_000 });
  await expect(page.getByText('Simulated exchange')).toBeVisible();
  const distances = () => cell(rows, 'Distance').allTextContents();
  await expect(cell(rows, 'Distance').filter({ hasText: /\d c/ })).toHaveCount(10);
  const first = await distances();
  await expect.poll(distances, { timeout: 30_000 }).not.toEqual(first);
  await navigation.getByRole('link', { name: 'Arbitrage' }).click();
}

async function importAndOpen(page: Page, set: QuotedSet) {
  const combinations = JSON.stringify(set.combinations).replaceAll('"', '""');
  const csv = `market_combinations,target_price,source\r\n"${combinations}",1,browser test\r\n`;
  await page.getByRole('button', { name: 'Import CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import CSV' });
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'set.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(toast(page, 'Successfully imported 1 opportunities')).toBeVisible();
  await expect(dialog).toBeHidden();
  const { reply } = await product.caller.call(listOpportunities, { query: { limit: 1, q: 'browser test' } });
  await page.getByTitle(reply.data[0]?.id ?? '', { exact: true }).click();
  await expect(figure(page, 'Basic Information', 'Source')).toHaveText('browser test');
}

/** A change of one order book is on screen, priced, without a reload; and so is the change back. */
async function expectBookToShow(page: Page, { tokenIds: [tokenId = ''] }: QuotedSet) {
  const price = figure(page, 'Price Information', 'Current Price');
  const profit = figure(page, 'Price Information', 'Profit %');
  const bids = [{ price: '0.2', size: '500' }];
  await expect(price).toContainText('0.7500');
  const dearProfit = await profit.textContent();
  await product.exchange.setBook(tokenId, bids, [{ price: '0.26', size: '500' }]);
  await expect(price).toContainText('0.7600');
  await expect(profit).not.toHaveText(dearProfit ?? '');
  await product.exchange.setBook(tokenId, bids, [{ price: '0.25', size: '500' }]);
  await expect(price).toContainText('0.7500');
  await expect(profit).toHaveText(dearProfit ?? '');
}

async function simulate(page: Page) {
  await page.getByRole('button', { name: 'Simulate Order' }).click();
  const dialog = page.getByRole('dialog', { name: 'Simulate Order' });
  await expect(toast(page, 'Order simulation completed')).toBeVisible();
  await dialog.getByLabel('Order Size').fill(String(SIZE_SHARES));
  await dialog.getByRole('button', { name: 'Refresh Simulation' }).click();
  await expect(dialog.getByText('12.00 sh')).toBeVisible();
  const planned = dialog.getByRole('table', { name: 'Planned orders' }).locator('tbody tr');
  await expect(planned).toHaveCount(3);
  await expect(cell(planned, 'Limit Price')).toHaveText(['0.2500', '0.2500', '0.2500']);
  await expect(cell(planned, 'Cost')).toHaveText(['$3.00', '$3.00', '$3.00']);
  await expect(dialog.getByText('$9.00')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
}

/** Places by hand and answers the id of the batch it led to. */
async function place(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Place Order' }).click();
  const dialog = page.getByRole('dialog', { name: 'Place Order' });
  await dialog.getByLabel('Order Size').fill(String(SIZE_SHARES));
  await dialog.getByRole('button', { name: 'Refresh Simulation' }).click();
  await dialog.getByRole('button', { name: 'Confirm Order' }).click();
  await expect(toast(page, 'Order placed successfully')).toBeVisible();
  await page.waitForURL(/\/batches\/[0-9a-f-]{36}$/);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** The orders fill and the batch completes before the operator's eyes: nothing is reloaded or refreshed. */
async function expectCompleted(page: Page, { markets }: QuotedSet) {
  const orders = rowsOf(page, 'Orders');
  await expect(orders).toHaveCount(markets.length);
  await expect(cell(orders, 'Status')).toContainText(markets.map(() => 'Filled'));
  await expect(cell(orders, 'Filled / Size')).toHaveText(markets.map(() => '12.00 / 12.00'));
  await expect(cell(orders, 'Error')).toHaveText(markets.map(() => 'No'));
  await expect(figure(page, 'Batch Information', 'Status')).toHaveText('Completed');
  await expect(figure(page, 'Batch Information', 'Orders')).toHaveText('3/3');
  await expect(figure(page, 'Summary', 'Success Rate')).toHaveText('100.00%');
}

/** Order for order, and every amount in whole micro-units. */
async function expectSameAsExchange(page: Page, batchId: string, set: QuotedSet, before: ExchangeState) {
  const { caller, exchange } = product;
  const { reply: batch } = await caller.call(readBatch, { params: { batch_id: batchId } });
  const { reply: orders } = await caller.call(readBatchOrders, { params: { batch_id: batchId } });
  const after = await exchange.state();
  const placed = after.orders.slice(before.orders.length);
  const trades = after.trades.slice(before.trades.length);
  expect(placed.map(({ asset_id }) => asset_id).sort()).toEqual([...set.tokenIds].sort());
  expect(byToken(orders.data.map(ours))).toEqual(byToken(placed.map((order) => theirs(order, trades))));

  const paidUsd = sum(trades.map(costUsd)) + sum(trades.map(({ fee }) => usdFromText(fee)));
  const payoutUsd = sharesFromNumber(SIZE_SHARES) * 1;
  expect(batch).toMatchObject({ status: 'completed', total_orders: 3, expected_orders: 3, unhedged: null });
  expect(batch.actual_profit_usd).toBe(payoutUsd - paidUsd);
  expect(usdFromText(before.account.usd) - usdFromText(after.account.usd)).toBe(paidUsd);
  const shown = ((payoutUsd - paidUsd) / 1_000_000).toFixed(2);
  await expect(figure(page, 'Batch Information', 'Actual Profit')).toContainText(shown);
}

type Compared = { token: string; side: string; size: Shares; filled: Shares; price: Price; fee: Usd };

function ours({ token_id, side, size, filled_size, price, fee }: Order): Compared {
  return { token: token_id, side: side.toUpperCase(), size, filled: filled_size, price, fee };
}

function theirs(order: ExchangeState['orders'][number], trades: ExchangeState['trades']): Compared {
  const own = trades.filter(({ taker_order_id }) => taker_order_id === order.id);
  const size = sharesFromText(order.original_size);
  const filled = sharesFromText(order.size_matched);
  expect(sum(own.map((trade) => sharesFromText(trade.size)))).toBe(filled);
  const fee = sum(own.map((trade) => usdFromText(trade.fee))) as Usd;
  return { token: order.asset_id, side: order.side, size, filled, price: priceFromText(order.price), fee };
}

function byToken(orders: readonly Compared[]): Map<string, Compared> {
  return new Map(orders.map((order) => [order.token, order]));
}

function costUsd({ size, price }: ExchangeState['trades'][number]): number {
  const cost = (sharesFromText(size) * priceFromText(price)) / 1_000_000;
  if (!Number.isInteger(cost)) throw new Error(`${size} shares at ${price} are not whole micro-dollars`);
  return cost;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
