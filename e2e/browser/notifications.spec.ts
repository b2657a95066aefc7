/**
 * The list of notifications and each of them. Triggers record real ones; what only sending makes of one, that it was
 * sent or has failed, is written to the database of the product that runs here, a PostgreSQL of its own.
 */
import { deleteNotification } from '@dutchbook/contract/notifications.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { migratedDatabase } from '../product/database.ts';
import { cheapThreeWay } from '../product/three-way.ts';
import { writtenNotifications } from '../product/written-notifications.ts';
import { expectAccessible } from './accessibility.ts';
import { test as deskTest } from './browser.fixture.ts';
import { cell, figure, rowsOf, toast, watchRefresh } from './screen.ts';
import { startOnServer } from './started-product.ts';

type Database = Awaited<ReturnType<typeof writtenNotifications>>;

/** Each test begins with no notification at all. */
const test = deskTest.extend<{ database: Database }, { databaseUrl: string }>({
  databaseUrl: [async ({ browser: _browser }, use) => use(await migratedDatabase()), { scope: 'worker' }],
  product: [
    async ({ databaseUrl }, use) => {
      const product = await startOnServer({ DATABASE_URL: databaseUrl });
      await product.exchange.pause();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  database: async ({ product: _product, databaseUrl }, use) => {
    const database = await writtenNotifications(databaseUrl);
    await database.clear();
    await use(database);
    await database.close();
  },
});

const COLUMNS = ['Message', 'Created', 'Type', 'Status', 'Sent At', 'Attempts', 'Opp ID', 'ID', 'Actions'];

const FAILURE = { status: 'failed', attempts: 5, errorMessage: 'Telegram: 403 bot was blocked' };

const list = (page: Page) => rowsOf(page, 'Notifications');
const rowSaying = (page: Page, message: string) => list(page).filter({ hasText: message });
const tone = (row: Locator) => cell(row, 'Status').locator('[data-tone]');
const menuitem = (page: Page, name: string) => page.getByRole('menuitem', { name });

/** A figure among the statistics. */
const stat = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Notification statistics' })
    .locator('dl > div', { has: page.getByRole('term').filter({ hasText: name }) })
    .getByRole('definition');

async function openMenu(page: Page, message: string): Promise<void> {
  await rowSaying(page, message).getByRole('button', { name: 'Actions for' }).click();
}

test('a trigger appears by itself, in the list, the statistics and on its own page', async ({
  page,
  context,
  product,
  database: _database,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/notifications/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Notifications');
  await expect(page.getByText('No notifications found.')).toBeVisible();
  await expect(stat(page, 'Total')).toHaveText('0');
  await expect(stat(page, 'Not Sent')).toHaveText('0');
  const { opportunityId } = await cheapThreeWay(product.exchange, product.caller);

  const row = list(page);
  await expect(row).toHaveCount(1);
  await expect(page.getByRole('columnheader')).toHaveText(COLUMNS.map((name) => new RegExp(`^${name}`)));
  await expect(cell(row, 'Type')).toHaveText('Opportunity triggered');
  await expect(cell(row, 'Message')).toHaveText(/: the profit has come up to \d+\.\d\d%/);
  await expect(cell(row, 'Status')).toHaveText('Not Sent');
  await expect(tone(row)).toHaveAttribute('data-tone', 'inactive');
  await expect(page.getByRole('link', { name: 'Set Up Telegram' })).toHaveAttribute('href', '/settings?tab=telegram');
  await expect(cell(row, 'Sent At')).toHaveText('–');
  await expect(cell(row, 'Attempts')).toHaveText('0');
  await expect(cell(row, 'Created').locator('time')).toHaveText(/^\w{3} \d/);
  for (const title of ['Total', 'Last 24 Hours', 'Not Sent']) await expect(stat(page, title)).toHaveText('1');
  const entry = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('listitem')
    .filter({ hasText: 'Notifications' });
  await expect(entry).toHaveText('Notifications');

  await cell(row, 'Opp ID').getByRole('button').click();
  await expect(toast(page, 'Opportunity ID copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(opportunityId);
  await expect(toast(page, 'Opportunity ID copied')).toHaveCount(0);
  await cell(row, 'ID').getByRole('button').click();
  await expect(toast(page, 'Notification ID copied')).toBeVisible();
  const id = await page.evaluate(() => navigator.clipboard.readText());

  await openMenu(page, 'The profit');
  await expect(page.getByRole('menuitem')).toHaveText(['View Details', 'Delete']);
  await menuitem(page, 'View Details').click();
  await expect(page).toHaveURL(`/notifications/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Notification Details');
  const field = (name: string) => figure(page, 'Basic Information', name);
  await expect(field('ID')).toHaveText(id);
  await expect(field('Type')).toHaveText('Opportunity triggered');
  await expect(field('Status')).toHaveText('Not Sent');
  await expect(field('Attempts')).toHaveText('0');
  await expect(field('Created At').locator('time')).toBeVisible();
  await expect(field('Updated At').locator('time')).toBeVisible();
  await expect(field('Sent At')).toHaveText('Not sent');
  await expect(field('Opportunity ID').getByRole('link')).toHaveAttribute('href', `/arbitrage/${opportunityId}`);
  await expect(page.getByRole('region', { name: 'Message', exact: true })).toContainText('the profit has come up');
  await expect(page.getByRole('region', { name: 'Additional Data' })).toContainText('"target_price": 1');
  await expect(page.getByRole('region', { name: 'Error Message' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Retry Send' })).toHaveCount(0);

  await product.caller.call(deleteNotification, { params: { notification_id: id } });
  await expect(page.getByText('This notification has been deleted.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to List' }).click();
  await expect(page).toHaveURL('/notifications');
  await expect(page.getByText('No notifications found.')).toBeVisible();
});

test('one that failed is sent again, and any is deleted once that is confirmed', async ({
  page,
  database,
  mayBeRefused,
}) => {
  mayBeRefused(409);
  mayBeRefused(404);
  await database.add({ message: 'First', ...FAILURE });
  const second = await database.add({ message: 'Second', ...FAILURE });
  await page.goto('/');
  const failed = page.getByRole('region', { name: 'Failed notifications' });
  await expect(failed.locator('p').first()).toHaveText('2');
  await failed.getByRole('link').click();
  await expect(page).toHaveURL('/notifications?status=failed');

  await openMenu(page, 'First');
  await menuitem(page, 'Retry Send').click();
  await expect(toast(page, 'Notification retry initiated successfully')).toBeVisible();
  await expect(stat(page, 'Not Sent')).toHaveText('1');
  const entry = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('listitem')
    .filter({ hasText: 'Notifications' });
  await expect(entry).toHaveText('Notifications1 failed');
  await page.goto('/notifications');
  await expect(cell(rowSaying(page, 'First'), 'Status')).toHaveText('Not Sent');
  await page.route('**/retry', async (route) => {
    await database.setStatus(second, 'sent');
    await route.continue();
  });
  await openMenu(page, 'Second');
  await menuitem(page, 'Retry Send').click();
  await expect(toast(page, 'Failed to retry notification')).toContainText('The notification is sent.');

  const dialog = page.getByRole('dialog', { name: 'Delete Notification' });
  await openMenu(page, 'First');
  await menuitem(page, 'Delete').click();
  await expect(dialog).toContainText('First');
  await expectAccessible(page, 'delete dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await openMenu(page, 'First');
  await menuitem(page, 'Delete').click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page, 'Notification deleted successfully')).toBeVisible();
  await expect(list(page)).toHaveText([/Second/]);
  await openMenu(page, 'Second');
  await menuitem(page, 'Delete').click();
  await database.clear();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page, 'Failed to delete notification')).toContainText('Notification not found');
});

test('one by itself says why it failed, is sent again and deleted from there', async ({ page, database }) => {
  const sentAt = new Date(Date.UTC(2026, 0, 1));
  const id = await database.add({ message: 'A short text', ...FAILURE, sentAt });
  await page.goto(`/notifications/${id}`);
  const sent = figure(page, 'Basic Information', 'Sent At').getByRole('time');
  await expect(sent).toHaveAttribute('datetime', sentAt.toISOString());
  await expect(page.getByRole('region', { name: 'Error Message' })).toContainText(FAILURE.errorMessage);
  await expect(page.getByRole('region', { name: 'Additional Data' })).toHaveCount(0);
  await expect(page.getByText('Opportunity ID')).toHaveCount(0);
  const readAgain = watchRefresh(page, /\/retry$/, `/notifications/records/${id}`);
  await page.getByRole('button', { name: 'Retry Send' }).click();
  await expect(toast(page, 'Notification retry initiated successfully')).toBeVisible();
  await expect(figure(page, 'Basic Information', 'Status')).toHaveText('Not Sent');
  await expect(page.getByRole('button', { name: 'Retry Send' })).toHaveCount(0);
  await readAgain();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete Notification' }).getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page, 'Notification deleted successfully')).toBeVisible();
  await expect(page).toHaveURL('/notifications');
  await expect(page.getByText('No notifications found.')).toBeVisible();
});
