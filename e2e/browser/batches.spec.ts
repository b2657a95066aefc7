import { type Batch, readBatch } from '@dutchbook/contract/batches.ts';
import { deleteOpportunity, placeOrder } from '@dutchbook/contract/opportunities.ts';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { expect, type Page } from '@playwright/test';
import { eventually } from '../world/eventually.ts';
import { cheapThreeWay } from '../world/three-way.ts';
import { test } from './desk-test.ts';
import { cell, figure, rowsOf, toast } from './screen.ts';
import type { StartedProduct } from './started-product.ts';

const COLUMNS = [
  'ID',
  'Created',
  'Opportunity ID',
  'Status',
  'Orders',
  'Target Profit',
  'Actual Profit',
  'Retries',
  'Execution Time',
  'Actions',
];

/** One batch that completed at the price that was quoted, one at a price that had moved, one that the venue refused. */
let completed: Batch;
let moved: Batch;
let failed: Batch;

test.beforeAll(async ({ product }) => {
  completed = await placed(product, 0, 0.75);
  moved = await placed(product, 1, 0.74);
  await product.exchange.fault({ name: 'rate_limit_429', times: 1 });
  failed = await placed(product, 2, 0.75);
});

/** Places 12 sets of the `nth` three-way at a quote, and waits for the batch to come to rest. */
async function placed({ caller, exchange }: StartedProduct, nth: number, quote: number): Promise<Batch> {
  const { opportunityId } = await cheapThreeWay(exchange, caller, nth);
  const params = { opportunity_id: opportunityId };
  const query = { order_size: sharesFromNumber(12), quoted_price: setPriceFromNumber(quote) };
  const answer = await caller.call(placeOrder, { params, query });
  expect(answer.detail).toBe('');
  const ended = await eventually('the batch came to rest', async () => {
    const { reply } = await caller.call(readBatch, { params: { batch_id: answer.reply.id } });
    return reply.is_active ? null : reply;
  });
  await caller.call(deleteOpportunity, { params });
  return ended;
}

const list = (page: Page) => rowsOf(page, 'Batch Orders');
const rowOf = (page: Page, { id }: Batch) => list(page).filter({ has: page.getByTitle(id, { exact: true }) });
const filters = (page: Page) => page.getByRole('region', { name: 'Filters' });
const press = (page: Page, name: string) => filters(page).getByRole('button', { name }).click();

test('lists batches with what came of them', async ({ page }) => {
  await page.goto('/batches');
  await expect(page.getByRole('columnheader')).toHaveText(COLUMNS.map((name) => new RegExp(`^${name}`)));
  const good = rowOf(page, completed);
  await expect(cell(good, 'Status')).toHaveText('Completed');
  await expect(cell(good, 'Orders')).toHaveText('3/3');
  await expect(cell(good, 'Target Profit')).toHaveText(/^\$\d\.\d\d$/);
  await expect(cell(good, 'Actual Profit')).toHaveText(/\+\$\d\.\d\d$/);
  await expect(cell(good, 'Retries')).toHaveText('0/3');
  await expect(cell(good, 'Execution Time')).toHaveText(/^\d+s$/);
  const bad = rowOf(page, failed);
  await expect(cell(bad, 'Status')).toHaveText('Failed');
  await expect(cell(bad, 'Orders')).toHaveText('0/3');
});

test('filters by what is chosen once it is applied, and counts, resets and clears the filters', async ({ page }) => {
  await page.goto('/batches');
  await filters(page).getByLabel('Status', { exact: true }).selectOption('Failed');
  await expect(page).toHaveURL('/batches');
  await press(page, 'Reset');
  await expect(filters(page).getByLabel('Status', { exact: true })).toHaveValue('');
  await filters(page).getByLabel('Status', { exact: true }).selectOption('Failed');
  await filters(page).getByLabel('Opportunity ID').fill(failed.opportunity_id);
  await press(page, 'Apply');
  await expect(page).toHaveURL(new RegExp(`status=failed&opportunityId=${failed.opportunity_id}`));
  await expect(filters(page).getByText('2 active')).toBeVisible();
  await expect(list(page)).toHaveCount(1);
  await page.reload();
  await expect(list(page)).toHaveCount(1);
  await expect(filters(page).getByLabel('Opportunity ID')).toHaveValue(failed.opportunity_id);
  await filters(page).getByLabel('Active Status').selectOption('Active only');
  await press(page, 'Apply');
  await expect(page.getByText('No batch orders found.')).toBeVisible();
  await press(page, 'Clear');
  await expect(page).toHaveURL('/batches');
  await expect(rowOf(page, completed)).toBeVisible();
  await expect(filters(page).getByText(/\d active/)).toHaveCount(0);
});

