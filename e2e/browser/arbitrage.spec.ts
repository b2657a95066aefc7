import { listMarkets } from '@dutchbook/contract/markets.ts';
import {
  createOpportunity,
  deleteOpportunity,
  listOpportunities,
  readOpportunity,
} from '@dutchbook/contract/opportunities.ts';
import { expect, type Page } from '@playwright/test';
import { CHEAP_ASK, LOW_BID } from '../product/three-way.ts';
import { test } from './browser.fixture.ts';
import { bothOutcomes } from './csv.ts';
import { cell, expectColumnsToSort, rowsOf, toast } from './screen.ts';

const COUNT = 25;
const COLUMNS = [
  'Market Combinations',
  '\\$ Now',
  'Size',
  'Pays On',
  '% a Year',
  'Profit %',
  'Target Price',
  'Current Price',
  'Status',
  'ID',
  'Created',
  'Actions',
];

/** Every column that sorts, by the name it has in the address; the default has none. */
const SORTED_BY = [
  ['Market Combinations', 'about'],
  ['$ Now', 'profit_usd'],
  ['Size', 'max_profitable_size'],
  ['Pays On', 'pays_at'],
  ['% a Year', 'annualised_return'],
  ['Profit %', 'profit_percentage'],
  ['Target Price', 'target_price'],
  ['Current Price', 'current_price'],
  ['Status', 'active'],
  ['ID', 'id'],
  ['Created', 'created_at'],
] as const;

/** 25 opportunities that nothing triggers, with target prices 0.50 to 0.74 by which they are told apart; the last is inactive. */
test.beforeAll(async ({ product: { caller } }) => {
  const { reply } = await caller.call(listMarkets, { query: { limit: COUNT } });
  for (const [index, market] of reply.data.entries()) {
    const body = {
      market_combinations: bothOutcomes(market),
      target_price: (50 + index) / 100,
      active: index < COUNT - 1,
    };
    const created = await caller.call(createOpportunity, { body });
    expect(created.detail).toBe('');
  }
});
test.afterAll(async ({ product: { caller } }) => {
  const { reply } = await caller.call(listOpportunities, { query: { limit: 1000 } });
  for (const { id } of reply.data) await caller.call(deleteOpportunity, { params: { opportunity_id: id } });
});

const list = (page: Page) => rowsOf(page, 'Arbitrage Opportunities');
const targets = (page: Page) => cell(list(page), 'Target Price');
const header = (page: Page, name: string) => page.getByRole('columnheader', { name });
const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' });

test('lists ten opportunities a page, newest first, with their numbers and status, and pages through them', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1680, height: 900 });
  await page.goto('/arbitrage/?sortBy=created_at');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Arbitrage Opportunities');
  await expect(page.getByRole('columnheader')).toHaveText(COLUMNS.map((name) => new RegExp(`^${name}`)));
  await expect(list(page)).toHaveCount(10);
  await expect(targets(page).first()).toHaveText('0.7400');
  await expect(page.getByText(`1–10 of ${COUNT}`)).toBeVisible();
  const inactive = list(page).filter({ has: page.getByText('0.7400', { exact: true }) });
  await expect(cell(inactive, 'Status')).toHaveText('Inactive');
  const active = list(page).filter({ has: page.getByText('0.7300', { exact: true }) });
  await expect(cell(active, 'Status')).toHaveText('Active');
  await expect(cell(active, 'Current Price')).toHaveText(/^↑?↓?\d\.\d{4}$/);
  await expect(cell(active, 'Profit %')).toHaveText(/^↓?-\d+\.\d{2}%\s-\$\d\.\d{4}$/, { useInnerText: true });
  await pages(page).getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(targets(page).first()).toHaveText('0.6400');
  await pages(page).getByRole('button', { name: '3', exact: true }).click();
  await expect(list(page)).toHaveCount(5);
  await expect(pages(page).getByRole('button', { name: 'Next' })).toBeDisabled();
});

