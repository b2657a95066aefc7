/** What a daily user has in the fingers: keys, the way back, and what is not lost on the way. */
import { ARM_CONFIRMATION, armTrading, disarmTrading } from '@dutchbook/contract/arming.ts';
import { listBatches } from '@dutchbook/contract/batches.ts';
import { listMarkets } from '@dutchbook/contract/markets.ts';
import { createOpportunity, deleteOpportunity } from '@dutchbook/contract/opportunities.ts';
import { expect, type Page, type WebSocketRoute } from '@playwright/test';
import { CHEAP_ASK } from '../product/three-way.ts';
import { activate, expectAccessible, tabTo } from './accessibility.ts';
import { test } from './browser.fixture.ts';
import { expectLoggedOut } from './entry.ts';
import { addPerson, signInAs } from './people.ts';
import { atRest, placed } from './placed-batch.ts';
import { cell, figure, rowsOf, toast } from './screen.ts';
import type { StartedProduct } from './started-product.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Go To' });
const search = (page: Page) => palette(page).getByRole('combobox', { name: 'Search' });
const found = (page: Page) => palette(page).getByRole('option');

test('a simulated order is three steps from the dashboard, and anything else is found by its name', async ({
  page,
  product,
  set,
}) => {
  const batch = await atRest(product, await placed(product, set.opportunityId));
  await page.goto('/');
  await expect(page.getByText('Show prices')).toBeVisible();
  await page.keyboard.press('Control+k');
  await search(page).fill(`s ${set.opportunityId.slice(0, 8)}`);
  await expect(found(page).first()).toContainText(`Simulate Order of ${batch.name}`);
  await page.keyboard.press('Enter');
  const simulation = page.getByRole('dialog', { name: 'Simulate Order' });
  await expect(rowsOf(page, 'Planned orders')).toHaveCount(3);
  await expect(page).toHaveURL(`/arbitrage/${set.opportunityId}`);
  await page.keyboard.press('Escape');
  await expect(simulation).toBeHidden();
  await page.keyboard.press('s');
  await expect(simulation).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(simulation).toBeHidden();
  await page.keyboard.press('p');
  await expect(page.getByRole('dialog', { name: 'Place Order' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.getByRole('button', { name: 'Search' }).click();
  await search(page).fill('zebra');
  await expect(palette(page).getByText('Nothing has all of these words.')).toBeVisible();
  await search(page).fill(batch.id);
  await expect(found(page)).toHaveCount(1);
  await found(page).click();
  await expect(page).toHaveURL(`/batches/${batch.id}`);

  await page.keyboard.press('Control+k');
  await search(page).fill('screen');
  await expect(found(page).nth(1)).toContainText('Arbitrage');
  await page.keyboard.press('ArrowDown');
  await expect(found(page).nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/arbitrage');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard Shortcuts' })).toContainText('Next row');
});

test('keys lead through the rows of a list and from screen to screen, but not while something is typed', async ({
  page,
  product,
  set,
}) => {
  await atRest(product, await placed(product, set.opportunityId));
  const { id } = await atRest(product, await placed(product, set.opportunityId));
  await page.goto('/batches?each=true');
  const rows = rowsOf(page, 'Batch Orders');
  await expect(rows.first()).toContainText(id.slice(0, 8));
  await page.keyboard.press('j');
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/batches/${id}`);
  await page.goBack();
  await expect(rows.first()).toBeVisible();
  const filter = page.getByLabel('Opportunity ID');
  await filter.fill('');
  await page.keyboard.type('gnj?');
  await expect(filter).toHaveValue('gnj?');
  await expect(page).toHaveURL('/batches?each=true');
  await filter.blur();
  for (const [letter, path] of [
    ['n', '/notifications'],
    ['a', '/arbitrage'],
    ['d', '/'],
    ['b', '/batches'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    await expect(page).toHaveURL(path);
  }
});

/** A dozen opportunities of one position each, and how to take them away again. */
async function aDozen({ caller }: StartedProduct) {
  const { reply: markets } = await caller.call(listMarkets, { query: { limit: 40 } });
  const ids: string[] = [];
  for (const { id, outcomes } of markets.data.slice(-12)) {
    const market_combinations = [{ leg: 1, markets: [{ id, outcome: outcomes[1]?.outcome ?? '' }] }];
    const created = await caller.call(createOpportunity, { body: { market_combinations, active: false } });
    expect(created.detail).toBe('');
    ids.push(created.reply.id);
  }
  return async () => {
    for (const id of ids) await caller.call(deleteOpportunity, { params: { opportunity_id: id } });
  };
}

test('without a pointer a list is filtered, sorted and paged; Back brings page, order, filter and place back', async ({
  page,
  product,
}) => {
  const takeAway = await aDozen(product);
  await signInAs(page, await addPerson(product));
  await page.setViewportSize({ width: 1280, height: 320 });
  await page.goto('/arbitrage');
  const rows = rowsOf(page, 'Arbitrage Opportunities');
  await expect(rows).toHaveCount(10);
  await tabTo(page, page.getByLabel('Active', { exact: true }));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/active=false/);
  const created = page.getByRole('columnheader', { name: 'Created' }).getByRole('button');
  await activate(page, created);
  await expect(page).toHaveURL(/sortBy=created_at/);
  await activate(page, created);
  await expect(page).toHaveURL(/sortOrder=asc/);
  await activate(page, page.getByRole('button', { name: '2', exact: true }));
  await expect(page).toHaveURL(/page=2/);
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false');
  const address = page.url();
  const shown = await cell(rows, 'ID').allTextContents();
  await page.keyboard.press('k');
  await expect(rows.last()).toBeFocused();
  const place = await page.evaluate(() => window.scrollY);
  expect(place, 'the list is scrolled').toBeGreaterThan(0);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: shown[1] ?? '', exact: true })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(cell(rows, 'ID')).toHaveText(shown);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place);
  await activate(page, page.getByTestId('user-menu'));
  const logOut = page.getByRole('menuitem', { name: 'Log Out' });
  await expect(page.getByRole('menuitem', { name: 'My Profile' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(logOut).toBeFocused();
  await page.keyboard.press('Enter');
  await expectLoggedOut(page);
  await takeAway();
});

/** A message of the stream as it would be while the database does not answer. */
function withoutDatabase(message: string): string {
  const frame = JSON.parse(message);
  return frame.type === 'system' ? JSON.stringify({ ...frame, data: { ...frame.data, database_away: true } }) : message;
}

test('a lost database or connection says so, and what was missed is there when it is back, without a reload', {
  tag: '@journey',
}, async ({ page, product, set }) => {
  let isDown = false;
  let isDatabaseAway = false;
  const open: WebSocketRoute[] = [];
  await page.routeWebSocket('**/api/v1/stream', async (socket) => {
    if (isDown) return await socket.close();
    const server = socket.connectToServer();
    server.onMessage((message) => socket.send(isDatabaseAway ? withoutDatabase(String(message)) : message));
    open.push(socket);
  });
  const price = figure(page, 'Price Information', 'Current Price');
  const banner = page.getByText('No connection to the server: what you see may be out of date.');
  await page.goto(`/arbitrage/${set.opportunityId}`);
  await expect(price).toContainText('0.7500');
  const bar = page.getByRole('banner');
  await expect(bar.getByText('Polymarket: Live', { exact: true })).toBeVisible();
  isDatabaseAway = true;
  await product.caller.call(disarmTrading, { query: {}, body: {} });
  await expect(bar.getByText('Database away')).toBeVisible();
  isDatabaseAway = false;
  await product.caller.call(armTrading, { query: {}, body: { confirmation: ARM_CONFIRMATION } });
  await expect(bar.getByText('Polymarket: Live', { exact: true })).toBeVisible();
  await page.evaluate(() => document.documentElement.setAttribute('data-before', 'yes'));
  isDown = true;
  for (const socket of open) await socket.close();
  await expect(banner).toBeVisible();
  await expectAccessible(page, 'a page without a connection');
  const [tokenId = ''] = set.tokenIds;
  await product.exchange.setBook(tokenId, [{ price: '0.2', size: '500' }], [{ ...CHEAP_ASK, price: '0.27' }]);
  isDown = false;
  await expect(price).toContainText('0.7700');
  await expect(banner).toBeHidden();
  await expect(page.locator('html')).toHaveAttribute('data-before', 'yes');
});

test('an order that is confirmed without a network is not sent by itself once there is one', {
  tag: '@journey',
}, async ({ page, context, product, set, mayBeRefused }) => {
  mayBeRefused('without an answer');
  let placings = 0;
  page.on('request', (request) => {
    if (request.url().includes('/place-order/')) placings += 1;
  });
  await page.goto(`/arbitrage/${set.opportunityId}`);
  await page.getByRole('button', { name: 'Place Order' }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Confirm Order' });
  await expect(confirm).toBeEnabled();
  await context.setOffline(true);
  await confirm.click();
  await expect(toast(page, 'it is not known whether the order was placed')).toBeVisible();
  expect(placings).toBe(1);
  const readAgain = page.waitForResponse((response) => response.url().endsWith(set.opportunityId) && response.ok());
  await context.setOffline(false);
  await readAgain;
  expect(placings).toBe(1);
  const { reply } = await product.caller.call(listBatches, { query: { opportunity_id: set.opportunityId } });
  expect(reply.count).toBe(0);
});

test('what was typed into the settings is asked about before it is left behind', async ({ page, product }) => {
  await signInAs(page, await addPerson(product, { is_superuser: true, full_name: 'Careful' }));
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  const batches = page.getByRole('navigation').getByRole('link', { name: 'Batch Orders' });
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Full name').fill('Careless');
  await batches.click();
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Full name')).toHaveValue('Careless');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('tab', { name: 'Telegram' }).click();
  await page.getByLabel('Chat ID').fill('12345');
  await page.getByRole('tab', { name: 'Appearance' }).click();
  await page.getByRole('tab', { name: 'Telegram' }).click();
  await expect(page.getByLabel('Chat ID')).toHaveValue('12345');
  await batches.click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL('/batches');

  await page.goto('/admin/system-settings');
  await expect(page.getByText('No changes to save.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await tabTo(page, page.getByLabel('MIN_ORDER_SHARES'));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('6');
  await activate(page, page.getByRole('button', { name: 'Save' }));
  await expect(toast(page, 'System settings updated successfully.')).toBeVisible();
});
