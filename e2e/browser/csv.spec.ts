import { readFile } from 'node:fs/promises';
import { listMarkets, type MarketReply } from '@dutchbook/contract/markets.ts';
import { deleteOpportunity, listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { expect, type Page } from '@playwright/test';
import { activate, expectAccessible } from './accessibility.ts';
import { leavePages, test } from './browser.fixture.ts';
import { bothOutcomes, csvFile } from './csv.ts';
import { rowsOf, toast } from './screen.ts';

let markets: MarketReply[];
test.beforeAll(async ({ product: { caller } }) => {
  markets = (await caller.call(listMarkets, { query: { limit: 5 } })).reply.data;
});
test.afterEach(async ({ product: { caller }, context }) => {
  await leavePages(context);
  const { reply } = await caller.call(listOpportunities, { query: { limit: 1000 } });
  for (const { id } of reply.data) await caller.call(deleteOpportunity, { params: { opportunity_id: id } });
});

const rowOf = (index: number) => ({ combinations: bothOutcomes(markets[index] as MarketReply), targetPrice: '1' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Import CSV' });

async function chooseFile(page: Page, file: ReturnType<typeof csvFile>) {
  await page.getByRole('button', { name: 'Import CSV' }).click();
  await dialog(page).locator('input[type=file]').setInputFiles(file);
}

async function importFile(
  page: Page,
  file: ReturnType<typeof csvFile>,
  first: () => Promise<unknown> = async () => undefined,
) {
  await chooseFile(page, file);
  await first();
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click();
}

test('an empty list says so and offers to import, which takes .csv files only and needs no pointer', async ({
  page,
}) => {
  await page.goto('/arbitrage');
  await expect(page.getByText('No arbitrage opportunities found.')).toBeVisible();
  await activate(page, page.getByRole('button', { name: 'Choose a CSV File' }));
  const confirm = dialog(page).getByRole('button', { name: 'Import', exact: true });
  await expect(confirm).toBeDisabled();
  await expect(dialog(page).locator('input[type=file]')).toHaveAttribute('accept', '.csv');
  const input = dialog(page).locator('input[type=file]');
  await input.setInputFiles({ ...csvFile([rowOf(0)]), name: 'opportunities.pdf' });
  await expect(dialog(page).getByText('Only .csv files can be imported')).toBeVisible();
  await expect(confirm).toBeDisabled();
  const choosing = page.waitForEvent('filechooser');
  await activate(page, dialog(page).getByRole('button', { name: 'CSV file' }));
  await (await choosing).setFiles(csvFile([rowOf(0)]));
  await expect(confirm).toBeEnabled();
  await activate(page, confirm);
  await expect(toast(page, 'Successfully imported 1 opportunities')).toBeVisible();
  await expect(rowsOf(page, 'Arbitrage Opportunities')).toHaveCount(1);
});

test('imports the good rows, names the bad ones and the duplicates, and gives all the bad ones as a file', async ({
  page,
}) => {
  const bad = ['not json,1', ...Array.from({ length: 120 }, () => '"[]",1')];
  await page.goto('/arbitrage');
  await importFile(page, csvFile([rowOf(0), rowOf(1), rowOf(0)], bad));
  await expect(toast(page, 'Successfully imported 2 opportunities')).toBeVisible();
  await expect(dialog(page).getByText('2 imported, 1 already known, 121 refused')).toBeVisible();
  const duplicate = dialog(page).getByRole('list', { name: 'Duplicates' }).getByRole('listitem');
  await expect(duplicate).toHaveText(/^Row 3 ?Same markets and outcomes as [0-9a-f]{8}$/);
  await expect(duplicate.getByRole('link')).toHaveAttribute('href', /^\/arbitrage\/[0-9a-f-]{36}$/);
  const refused = dialog(page).getByRole('list', { name: 'Refused rows' }).getByRole('listitem');
  await expect(refused).toHaveCount(100);
  await expect(refused.nth(0)).toHaveText(/^Row 4 ?market_combinations/);
  await expect(refused.nth(1)).toHaveText(/^Row 5 ?.*At least one leg is needed/);
  await expect(dialog(page).getByText('and 21 more')).toBeVisible();
  await expect(dialog(page).getByText('Row 1 is the first one below the header.')).toBeVisible();
  await expectAccessible(page, 'report of an import');
  const downloading = page.waitForEvent('download');
  await dialog(page).getByRole('button', { name: 'Download Errors' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('opportunities_errors.csv');
  const lines = (await readFile(await download.path())).toString().trimEnd().split('\r\n');
  expect(lines).toHaveLength(1 + bad.length);
  expect(lines.slice(0, 2)).toEqual(['row,message', expect.stringMatching(/^4,"market_combinations/)]);
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(rowsOf(page, 'Arbitrage Opportunities')).toHaveCount(2);
});

test('shows how much of a file has been sent, then that the server reads it, and goes on when it is closed', async ({
  page,
  context,
}) => {
  await page.goto('/arbitrage');
  const network = await context.newCDPSession(page);
  const sendAt = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      downloadThroughput: -1,
      uploadThroughput,
      latency: 0,
    });
  const answered = new Promise<string>((resolve) => {
    network.once('Fetch.requestPaused', ({ requestId }) => resolve(requestId));
  });
  await network.send('Fetch.enable', { patterns: [{ urlPattern: '*/import-csv', requestStage: 'Response' }] });
  await importFile(
    page,
    csvFile(
      [rowOf(4)],
      Array.from({ length: 5_000 }, () => '"[]",1'),
    ),
    () => sendAt(1_000),
  );
  await expect(dialog(page).getByRole('progressbar', { name: 'Sending the file' })).toBeVisible();
  await expect(dialog(page).getByText(/^Sending the file: \d+%$/)).toBeVisible();
  await sendAt(-1);
  await expect(dialog(page).getByText('The server reads the rows')).toBeVisible();
  await expect(dialog(page).getByText(/^\d+ s so far/)).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();
  await network.send('Fetch.continueRequest', { requestId: await answered });
  await expect(toast(page, 'Successfully imported 1 opportunities')).toBeVisible();
  await expect(toast(page, '5000 rows of opportunities.csv were refused')).toBeVisible();
  await expect(rowsOf(page, 'Arbitrage Opportunities')).toHaveCount(1);
  await network.detach();
});

test('says why a file is refused, of which nothing is imported, and why there was none to export', async ({
  page,
  product,
  mayBeRefused,
}) => {
  for (const how of [401, 422, 503, 'without an answer'] as const) mayBeRefused(how);
  await page.goto('/arbitrage');
  await importFile(page, { name: 'wrong.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\r\n1,2\r\n') });
  await expect(toast(page, 'Failed to import CSV')).toContainText('market_combinations');
  await expect(dialog(page).getByRole('button', { name: 'Import', exact: true })).toBeEnabled();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('No arbitrage opportunities found.')).toBeVisible();
  await page.route('**/export-csv*', (route) => route.abort());
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await expect(toast(page, 'Error exporting CSV: The server cannot be reached')).toBeVisible();
  await page.route('**/export-csv*', (route) => route.fulfill({ status: 503 }));
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await expect(toast(page, 'Error exporting CSV: Service Unavailable')).toBeVisible();

  const sent: string[] = [];
  await page.route('**/import-csv', (route) => {
    sent.push(route.request().url());
    return route.fulfill({ status: 401, json: { detail: 'Not authenticated' } });
  });
  await page.evaluate(() => localStorage.clear());
  await importFile(page, csvFile([rowOf(0)]));
  await expect(toast(page, 'You are logged out')).toBeVisible();
  expect(sent).toEqual([]);
  await page.evaluate((token) => localStorage.setItem('access_token', token), product.caller.token);
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click();
  await expect(toast(page, 'Not authenticated')).toBeVisible();
  await expect(page).toHaveURL('/login');
});

test('exports to a file named after the day, which imports again as duplicates', async ({ page }) => {
  await page.goto('/arbitrage');
  await importFile(page, csvFile([rowOf(2), rowOf(3)]));
  await expect(rowsOf(page, 'Arbitrage Opportunities')).toHaveCount(2);
  await page.getByLabel('Active').selectOption('Active only');
  const asking = page.waitForRequest('**/export-csv?*');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect(new URL((await asking).url()).search).toBe('?active=true');
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