test('does not look for half an ID', async ({ page }) => {
  await page.goto('/batches');
  await filters(page).getByLabel('Opportunity ID').fill('1234');
  await press(page, 'Apply');
  await expect(page.getByText('Enter the whole ID')).toHaveCount(1);
  await expect(page).toHaveURL('/batches');
});

test('sorts by a column, in the address and after a reload; bad values fall back', async ({ page }) => {
  await page.goto(`/batches?page=none&sortOrder=sideways&opportunityId=${moved.opportunity_id}`);
  await expect(list(page)).toHaveCount(1);
  await page.goto('/batches');
  await expect(list(page).first().getByTitle(failed.id)).toBeVisible();
  await page.getByRole('columnheader', { name: 'Orders' }).getByRole('button').click();
  await expect(page).toHaveURL(/sortBy=total_orders/);
  await page.getByRole('columnheader', { name: 'Orders' }).getByRole('button').click();
  await expect(page).toHaveURL(/sortBy=total_orders&sortOrder=asc/);
  await page.reload();
  await expect(list(page).first().getByTitle(failed.id)).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Orders' })).toHaveAttribute('aria-sort', 'ascending');
});

test('copies what is to be known of a batch, line by line', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/batches');
  await rowOf(page, completed).getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Copy Batch Info' }).click();
  await expect(toast(page, 'Batch info copied')).toBeVisible();
  const copied = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
  expect(copied).toEqual([
    `Batch ID: ${completed.id}`,
    `Opportunity ID: ${completed.opportunity_id}`,
    'Status: Completed',
    'Orders: 3/3',
    expect.stringMatching(/^Target Profit: \$\d\.\d\d$/),
    expect.stringMatching(/^Actual Profit: \$\d\.\d\d$/),
    'Retries: 0/3',
    expect.stringMatching(/^Created: \d{4}-/),
  ]);
});

test('opens a batch from its row, with its orders and how they ended', async ({ page }) => {
  await page.goto('/batches');
  await rowOf(page, moved).getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'View Details' }).click();
  await expect(page).toHaveURL(`/batches/${moved.id}`);
  await expect(figure(page, 'Batch Information', 'Order Size')).toHaveText('12.00 sh');
  await expect(figure(page, 'Batch Information', 'Final')).toHaveText('Yes');
  await expect(figure(page, 'Batch Information', 'Execution Time')).toHaveText(/^\d+s$/);
  await expect(figure(page, 'Summary', 'Success Rate')).toHaveText('100.00%');
  await expect(page.getByRole('link', { name: 'View Opportunity' })).toHaveAttribute(
    'href',
    `/arbitrage/${moved.opportunity_id}`,
  );
  const orders = rowsOf(page, 'Orders');
  await expect(cell(orders, 'Status')).toHaveText(['Filled', 'Filled', 'Filled']);
  await expect(cell(orders, 'Price')).toHaveText(['0.2500', '0.2500', '0.2500']);
  await expect(cell(orders, 'Error')).toHaveText(['Price Changed', 'Price Changed', 'Price Changed']);
  await cell(orders, 'Error').first().getByRole('button').hover();
  await expect(page.getByRole('tooltip')).toContainText('moved from 0.7400 to 0.7500');
});

test('an order the venue refused says yes, there is an error, and which', async ({ page }) => {
  await page.goto(`/batches/${failed.id}`);
  await expect(page.getByText('Last error')).toBeVisible();
  const orders = rowsOf(page, 'Orders');
  await expect(cell(orders, 'Error')).toHaveText(['Yes', 'Yes', 'Yes']);
  await cell(orders, 'Error').first().getByRole('button').focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tooltip')).toContainText(/too many requests/i);
});

test('a batch that completed without trouble says no to errors', async ({ page }) => {
  await page.goto(`/batches/${completed.id}`);
  await expect(cell(rowsOf(page, 'Orders'), 'Error')).toHaveText(['No', 'No', 'No']);
});

test('says when a batch is not there', async ({ page, mayBeRefused }) => {
  mayBeRefused(404);
  await page.goto('/batches/00000000-0000-4000-8000-000000000000');
  await expect(page.getByText('Error loading batch: Batch not found')).toBeVisible();
});
