import { readFile } from 'node:fs/promises';
import { listMarkets, type MarketReply } from '@dutchbook/contract/markets.ts';
import { deleteOpportunity, listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { expect, type Page } from '@playwright/test';
import { bothOutcomes, csvFile } from './csv.ts';
import { test } from './desk-test.ts';
import { rowsOf, toast } from './screen.ts';

let markets: MarketReply[];
test.beforeAll(async ({ product: { caller } }) => {
  markets = (await caller.call(listMarkets, { query: { limit: 5 } })).reply.data;
});
test.afterEach(async ({ product: { caller } }) => {
  const { reply } = await caller.call(listOpportunities, { query: { limit: 1000 } });
  for (const { id } of reply.data) await caller.call(deleteOpportunity, { params: { opportunity_id: id } });
});

const rowOf = (index: number) => ({ combinations: bothOutcomes(markets[index] as MarketReply), targetPrice: '1' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Import CSV' });

async function chooseFile(page: Page, file: ReturnType<typeof csvFile>) {
  await page.getByRole('button', { name: 'Import CSV' }).click();
  await dialog(page).locator('input[type=file]').setInputFiles(file);
}

async function importFile(page: Page, file: ReturnType<typeof csvFile>) {
  await chooseFile(page, file);
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click();
}

test('an empty list says so and offers to import, which takes .csv files only and waits for one', async ({ page }) => {
  await page.goto('/arbitrage');
  await expect(page.getByText('No arbitrage opportunities found.')).toBeVisible();
  await page.getByRole('button', { name: 'Choose a CSV File' }).click();
  const confirm = dialog(page).getByRole('button', { name: 'Import', exact: true });
  await expect(confirm).toBeDisabled();
  await expect(dialog(page).locator('input[type=file]')).toHaveAttribute('accept', '.csv');
  await dialog(page)
    .locator('input[type=file]')
    .setInputFiles(csvFile([rowOf(0)]));
  await expect(confirm).toBeEnabled();
  await confirm.click();
  await expect(toast(page, 'Successfully imported 1 opportunities')).toBeVisible();
  await expect(rowsOf(page, 'Arbitrage Opportunities')).toHaveCount(1);
});

test('imports the good rows and names the bad ones and the duplicates with their numbers', async ({ page }) => {
  await page.goto('/arbitrage');
  await importFile(page, csvFile([rowOf(0), rowOf(1), rowOf(0)], ['not json,1', '"[]",1']));
  await expect(toast(page, 'Successfully imported 2 opportunities')).toBeVisible();
  await expect(dialog(page).getByText('2 imported, 1 already known, 2 refused')).toBeVisible();
  const refused = dialog(page).getByRole('listitem');
  await expect(refused.filter({ hasText: 'Row 3' })).toHaveText(/Same markets and outcomes as [0-9a-f]{8}/);
  await expect(refused.filter({ hasText: 'Row 4' })).toHaveText(/market_combinations/);
  await expect(refused.filter({ hasText: 'Row 5' })).toHaveText(/At least one leg is needed/);
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(rowsOf(page, 'Arbitrage Opportunities')).toHaveCount(2);
});

test('a file that is not what it should be is refused, with the reason, and nothing is imported', async ({
  page,
  mayBeRefused,
}) => {
  mayBeRefused(422);
  await page.goto('/arbitrage');
  await importFile(page, { name: 'wrong.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\r\n1,2\r\n') });
  await expect(toast(page, 'Failed to import CSV')).toContainText('market_combinations');
  await expect(dialog(page).getByRole('button', { name: 'Import', exact: true })).toBeEnabled();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('No arbitrage opportunities found.')).toBeVisible();
});

test('exports to a file named after the day, which imports again as duplicates', async ({ page }) => {
  await page.goto('/arbitrage');
  await importFile(page, csvFile([rowOf(2), rowOf(3)]));
  await expect(rowsOf(page, 'Arbitrage Opportunities')).toHaveCount(2);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^arbitrage_opportunities.*\d{4}-\d{2}-\d{2}.*\.csv$/);
  const exported = await readFile(await download.path());
  expect(exported.toString().split(/\r?\n/)[0]?.replaceAll('"', '').split(',')).toEqual(
    expect.arrayContaining(['market_combinations', 'target_price', 'active', 'source', 'source_details', 'id']),
  );
  await importFile(page, { name: 'again.csv', mimeType: 'text/csv', buffer: exported });
  await expect(dialog(page).getByText('0 imported, 2 already known, 0 refused')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(rowsOf(page, 'Arbitrage Opportunities')).toHaveCount(2);
});

test('says when the export failed, and why', async ({ page, mayBeRefused }) => {
  mayBeRefused('without an answer');
  await page.goto('/arbitrage');
  await page.route('**/export-csv*', (route) => route.abort());
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await expect(toast(page, 'Error exporting CSV: The server cannot be reached')).toBeVisible();
});
