import { type Batch, listRetryableBatches, readBatchOrders } from '@dutchbook/contract/batches.ts';
import { deleteOpportunity } from '@dutchbook/contract/opportunities.ts';
import { listOrders, readOrder } from '@dutchbook/contract/orders.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { cheapThreeWay } from '../product/three-way.ts';
import { test } from './browser.fixture.ts';
import { atRest, placed, refused, withoutAutomation } from './placed-batch.ts';
import { cell, expectColumnsToSort, figure, ORANGE, RED, rowsOf, toast } from './screen.ts';
import type { StartedProduct } from './started-product.ts';

/** Half an hour off every full one, so that no other zone is taken for it. */
const ZONE = 'Asia/Kolkata';
test.use({ timezoneId: ZONE });

const COLUMNS = [
  'Opportunity ID',
  'Created',
  'Status',
  'Actual Profit',
  'Target Profit',
  'Orders',
  'Retries',
  'Execution Time',
  'ID',
  'Actions',
];

/** Every column that sorts, by the name it has in the address. */
const SORTED_BY = [
  ['ID', 'id'],
  ['Created', 'created_at'],
  ['Opportunity ID', 'opportunity_id'],
  ['Status', 'status'],
  ['Orders', 'total_orders'],
  ['Target Profit', 'target_profit_usd'],
  ['Actual Profit', 'actual_profit_usd'],
  ['Retries', 'retry_count'],
] as const;

/** One batch that completed at the price that was quoted, one at a price that had moved, one that the venue refused. */
let completed: Batch;
let moved: Batch;
let failed: Batch;
let automate: () => Promise<void>;

test.beforeAll(async ({ product }) => {
  automate = await withoutAutomation(product);
  completed = await ended(product, 0, 0.75);
  moved = await ended(product, 1, 0.74);
  const { opportunityId } = await cheapThreeWay(product.exchange, product.caller, 2);
  failed = await refused(product, opportunityId);
});

test.afterAll(async ({ product }) => {
  for (const { opportunity_id } of [completed, moved, failed])
    await product.caller.call(deleteOpportunity, { params: { opportunity_id } });
  await automate();
});

/** Places the `nth` three-way at a quote, and waits for the batch to come to rest. */
async function ended(product: StartedProduct, nth: number, quote: number): Promise<Batch> {
  const { opportunityId } = await cheapThreeWay(product.exchange, product.caller, nth);
  return await atRest(product, await placed(product, opportunityId, quote));
}

const toneOf = (cell: Locator) => cell.locator('[data-tone]').first();
const list = (page: Page) => rowsOf(page, 'Batch Orders');
const rowOf = (page: Page, { id }: Batch) => list(page).filter({ has: page.getByTitle(id, { exact: true }) });
const filters = (page: Page) => page.getByRole('region', { name: 'Filters' });
const press = (page: Page, name: string) => filters(page).getByRole('button', { name }).click();

const inZone = (atMs: number) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: ZONE,
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).format(atMs);