test('sorts by a column, keeps the order in the address, and restores it by reload and back', async ({ page }) => {
  await page.setViewportSize({ width: 1680, height: 900 });
  await page.goto('/arbitrage?sortBy=created_at');
  await expect(targets(page).first()).toHaveText('0.7400');
  await header(page, 'Target Price').getByRole('button').click();
  await expect(page).toHaveURL(/sortBy=target_price/);
  await header(page, 'Target Price').getByRole('button').click();
  await expect(page).toHaveURL(/sortBy=target_price&sortOrder=asc/);
  await expect(header(page, 'Target Price')).toHaveAttribute('aria-sort', 'ascending');
  await expect(targets(page).first()).toHaveText('0.5000');
  await pages(page).getByRole('button', { name: '2', exact: true }).click();
  await expect(targets(page).first()).toHaveText('0.6000');
  await page.reload();
  await expect(targets(page).first()).toHaveText('0.6000');
  await page.goBack();
  await expect(targets(page).first()).toHaveText('0.5000');
  await page.goForward();
  await expect(targets(page).first()).toHaveText('0.6000');
  await expectColumnsToSort(page, '/arbitrage', SORTED_BY, 'profit_usd');
  await expect(list(page)).toHaveCount(10);
});

test('a price changes live, and its row stays under the pointer until one asks to sort again', async ({
  page,
  product: { caller, exchange },
}) => {
  const dearest = { query: { active: true, sort_by: 'current_price', sort_order: 'desc', limit: 5 } } as const;
  // The price of one that is not active is not current.
  await page.goto('/arbitrage?active=true&sortBy=current_price');
  await expect(list(page).nth(4)).toHaveAttribute('data-id', /./);
  const id = (await list(page).nth(4).getAttribute('data-id')) ?? '';
  const row = page.locator(`tr[data-id="${id}"]`);
  await row.hover();
  const place = await row.boundingBox();
  const { reply } = await caller.call(readOpportunity, { params: { opportunity_id: id } });
  const [{ market_id: marketId = '', outcome = '', token_id = '' } = {}] = reply.positions;
  await exchange.setBook(token_id ?? '', [{ price: '0.05', size: '500' }], [{ price: '0.9', size: '500' }]);
  await expect(cell(row, 'Current Price')).toHaveText('↑1.8500');
  const reorder = page.getByRole('button', { name: 'Prices have moved: reorder' });
  await expect(reorder).toBeVisible();

  // The list is read again for an opportunity that appears, by now in another order.
  const firstId = async () => (await caller.call(listOpportunities, dearest)).reply.data[0]?.id;
  await expect.poll(firstId).toBe(id);
  const readAgain = page.waitForResponse(/arbitrage\/opportunities\?/);
  const body = { market_combinations: [{ leg: 1, markets: [{ id: marketId, outcome }] }], target_price: 0.1 };
  const added = await caller.call(createOpportunity, { body });
  await readAgain;
  await expect(page.getByText(`1–10 of ${COUNT}`)).toBeVisible();
  expect(await row.boundingBox()).toEqual(place);
  await caller.call(deleteOpportunity, { params: { opportunity_id: added.reply.id } });
  await reorder.click();
  await expect(list(page).first()).toHaveAttribute('data-id', id);
});

test('filters by active and triggered in the address, and says when there is nothing', async ({ page }) => {
  await page.goto('/arbitrage?active=false');
  await expect(list(page)).toHaveCount(1);
  await expect(page.getByLabel('Active')).toHaveValue('false');
  await page.getByLabel('Triggered').selectOption('Triggered only');
  await expect(page).toHaveURL(/active=false&triggered=true/);
  await expect(page.getByText('No arbitrage opportunities found.')).toBeVisible();
  await page.getByRole('button', { name: 'Show All' }).click();
  await expect(list(page)).toHaveCount(10);
});

