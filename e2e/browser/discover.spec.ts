/**
 * The desk finds for itself: from the list of relations to a set in the account, without a file; and what is found stops being
 * bought once the venue changes its rules. What it does not find is stated by a user.
 */
import { listMarkets, type MarketReply } from '@dutchbook/contract/markets.ts';
import { listNotifications } from '@dutchbook/contract/notifications.ts';
import { expect } from '@playwright/test';
import { watchedTest as test } from './browser.fixture.ts';
import { cell, figure, rowsOf, toast } from './screen.ts';
import { signIn } from './sign-in.ts';
import { type StartedProduct, startByReadme } from './started-product.ts';

let product: StartedProduct;
test.beforeAll(async () => {
  product = await startByReadme();
});
test.afterAll(() => product.stop());

test('an operator finds a set that pays, sees why it must, buys it, and is kept from it once its rules change', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page, product);
  const members = await cheapEvent('Harbour League chair');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Discover' }).click();
  await page.getByLabel('Find').fill('Harbour League chair');
  await page.getByLabel('Find').press('Enter');
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

test('a superuser states what no words say, approves it, and is notified when what has resolved contradicts it', async ({
  page,
}) => {
  await signIn(page, product);
  const harder = await quoted('Will Lumen Labs ship a 10,000-qubit machine before the summer?', '0.6', '0.61');
  const easier = await quoted('Will Lumen Labs be valued above $2 billion?', '0.5', '0.51');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Discover' }).click();
  await page.getByRole('button', { name: 'Add Relation' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Relation' });
  await dialog.getByLabel('Search Markets').fill('Lumen Labs');
  for (const { question } of [harder, easier])
    await dialog.getByRole('button', { name: `Member: ${question}` }).click();
  await dialog.getByLabel('Kind').selectOption('Ladder');
  await dialog.getByLabel('Note').fill('Its last round was at three billion');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(toast(page, 'Relation added.')).toBeVisible();
  await expect(page.getByText(/pays [78]\.\d c after fees/).first()).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Needs approval').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'View Opportunity' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog', { name: 'Approve Relation' }).getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('link', { name: 'View Opportunity' })).toBeVisible({ timeout: 30_000 });

  await product.exchange.resolve(harder.id, 'Yes');
  await product.exchange.resolve(easier.id, 'No');
  await expect(page.getByText(/^Contradicted: Lumen Labs ship .* came true and .* did not$/).first()).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await page.getByRole('link', { name: 'View Opportunity' }).click();
  await expect(page.getByText('Inactive', { exact: true }).first()).toBeVisible({ timeout: 30_000 });
});

/** The market with that question, bought and sold at these prices from now on. */
async function quoted(question: string, bid: string, ask: string): Promise<MarketReply> {
  const { exchange, caller } = product;
  await exchange.pause();
  const { reply } = await caller.call(listMarkets, { query: { limit: 1000 } });
  const market = reply.data.find((each) => each.question === question);
  if (market === undefined) throw new Error(`no market asks: ${question}`);
  const [yes, no] = market.outcomes.map(({ token_id }) => token_id);
  const level = (price: string) => [{ price, size: '500' }];
  const other = (price: string) => (1 - Number(price)).toFixed(2);
  await exchange.setBook(yes ?? '', level(bid), level(ask));
  await exchange.setBook(no ?? '', level(other(ask)), level(other(bid)));
  return market;
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