test('lists batches with what came of them', async ({ page }) => {
  await page.goto('/batches/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Batch Orders');
  await expect(page.getByRole('columnheader')).toHaveText(COLUMNS.map((name) => new RegExp(`^${name}`)));
  const good = rowOf(page, completed);
  await expect(cell(good, 'Status')).toHaveText('Completed');
  await expect(cell(good, 'Orders')).toHaveText('3/3');
  const created = cell(good, 'Created').getByRole('time');
  await expect(created).toHaveText(inZone(completed.created_at));
  await expect(created).toHaveAttribute('title', /GMT\+5:30$/);
  await expect(cell(good, 'Target Profit')).toHaveText(/^\$\d\.\d\d$/);
  await expect(cell(good, 'Actual Profit')).toHaveText(/\+\$\d\.\d\d$/);
  await expect(cell(good, 'Retries')).toHaveText('0/3');
  await expect(cell(good, 'Execution Time')).toHaveText(/^\d+(\.\d{3})?s$/);
  await expect(toneOf(cell(good, 'Status'))).toHaveAttribute('data-tone', 'success');
  const bad = rowOf(page, failed);
  await expect(cell(bad, 'Status')).toHaveText('Failed');
  await expect(toneOf(cell(bad, 'Status'))).toHaveAttribute('data-tone', 'error');
  await expect(cell(bad, 'Orders')).toHaveText('0/3');
  for (const [row, entries] of [
    [good, ['View Details', 'Copy Batch Info']],
    [bad, ['View Details', 'Retry Batch', 'Copy Batch Info']],
  ] as const) {
    await row.getByRole('button').last().click();
    await expect(page.getByRole('menuitem')).toHaveText([...entries]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menuitem')).toHaveCount(0);
  }
});

test('reads ten batches a page, again when asked to, and says why it cannot', async ({ page, mayBeRefused }) => {
  mayBeRefused(422);
  const isList = (url: string) => new URL(url).pathname === '/api/v1/arbitrage/batches';
  const read = page.waitForRequest((request) => isList(request.url()));
  await page.goto('/batches');
  expect(new URL((await read).url()).searchParams.get('limit')).toBe('10');
  await expect(rowOf(page, completed)).toBeVisible();
  const again = page.waitForResponse((response) => isList(response.url()));
  await page.getByRole('button', { name: 'Refresh' }).click();
  expect((await again).status()).toBe(200);
  await page.route(
    (url) => isList(url.href),
    (route) => route.fulfill({ status: 422, json: { detail: 'The books are closed' } }),
  );
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('Error loading batches: The books are closed')).toBeVisible();
  await expect(toast(page, 'Something went wrong!')).toContainText('The books are closed');
  await expect(rowOf(page, completed), 'what was read before stays on screen').toBeVisible();
  const second = page.waitForRequest((request) => isList(request.url()));
  await page.goto('/batches?page=2');
  expect(new URL((await second).url()).searchParams.get('skip')).toBe('10');
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
  await filters(page).getByLabel('Status', { exact: true }).selectOption('Sold');
  await press(page, 'Reset');
  await expect(filters(page).getByLabel('Status', { exact: true })).toHaveValue('failed');
  await filters(page).getByLabel('Active Status').selectOption('Active only');
  await press(page, 'Apply');
  await expect(page.getByText('No batch orders found.')).toBeVisible();
  await filters(page).getByLabel('Retry Status').selectOption('Can be retried');
  await press(page, 'Apply');
  await expect(page).toHaveURL(/canRetry=true/);
  await expect(filters(page).getByText('4 active')).toBeVisible();
  await press(page, 'Clear');
  await expect(page).toHaveURL('/batches');
  await expect(rowOf(page, completed)).toBeVisible();
  await expect(filters(page).getByText(/\d active/)).toHaveCount(0);
  await filters(page).getByLabel('Opportunity ID').fill('1234');
  await press(page, 'Apply');
  await expect(page.getByText('Enter the whole ID'), 'half an ID is not looked for').toHaveCount(1);
  await expect(page).toHaveURL('/batches');
});