test('a list of what is triggered lets go of what no longer is, and takes it in when it is again', async ({
  page,
  product: { caller, exchange },
  set,
}) => {
  const offer = (price: string) => exchange.setBook(set.tokenIds[0] ?? '', [LOW_BID], [{ ...CHEAP_ASK, price }]);
  const triggered = { query: { triggered: true } } as const;
  await expect.poll(async () => (await caller.call(listOpportunities, triggered)).reply.count).toBe(1);
  await page.goto('/arbitrage?triggered=true');
  await expect(list(page).getByTitle(set.opportunityId)).toBeVisible();
  await offer('0.6');
  await expect(page.getByText('No arbitrage opportunities found.')).toBeVisible();
  await offer('0.25');
  await expect(list(page).getByTitle(set.opportunityId)).toBeVisible();
});

test('a row’s menu checks its prices and opens its details, and the way back leads to the same page', async ({
  page,
}) => {
  await page.goto('/arbitrage?page=2');
  await expect(list(page).first()).toHaveAttribute('data-id', /./);
  const id = await list(page).first().getAttribute('data-id');
  await list(page).first().getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Check Prices' }).click();
  await expect(toast(page, 'Price check initiated successfully')).toContainText('Success!');
  await list(page).first().getByRole('button').last().click();
  await expect(page.getByRole('menuitem')).toHaveText([
    'View Details',
    'Place Order',
    'Pin',
    'Alert Me',
    'Check Prices',
    'Delete',
  ]);
  await page.getByRole('menuitem', { name: 'View Details' }).click();
  await expect(page).toHaveURL(`/arbitrage/${id}`);
  await page.getByRole('main').getByRole('link', { name: 'Arbitrage' }).click();
  await expect(page).toHaveURL('/arbitrage?page=2');
});

test('a row’s menu deletes it, but only once that is confirmed', async ({ page, product: { caller } }) => {
  await page.goto('/arbitrage?sortBy=created_at');
  const doomed = list(page).first();
  await expect(doomed).toHaveAttribute('data-id', /./);
  const id = (await doomed.getAttribute('data-id')) ?? '';
  const { reply } = await caller.call(listOpportunities, { query: { limit: 1 } });
  expect(reply.data[0]?.id).toBe(id);
  const chooseDelete = async () => {
    await doomed.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
  };
  page.once('dialog', (dialog) => dialog.dismiss());
  await chooseDelete();
  await expect(page.getByText(`of ${COUNT}`)).toBeVisible();
  page.once('dialog', (dialog) => dialog.accept());
  await chooseDelete();
  await expect(toast(page, 'Arbitrage opportunity deleted successfully')).toBeVisible();
  await expect(page.getByText(`1–10 of ${COUNT - 1}`)).toBeVisible();
  await expect(page.getByTitle(id)).toHaveCount(0);
  const [row] = reply.data;
  const body = { market_combinations: row?.market_combinations, target_price: 0.74, active: false };
  await caller.call(createOpportunity, { body });
});

test('copies the market combinations and says so for two seconds', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  await page.goto('/arbitrage');
  const copy = cell(list(page).first(), 'Market Combinations').getByRole('button');
  // Rows that only stand in for those to come would do so for ever once time stands still.
  await copy.waitFor();
  await page.clock.pauseAt(Date.now() + 60_000);
  await copy.click();
  const said = toast(page, 'Market combinations copied');
  await expect(said).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(copied)).toMatchObject([{ leg: 1, markets: [{ outcome: 'Yes' }, { outcome: 'No' }] }]);
  await page.clock.runFor(1_900);
  await expect(said).toBeVisible();
  await page.clock.runFor(500);
  await expect(said).toBeHidden();
});

test('checks all and updates all prices in the background, and shows how far that is', async ({ page }) => {
  await page.goto('/arbitrage');
  await expect(list(page)).toHaveCount(10);
  for (const [button, call, said, progress] of [
    ['Check All', 'check-all?active_only=true', 'Arbitrage check scheduled', 'Checking all opportunities'],
    ['Update Prices', 'update-prices', 'Market price update scheduled', 'Updating prices'],
  ] as const) {
    const asked = page.waitForRequest((request) => request.url().endsWith(`/arbitrage/${call}`));
    await page.getByRole('button', { name: button }).click();
    await asked;
    await expect(toast(page, said)).toBeVisible();
    await expect(page.getByRole('progressbar', { name: progress })).toHaveAttribute('aria-valuenow', '100');
  }
});
