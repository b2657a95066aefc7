/** What stands on the first page and in the top bar, and that both follow what happens. */
import { ARM_CONFIRMATION, armTrading, disarmTrading } from '@dutchbook/contract/arming.ts';
import { listMarkets } from '@dutchbook/contract/markets.ts';
import { placeOrder } from '@dutchbook/contract/placing.ts';
import { readOverview } from '@dutchbook/contract/status.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { expect, type Page } from '@playwright/test';
import { test } from './browser.fixture.ts';
import { addPerson, signInAs } from './people.ts';
import { toast } from './screen.ts';

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
const topBar = (page: Page) => page.getByRole('banner');

test('greets by full name or else by email', async ({ page, product }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Hi, ${product.credentials.username}`);
  await expect(page.getByText('Welcome back, nice to see you again!')).toBeVisible();
  await signInAs(page, await addPerson(product, { full_name: 'Ada Lovelace' }));
  await page.evaluate(() => localStorage.removeItem('access_token'));
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hi, Ada Lovelace');
});

test('counts what is active, running and earned, follows it live, leads to it, and shows orders of others', async ({
  page,
  product,
  set,
}) => {
  await page.goto('/');
  const active = card(page, 'Active opportunities').locator('p').first();
  await expect(active).toHaveText('1');
  await expect(card(page, 'Triggered opportunities').locator('p').first()).toHaveText('1');
  const { reply: counted } = await product.caller.call(readOverview, { query: {} });
  const exposure = counted.unhedged_batches === 0 ? 'every set is whole' : 'lost at worst by';
  await expect(card(page, 'Unhedged exposure')).toContainText(exposure);
  const failed = card(page, 'Failed notifications').locator('p').first();
  await expect(failed).toHaveText(String(counted.failed_notifications));
  await expect(card(page, 'Venue and feed')).toContainText('Simulated exchange');
  const ended = card(page, 'Realised today (UTC)').locator('p').nth(1);
  const before = counted.batches_today;

  const placed = await product.caller.call(placeOrder, {
    params: { opportunity_id: set.opportunityId },
    query: { order_size: sharesFromNumber(12) },
  });
  expect(placed.detail).toBe('');
  await expect(ended).toContainText(`${before + 1} ${before === 0 ? 'batch' : 'batches'} ended`);

  for (const [title, link, address] of [
    ['Active opportunities', 'Show active opportunities', '/arbitrage?active=true'],
    ['Triggered opportunities', 'Show triggered opportunities', '/arbitrage?triggered=true'],
    ['Running batches', 'Show running batches', '/batches?isActive=true'],
    ['Unhedged exposure', 'Show unhedged batches', '/batches?unhedged=true'],
    ['Realised today (UTC)', 'Show the report of today', `/report?since=${new Date().toISOString().slice(0, 10)}`],
    ['Failed notifications', 'Show failed notifications', '/notifications?status=failed'],
    ['Venue and feed', 'Show prices', '/arbitrage'],
  ] as const) {
    await card(page, title).getByRole('link', { name: link }).click();
    await expect(page).toHaveURL(address);
    await page.goBack();
  }

  const { reply: listed } = await product.caller.call(listMarkets, { query: { skip: 0, limit: 1000 } });
  const market = listed.data.find(({ neg_risk }) => !neg_risk);
  await product.exchange.buyOutside(market?.outcomes[0]?.token_id ?? '', '0.02', '7');
  const external = card(page, 'External Orders (1)');
  await expect(external.getByRole('row').nth(1)).toContainText(market?.question ?? 'no market');
  await expect(external.getByRole('row').nth(1)).toContainText(/Buy\s*0\.0200\s*7/);
  await expect(external).toContainText('They are never sold or canceled by this product.');
  await expect(toast(page, 'External order')).toContainText('not placed here');
});

test('stays disarmed when the page is reloaded in the moment after the click', async ({ page, product }) => {
  for (let time = 0; time < 5; time += 1) {
    await product.caller.call(armTrading, { query: {}, body: { confirmation: ARM_CONFIRMATION } });
    await page.goto('/');
    const disarm = topBar(page).getByRole('button', { name: 'Disarm' });
    await expect(disarm).toBeVisible();
    await disarm.evaluate((button: HTMLElement) => {
      button.click();
      location.reload();
    });
    await expect(topBar(page).getByText('Trading disarmed')).toBeVisible();
  }
  await product.caller.call(armTrading, { query: {}, body: { confirmation: ARM_CONFIRMATION } });
});

test('disarms with one click, arms with a typed word, and shows both to every user', { tag: '@journey' }, async ({
  browser,
  page,
  product,
}) => {
  const other = await browser.newContext({ baseURL: product.url });
  const onlooker = await other.newPage();
  await signInAs(onlooker, await addPerson(product));
  await onlooker.goto('/');
  await page.goto('/');
  await expect(topBar(onlooker).getByText('Armed', { exact: true })).toBeVisible();
  await expect(topBar(onlooker).getByRole('button', { name: 'Disarm' })).toHaveCount(0);

  await topBar(page).getByRole('button', { name: 'Disarm' }).click();
  await expect(toast(page, 'Trading is disarmed. No order leaves any more.')).toBeVisible();
  await expect(topBar(page).getByText('Trading disarmed')).toBeVisible();
  await expect(topBar(onlooker).getByText('Trading disarmed')).toBeVisible();
  await expect(topBar(onlooker).getByTitle(`Disarmed by ${product.credentials.username}`)).toBeVisible();
  await page.reload();

  await topBar(page).getByRole('button', { name: 'Arm' }).click();
  const dialog = page.getByRole('dialog', { name: 'Arm Trading' });
  await expect(dialog.getByLabel('Type ARM to confirm')).toBeFocused();
  await page.keyboard.type('arm');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Type ARM to confirm')).toHaveCount(2);
  await dialog.getByLabel('Type ARM to confirm').fill('ARM');
  await dialog.getByRole('button', { name: 'Arm Trading' }).click();
  await expect(toast(page, 'Trading is armed.')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(topBar(onlooker).getByText('Armed', { exact: true })).toBeVisible();
  await other.close();
});

test('a disarmed product refuses an order, and says so before it is placed', async ({
  page,
  product,
  set,
  mayBeRefused,
}) => {
  mayBeRefused(409);
  await product.caller.call(disarmTrading, { query: {} });
  await page.goto(`/arbitrage/${set.opportunityId}`);
  await page.getByRole('button', { name: 'Simulate Order' }).click();
  await expect(page.getByRole('dialog', { name: 'Simulate Order' })).toContainText('Trading is disarmed.');
  await page.keyboard.press('Escape');
  await topBar(page).getByRole('button', { name: 'Arm' }).press('Enter');
  await expect(page.getByLabel('Type ARM to confirm')).toBeFocused();
  await page.keyboard.type('ARM');
  await page.keyboard.press('Enter');
  await expect(topBar(page).getByText('Armed', { exact: true })).toBeVisible();
});