test('sorts by a column, in the address and after a reload; bad values fall back', async ({ page }) => {
  await page.goto(`/batches?page=none&sortOrder=sideways&opportunityId=${moved.opportunity_id}`);
  await expect(list(page)).toHaveCount(1);
  const all = `status=failed&isActive=false&canRetry=true&opportunityId=${failed.opportunity_id}`;
  const asked = page.waitForRequest(/arbitrage\/batches\?.*status=failed/);
  await page.goto(`/batches?${all}&sortBy=retry_count&sortOrder=asc`);
  expect(Object.fromEntries(new URL((await asked).url()).searchParams)).toEqual({
    skip: '0',
    limit: '10',
    status: 'failed',
    opportunity_id: failed.opportunity_id,
    is_active: 'false',
    can_retry: 'true',
    folded: 'true',
    sort_by: 'retry_count',
    sort_order: 'asc',
  });
  await expect(list(page)).toHaveCount(1);
  await page.goto('/batches');
  await expect(list(page).first().getByTitle(failed.id)).toBeVisible();
  await expectColumnsToSort(page, '/batches', SORTED_BY);
  await page.getByRole('columnheader', { name: 'Orders' }).getByRole('button').click();
  await expect(page).toHaveURL(/sortBy=total_orders/);
  await page.getByRole('columnheader', { name: 'Orders' }).getByRole('button').click();
  await expect(page).toHaveURL(/sortBy=total_orders&sortOrder=asc/);
  await page.reload();
  await expect(cell(list(page).first(), 'Orders')).toHaveText('0/3');
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

test('opens a batch from its row, with what was planned, what came of it and how its orders ended', async ({
  page,
}) => {
  await page.goto('/batches');
  await rowOf(page, moved).getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'View Details' }).click();
  await expect(page).toHaveURL(`/batches/${moved.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/ · /);
  await expect(figure(page, 'Batch Information', 'Order Size')).toHaveText('12.00 sh, sized by hand');
  await expect(figure(page, 'Batch Information', 'Final')).toHaveText('Yes');
  await expect(figure(page, 'Summary', 'Success Rate')).toHaveText('100.00%');
  await expect(figure(page, 'Summary', 'Average Order Value')).toHaveText('$3.00');
  await expect(figure(page, 'Summary', 'Execution Time')).toHaveText(/^\d+(\.\d{3})?s$/);
  await expect(figure(page, 'Batch Information', 'Actual Profit')).toHaveText(/^↑\+\$\d\.\d\d$/);
  await expect(figure(page, 'Metrics', 'Filled')).toHaveText(/^\$9\.00/);
  await expect(figure(page, 'Metrics', 'Slippage')).toHaveText(/^-?\$0\.\d\d$/);
  await expect(figure(page, 'Metrics', 'Fees')).toHaveText(/^\$\d\.\d\d$/);
  for (const name of ['First Fill', 'Last Fill'])
    await expect(figure(page, 'Metrics', name)).toHaveText(/^\d+\.\d{3}safter the decision$/);
  await expect(page.getByRole('button', { name: /^(Retry|Cancel) Batch$/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Sell All Orders' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'View Opportunity' })).toHaveAttribute(
    'href',
    `/arbitrage/${moved.opportunity_id}`,
  );
  const orders = rowsOf(page, 'Orders');
  await expect(cell(orders, 'Status')).toContainText(['Filled', 'Filled', 'Filled']);
  await expect(toneOf(cell(orders, 'Status'))).toHaveAttribute('data-tone', 'success');
  await expect(cell(orders, 'Side')).toHaveText(['Buy', 'Buy', 'Buy']);
  await expect(cell(orders, 'Price')).toHaveText(Array(3).fill(/^0\.2500average 0\.2500$/));
  await expect(cell(orders, 'Error')).toHaveText(['Price Changed', 'Price Changed', 'Price Changed']);
  await expect(toneOf(cell(orders, 'Error'))).toHaveCSS('color', ORANGE);
  await cell(orders, 'Error').first().getByRole('button').hover();
  await expect(page.getByRole('tooltip')).toContainText('moved from 0.7400 to 0.7500');
});

test('says no to errors where there were none, and tells what happened in order and how long after the decision', async ({
  page,
}) => {
  await page.goto(`/batches/${completed.id}`);
  await expect(cell(rowsOf(page, 'Orders'), 'Error')).toHaveText(['No', 'No', 'No']);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  const events = timeline.getByRole('list', { name: 'Timeline' }).locator('> li');
  await expect(events.last()).toContainText(/Completed|Settled/);
  await expect(events.filter({ hasText: 'Decided' }).getByRole('time').first()).toHaveText('+0 ms');
  const words = (await events.allTextContents()).join('\n');
  for (const [earlier, later] of [
    ['Decided', 'Committed'],
    ['Committed', 'Sent'],
    ['Sent', 'Acknowledged'],
  ] as const)
    expect(words.indexOf(later), `${later} after ${earlier}`).toBeGreaterThan(words.indexOf(earlier));
  // Not among those in order: the venue dates what it matched by its own clock, to the second.
  await expect(events.filter({ hasText: 'Filled' })).not.toHaveCount(0);
  const committed = events.filter({ hasText: 'Committed' });
  await committed.getByText('3 orders').click();
  await expect(committed.getByRole('listitem')).toContainText(Array(3).fill(/Buy12\.00 at 0\.2500/));
  await expect(committed.getByRole('time').first()).toHaveText(/^\+\d+(\.\d{3} s| ms)$/);
  await expect(committed.getByRole('time').first()).toHaveAttribute('title', /:\d\d\.\d{3}/);
});

test('shows the orders of a batch on a page of their own', async ({ page }) => {
  await page.goto(`/batches/${failed.id}`);
  await expect(page.getByText('Last error')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Retry Batch' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Sell All Orders|Cancel Batch)$/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'Orders on Their Own Page' }).click();
  await expect(page).toHaveURL(`/batches/${failed.id}/orders`);
  await expect(figure(page, 'Batch', 'ID')).toHaveText(failed.id);
  await expect(figure(page, 'Batch', 'Status')).toHaveText('Failed');
  await expect(figure(page, 'Batch', 'Orders')).toHaveText('0/3');
  await expect(figure(page, 'Batch', 'Target Profit')).toHaveText(/^\$\d\.\d\d$/);
  const orders = rowsOf(page, 'Orders');
  await expect(cell(orders, 'Status')).toContainText(['Rejected', 'Rejected', 'Rejected']);
  await expect(toneOf(cell(orders, 'Status'))).toHaveAttribute('data-tone', 'error');
  await expect(cell(orders, 'Error')).toHaveText(['Yes', 'Yes', 'Yes']);
  await expect(toneOf(cell(orders, 'Error'))).toHaveCSS('color', RED);
  await cell(orders, 'Error').first().getByRole('button').focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tooltip')).toContainText(/cancel-only/);
  await page.getByRole('link', { name: 'Back to Batch Details' }).click();
  await expect(page).toHaveURL(`/batches/${failed.id}`);
});

test('says when a batch is not there, or why it cannot be read', async ({ page, mayBeRefused }) => {
  mayBeRefused(404);
  mayBeRefused(422);
  await page.goto('/batches/none');
  await expect(page.getByText(/^Error loading batch/)).toBeVisible();
  await page.goto('/batches/00000000-0000-4000-8000-000000000000');
  await expect(page.getByText('Error loading batch: Batch not found')).toBeVisible();
  const detail = 'The books are closed';
  await page.route(/\/batches\/[^/]+$/, (route) =>
    route.request().isNavigationRequest() ? route.continue() : route.fulfill({ status: 422, json: { detail } }),
  );
  await page.goto(`/batches/${completed.id}`);
  await expect(page.getByText(`Error loading batch: ${detail}`)).toBeVisible();
});

test('the calls list what can be retried, and the orders of an opportunity, of a batch and one alone', async ({
  product: { caller },
}) => {
  const retryable = await caller.call(listRetryableBatches, { query: { limit: 5 } });
  expect(retryable.reply.data.map(({ id }) => id)).toContain(failed.id);
  const { opportunity_id } = moved;
  const { reply: listed } = await caller.call(listOrders, { query: { opportunity_id, sort_by: 'leg' } });
  const { reply: ofBatch } = await caller.call(readBatchOrders, { params: { batch_id: moved.id } });
  expect(listed.data.toReversed()).toEqual(ofBatch.data);
  for (const order of ofBatch.data) {
    const { reply } = await caller.call(readOrder, { params: { order_id: order.id } });
    expect(reply).toEqual(order);
  }
});
