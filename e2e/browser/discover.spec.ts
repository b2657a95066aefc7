/**
 * The desk finds for itself: from the list of relations to a set in the account, without a file; and what is found stops being
 * bought once the venue changes its rules.
 */
import { listMarkets, type MarketReply } from '@dutchbook/contract/markets.ts';
import { listNotifications } from '@dutchbook/contract/notifications.ts';
import { expect, type Page } from '@playwright/test';
import { watchedTest as test } from './browser.fixture.ts';
import { cell, figure, rowsOf, toast } from './screen.ts';
import { type StartedProduct, startByReadme } from './started-product.ts';

let product: StartedProduct;
test.beforeAll(async () => {
  product = await startByReadme();
});
test.afterAll(() => product.stop());

test('an operator finds a set that pays, sees why it must, buys it, and is kept from it once its rules change', async ({
  page,
}) => {
  await signIn(page);
  const members = await cheapEvent('Harbour League chair');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Discover' }).click();
  const row = rowsOf(page, 'Relations')
    .filter({ hasText: 'Exactly one of 3 outcomes' })
    .filter({ hasText: 'Harbour League chair' });
  await expect(cell(row, 'Distance')).toContainText(/pays 4\.\d c after fees/, { timeout: 30_000 });
  await row.getByRole('link', { name: 'Harbour League chair' }).click();

  const worlds = page.getByRole('table', { name: 'Worlds' });
  await expect(worlds.locator('tbody tr')).toHaveCount(3);
  await expect(page.getByText('exclusive = enforced')).toBeVisible();
  await page.getByRole('link', { name: 'View Opportunity' }).click();
  await expect(figure(page, 'Basic Information', 'Source')).toContainText('Found by discovery');
  await expect(page.getByRole('button', { name: 'Place Order' })).toBeEnabled();
  await page.getByRole('button', { name: 'Place Order' }).click();
  const dialog = page.getByRole('dialog', { name: 'Place Order' });
  await dialog.getByRole('button', { name: 'Confirm Order' }).click();
  await expect(toast(page, 'Order placed successfully')).toBeVisible();
  await page.waitForURL(/\/batches\/[0-9a-f-]{36}$/);
  await expect(figure(page, 'Batch Information', 'Status')).toHaveText('Completed');
  await expect(cell(rowsOf(page, 'Orders'), 'Status')).toContainText(members.map(() => 'Filled'));

  await product.exchange.editMarket(members[0]?.id ?? '', { rules: 'A tie is decided by lot.' });
  await page.getByRole('link', { name: 'View Opportunity' }).click();
  await expect(page.getByText('Inactive', { exact: true }).first()).toBeVisible({ timeout: 30_000 });
  const voids = async () => {
    const { reply } = await product.caller.call(listNotifications, {
      query: { notification_type: 'relation_void', limit: 10 },
    });
    return reply.data.map(({ message }) => message);
  };
  await expect.poll(voids).toEqual([expect.stringContaining('Harbour League chair: the venue has changed rules')]);
});

async function signIn(page: Page) {
  await page.goto(product.url);
  await page.getByLabel('Email').fill(product.credentials.username);
  await page.getByLabel('Password', { exact: true }).fill(product.credentials.password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page.getByRole('heading', { name: `Hi, ${product.credentials.username}` })).toBeVisible();
}

/** Yes on all of its markets costs 93 cents before fees, and stays so. */
async function cheapEvent(title: string): Promise<MarketReply[]> {
  const { exchange, caller } = product;
  await exchange.pause();
  const { reply } = await caller.call(listMarkets, { query: { limit: 1000 } });
  const members = reply.data.filter(({ event }) => event?.title === title);
  for (const { outcomes } of members)
    await exchange.setBook(
      outcomes[0]?.token_id ?? '',
      [{ price: '0.3', size: '500' }],
      [{ price: '0.31', size: '500' }],
    );
  return members;
}
